"""Finds and reads single records of WARC files.

A recording is scanned once. What the scan finds, one row a record, is kept in a cache folder (never beside the
recording, which may be read-only) under a name made of the file's path, size and date, so that a changed file is
scanned again. In memory a URL costs twenty bytes: its fingerprint, the number of its file, the offset of its record.

Where a URL was recorded more than once, the last 2xx answer wins, else the last answer of any status. A revisit
record, which says "as before" and holds no payload, stands for the record it refers to.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from scenthound import urls
from scenthound.errors import RecordingError
from scenthound.fetch.import_sources import as_recordings

with warnings.catch_warnings():  # fastwarc warns of its own old names whenever it is imported
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator as ArchiveIterator
    from fastwarc.warc import WarcRecord as WarcRecord
    from fastwarc.warc import WarcRecordType as WarcRecordType

FORMAT = 1  # of the index files; raise it when ROW changes its meaning
ROW = np.dtype([("key", "<i8"), ("offset", "<i8"), ("status", "<i8"), ("target", "<i8"), ("digest", "<i8")])
REVISIT = 0  # as status

Rows = npt.NDArray[np.void]

_answers = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit
_gzip_member = b"\x1f\x8b\x08"


class Recording:
    """Where each URL of some WARC files is. `damaged` says what could not be read, one line a file."""

    def __init__(self, paths: Sequence[Path], index_folder: Path | None = None) -> None:
        if not paths:
            raise RecordingError("No recording was named. Give at least one .warc, .warc.gz or .wacz file.")
        folder = index_folder or cache_folder()
        self.paths = [part for path in paths for part in as_recordings(Path(path).absolute(), folder)]
        self.damaged: list[str] = []
        tables = [self._table(path, folder) for path in self.paths]
        self._keys, self._files, self._offsets = _merge(tables)
        self._open: dict[int, BinaryIO] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, url: str) -> WarcRecord | None:
        """The record of a canonical URL, its block unread. Raises `OSError` where the file is damaged."""
        key = urls.fingerprint(url)
        place = int(self._keys.searchsorted(key))
        if place == len(self._keys) or self._keys[place] != key:
            return None
        return self._record(int(self._files[place]), int(self._offsets[place]))

    def urls(self) -> Iterator[str]:
        """Every URL that can be found, in the order of the files, each once. Reads the files through."""
        given = np.zeros(len(self._keys), dtype=bool)
        for path in self.paths:
            with suppress(OSError), path.open("rb") as file:
                for record in ArchiveIterator(file, record_types=_answers, parse_http=False):
                    url = target(record)
                    key = urls.fingerprint(url)
                    place = int(self._keys.searchsorted(key))
                    if url and place < len(given) and self._keys[place] == key and not given[place]:
                        given[place] = True
                        yield url

    def close(self) -> None:
        for file in self._open.values():
            file.close()
        self._open.clear()

    def _record(self, number: int, offset: int) -> WarcRecord:
        file = self._open.get(number)
        if file is None:
            file = self._open[number] = self.paths[number].open("rb", buffering=0)
        file.seek(offset)
        for record in ArchiveIterator(file, parse_http=False):
            return record
        raise OSError("no record where one was")

    def _table(self, path: Path, folder: Path) -> Rows:
        try:
            stat = path.stat()
        except OSError as error:
            raise RecordingError(f"{path} cannot be read: {error.strerror}. Check the path.") from error
        place = hashlib.sha256(os.fsencode(path)).hexdigest()[:24]
        index = folder / f"{place}-{FORMAT}-{stat.st_size}-{stat.st_mtime_ns}.npy"
        rows = _load(index)
        if rows is None:
            rows, damage = scan(path)
            if damage:
                self.damaged.append(damage)
            else:
                _save(index, rows, f"{place}-*.npy")
        return rows


def scan(path: Path) -> tuple[Rows, str]:
    """A row for each answer in a file, and what went wrong on the way, if anything did."""
    columns = [array("q") for _ in ROW.names or ()]
    damage = ""
    last = -1
    try:
        with path.open("rb") as file, path.open("rb", buffering=0) as probe:
            members = probe.read(3) == _gzip_member
            for record in ArchiveIterator(file, record_types=_answers, parse_http=False):
                last = record.stream_pos
                if members and probe.seek(last) >= 0 and probe.read(3) != _gzip_member:
                    raise RecordingError(
                        f"{path} is compressed as a whole, so that single pages cannot be found in it. "
                        f"Compress it record by record: warcio recompress {path.name} new.warc.gz (pip install warcio)"
                    )
                row = _row(record)
                if row is not None:
                    for column, value in zip(columns, row, strict=True):
                        column.append(value)
            if last >= 0 and _cut_short(file, last):
                damage = f"{path} ends in the middle of a record; that record is lost."
    except OSError as error:
        damage = f"{path} is damaged after {len(columns[0])} answers ({error}); what follows is lost."
    if not columns[0]:
        reason = f"is no WARC file or is damaged from the start ({damage})" if damage else "holds no answers"
        raise RecordingError(f"{path} {reason}. Check it with: warcio check {path.name} (pip install warcio)")
    rows: Rows = np.empty(len(columns[0]), dtype=ROW)
    for name, column in zip(ROW.names or (), columns, strict=True):
        rows[name] = column
    return rows, damage


def target(record: WarcRecord) -> str:
    """The canonical URL a record is about; empty where it has none we would ever ask for."""
    url = urls.canonical((record.headers.get("WARC-Target-URI") or "").strip("<> "))
    return url if isinstance(url, str) else ""


def cache_folder() -> Path:
    """Where this user's caches are."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if given:
        home = Path(given)
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", "") or Path.home() / "AppData" / "Local")
    else:
        home = Path.home() / ".cache"
    return home / "scenthound" / "recordings"


def _row(record: WarcRecord) -> tuple[int, int, int, int, int] | None:
    url = target(record)
    if not url:
        return None
    headers = record.headers
    digest = _hash(headers.get("WARC-Payload-Digest") or "")
    refers = 0
    if record.record_type == WarcRecordType.revisit:
        status = REVISIT
        original = urls.canonical((headers.get("WARC-Refers-To-Target-URI") or "").strip("<> "))
        refers = urls.fingerprint(original) if isinstance(original, str) else 0
    elif record.record_type == WarcRecordType.resource:
        status = 200
    else:
        status = status_of(record.reader.readline())
    return urls.fingerprint(url), record.stream_pos, status, refers, digest


def status_of(line: bytes) -> int:
    """The number in `HTTP/1.1 200 OK`; 599 where there is none, so that the record ranks with the errors."""
    words = line.split(None, 2)
    if len(words) > 1 and words[0].startswith(b"HTTP/") and len(words[1]) == 3 and words[1].isdigit():
        return int(words[1])
    return 599


def _hash(text: str) -> int:
    return xxh3_64_intdigest(text.encode()) >> 1 if text else 0


def _cut_short(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    for record in ArchiveIterator(file, parse_http=False):
        length = record.headers.get("Content-Length") or ""
        return len(record.reader.read()) < (int(length) if length.isascii() and length.isdigit() else 0)
    return True


def _merge(
    tables: list[Rows],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """One place per URL: sorted keys, and the file and offset of each."""
    rows = np.concatenate(tables)
    files = np.repeat(np.arange(len(tables), dtype=np.uint32), [len(table) for table in tables])
    rank = np.where(rows["status"] // 100 == 2, 2, np.where(rows["status"] == REVISIT, 0, 1))
    order = np.lexsort((np.arange(len(rows)), rank, rows["key"]))
    keys = rows["key"][order]
    last = np.append(keys[1:] != keys[:-1], True)
    order = order[last]
    keep = _resolve(rows, files, rank, order)
    order = order[keep]
    return (
        np.ascontiguousarray(rows["key"][order], dtype=np.int64),
        files[order],
        np.ascontiguousarray(rows["offset"][order], dtype=np.int64),
    )


def _resolve(
    rows: Rows, files: npt.NDArray[np.uint32], rank: npt.NDArray[np.int64], order: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Points revisits at their originals, in place, by URL or else by digest. False: the original is not here."""
    keep = np.ones(len(order), dtype=bool)
    revisits = np.flatnonzero(rank[order] == 0)
    if not len(revisits):
        return keep
    keys = rows["key"][order]
    full = np.flatnonzero(rank == 2)
    by_digest = dict(zip(rows["digest"][full].tolist(), full.tolist(), strict=True))
    for place in revisits.tolist():
        row = order[place]
        wanted = rows["target"][row]
        found = int(keys.searchsorted(wanted))
        if found < len(keys) and keys[found] == wanted and rank[order[found]] > 0:
            original = int(order[found])
        else:
            original = by_digest.get(int(rows["digest"][row]), -1) if rows["digest"][row] else -1
        if original < 0:
            keep[place] = False
        else:
            rows["offset"][row] = rows["offset"][original]
            files[row] = files[original]
    return keep


def _load(index: Path) -> Rows | None:
    """None where there is no index, or none that can be used: then the file is scanned again."""
    try:
        rows = np.load(index, allow_pickle=False)
    except (OSError, ValueError, EOFError, MemoryError):  # a header may promise more than there is
        return None
    return rows if isinstance(rows, np.ndarray) and rows.dtype == ROW and rows.ndim == 1 and len(rows) else None


def _save(index: Path, rows: Rows, older: str) -> None:
    """Keeps an index, whole or not at all. A cache that cannot be written costs time, not the crawl."""
    with suppress(OSError):
        index.parent.mkdir(parents=True, exist_ok=True)
        outdated = [path for path in index.parent.glob(older) if path != index]
        descriptor, temporary = tempfile.mkstemp(dir=index.parent, suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as file:
                np.save(file, rows, allow_pickle=False)
            os.replace(temporary, index)
        except BaseException:
            os.unlink(temporary)
            raise
        for path in outdated:
            path.unlink(missing_ok=True)

"""The WARC files of a library: appended to in step with the database, begun anew at a size, mended after a crash.

A file is only ever as long as the database says. Bytes go to the operating system (`flush`) before the transaction
that names them; what a transaction does not name is cut off, at once when it fails, at the next opening after a crash.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from scenthound.library.archive import warc
from scenthound.library.archive.object_store import store_of

MOST_HELD = 1_000_000  # bytes that wait to be written together: every write gives up Python's global lock

_OURS = re.compile(r"scenthound-\d{14}-(\d{5,})\.warc\.gz\Z")


class RecordPlace(Struct, frozen=True):
    """Where a record stands."""

    warc: int
    offset: int
    length: int


class WarcFile(Struct, frozen=True):
    """A file and how much of it counts."""

    id: int
    name: str
    bytes: int


def files_in(folder: Path) -> dict[int, Path]:
    """The WARC files that crawls wrote into a folder, by their numbers."""
    found = {int(match[1]): path for path in folder.glob("scenthound-*") if (match := _OURS.match(path.name))}
    return dict(sorted(found.items()))


class WarcArchive:
    """Appends records. `flush` writes them, `commit` says that they count, `rollback` that they do not."""

    def __init__(self, folder: Path, limit: int, info: Mapping[str, str], last: WarcFile | None) -> None:
        self.folder = folder
        self.limit = limit
        self.info = dict(info)
        self._fd = -1
        self._file = WarcFile(last.id if last else 0, "", 0)
        self._size = 0  # what is held included
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._committed = self._file
        self._begun: list[WarcFile] = []  # files finished since the last commit
        self._remove_unknown(last.id if last else 0)
        if last is not None:
            self._go_on_with(last)

    def _remove_unknown(self, last: int) -> None:
        """Files begun by a process that died before any transaction named them."""
        for number, path in files_in(self.folder).items():
            if number > last:
                path.unlink()

    def _go_on_with(self, last: WarcFile) -> None:
        path = self.folder / last.name
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return
        if size < last.bytes:
            return  # somebody shortened it; what is there is left as it is
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        if size > last.bytes:
            os.ftruncate(self._fd, last.bytes)
        self._file, self._size, self._committed = last, last.bytes, last

    def append(self, record: bytes, companion: bytes, at: float) -> RecordPlace:
        """Takes a record and the one that belongs to it; the place is the first one's."""
        if self._fd < 0 or self._size >= self.limit:
            self._begin(at)
        place = RecordPlace(self._file.id, self._size, len(record))
        self._hold(record, companion)
        return place

    def _hold(self, *records: bytes) -> None:
        size = sum(map(len, records))
        self._held += records
        self._held_bytes += size
        self._size += size
        if self._held_bytes > MOST_HELD:
            self.flush()

    def flush(self) -> None:
        """To the operating system, from where a crash of this process does not take it back."""
        left = memoryview(b"".join(self._held))
        self._held.clear()
        self._held_bytes = 0
        while left:
            left = left[os.write(self._fd, left) :]

    def _begin(self, at: float) -> None:
        if self._fd >= 0:
            self.flush()
            self._begun.append(self._state())
            os.fsync(self._fd)
            os.close(self._fd)
            self._fd = -1
        self.folder.mkdir(exist_ok=True)
        number = self._file.id + 1
        stamp = datetime.fromtimestamp(max(0.0, at), UTC).strftime("%Y%m%d%H%M%S")
        name = f"scenthound-{stamp}-{number:05d}.warc.gz"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._fd = os.open(self.folder / name, flags, 0o666)
        self._file, self._size = WarcFile(number, name, 0), 0
        self._hold(warc.info_record(name, self.info, at))

    def _state(self) -> WarcFile:
        return WarcFile(self._file.id, self._file.name, self._size)

    def changed(self) -> list[WarcFile]:
        """Files that grew since the last commit."""
        return [*self._begun, *([self._state()] if self._fd >= 0 and self._state() != self._committed else [])]

    def commit(self) -> None:
        self._begun.clear()
        if self._fd >= 0:
            self._committed = self._state()

    def rollback(self) -> None:
        """Back to the last commit. Files begun since are removed; no more is written after this."""
        self._held.clear()
        self.close()
        self._remove_unknown(self._committed.id)
        if self._committed.name:
            with contextlib.suppress(FileNotFoundError):
                os.truncate(self.folder / self._committed.name, self._committed.bytes)

    def sync(self) -> None:
        """Onto the disk, before the database is: a power cut must not leave rows without their bytes."""
        if self._fd >= 0:
            os.fsync(self._fd)

    def duplicate(self) -> int:
        """The file that is written to, for another thread to `fsync` and close; -1 where there is none."""
        return os.dup(self._fd) if self._fd >= 0 else -1

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def read_at(folder: Path, name: str, offset: int, length: int) -> bytes:
    """A record, from the folder, or from where the archive's finished files are kept."""
    try:
        with open(folder / name, "rb") as file:
            file.seek(offset)
            return file.read(length)
    except FileNotFoundError:
        if (store := store_of(folder)) is None:
            raise
        return store.read(name, offset, length)

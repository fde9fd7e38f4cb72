"""Index files of Common Crawl, and of other archives that keep CDXJ: which page lies where in which WARC file.

    org,example)/reefs 20240229120000 {"url": "https://example.org/reefs", "mime": "text/html", "status": "200",
      "filename": "crawl-data/.../CC-MAIN-....warc.gz", "offset": "5678", "length": "1234", "languages": "eng"}

    cdx-00123.gz, *.cdxj, *.cdxj.gz, *.cdx    one line a capture, packed or not

An index is of use in two ways. Captures whose bytes are on this machine become a recording: the WARC file itself lies
in the index's folder, in a folder above it under the path that the index gives, or only the piece was downloaded, as
`NAME-OFFSET-LENGTH`. Of the others the address is known, and words in it may be those of a topic.

Nothing that an index says leads out of these folders.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.errors import RecordingError

LONGEST_LINE = 65_536
LARGEST_RECORD = 50_000_000
LEVELS_ABOVE = 4
"""Folders above that of an index in which its WARC files are looked for."""

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "warc/revisit", "unk", ""})
_gzip_member = b"\x1f\x8b\x08"
_is_index = re.compile(r"cdx-\d+(?:\.gz)?|.*\.cdxj?(?:\.gz)?", re.IGNORECASE).fullmatch


class Capture(Struct, frozen=True):
    """A line of an index, as far as it matters here."""

    url: str
    filename: str = ""
    offset: int = 0
    length: int = 0
    mime: str = ""
    status: str = ""
    languages: str = ""  # as ISO 639-3, with commas in between


class _Fields(Struct):
    url: str = ""
    filename: str = ""
    offset: int | str = 0
    length: int | str = 0
    mime: str = ""
    status: int | str = ""
    languages: str = ""


def is_index(path: Path) -> bool:
    return path.is_file() and _is_index(path.name) is not None


def captures(path: Path) -> Iterator[Capture]:
    """The captures of pages that an index names. Other lines are passed over; a file without any is an error."""
    found = False
    try:
        with path.open("rb") as file:
            packed = file.read(3) == _gzip_member
        with gzip.open(path) if packed else path.open("rb") as lines:
            while line := lines.readline(LONGEST_LINE):
                if (capture := _capture(line)) is not None:
                    found = True
                    yield capture
    except (OSError, EOFError, zlib.error) as error:
        raise RecordingError(f"{path} cannot be read as an index: {error}.") from error
    if not found:
        raise RecordingError(f"{path} is no index in CDXJ: no line of it names the url of a page.")


def has_local(path: Path) -> bool:
    """Whether any capture of an index is on this machine."""
    return next(_local_records(path), None) is not None


def write_local(path: Path, stream: BinaryIO) -> None:
    """Copies what is on this machine of the captures of an index, record by record, into a WARC file."""
    written = sum(map(stream.write, _local_records(path)))
    if not written:
        raise RecordingError(
            f"None of the pages that {path} names is on this machine. Put its WARC files beside it, or under the paths "
            "that it gives; or take its addresses as links: scenthound import LIBRARY INDEX"
        )


def _local_records(path: Path) -> Iterator[bytes]:
    folder, places = path.absolute().parent, dict[str, Path | None]()
    for capture in captures(path):
        if capture.filename not in places:
            places[capture.filename] = _whole_file(folder, capture.filename)
        if (record := _record(folder, places[capture.filename], capture)) is not None:
            yield record


def _capture(line: bytes) -> Capture | None:
    start = line.find(b"{")
    if start < 0:
        return None
    try:
        fields = msgspec.json.decode(line[start:], type=_Fields)
        offset, length = int(fields.offset), int(fields.length)
    except (msgspec.MsgspecError, ValueError):
        return None
    status, mime = str(fields.status), fields.mime.lower()
    url = urls.canonical(fields.url)
    if not isinstance(url, str) or mime not in PAGE_TYPES or status not in ("200", "", "-"):
        return None
    return Capture(url, fields.filename, offset, length, mime, status, fields.languages)


def _whole_file(folder: Path, filename: str) -> Path | None:
    """The WARC file of a capture: by its name beside the index, or by its path in a folder above."""
    name = PurePosixPath(filename)
    if not filename or name.is_absolute() or ".." in name.parts:
        return None
    above = [folder, *list(folder.parents)[:LEVELS_ABOVE]]
    for root, place in [(folder, folder / name.name), *((root, root / name) for root in above)]:
        if place.is_file() and place.resolve().is_relative_to(root.resolve()):
            return place
    return None


def _record(folder: Path, whole: Path | None, capture: Capture) -> bytes | None:
    """The bytes of one record, packed as they are; None where they are not here, or not a record."""
    if capture.offset < 0 or not 0 < capture.length <= LARGEST_RECORD:
        return None
    place, start = whole, capture.offset
    if place is None:
        name = PurePosixPath(capture.filename).name
        place, start = folder / f"{name}-{capture.offset}-{capture.length}", 0
        if not name or not place.is_file() or not place.resolve().is_relative_to(folder.resolve()):
            return None
    try:
        with place.open("rb") as file:
            file.seek(start)
            record = file.read(capture.length)
    except OSError:
        return None
    return record if len(record) == capture.length and record.startswith(_gzip_member) else None

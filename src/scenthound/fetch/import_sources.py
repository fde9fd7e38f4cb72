"""Other people's collections as recordings: whatever holds pages becomes a WARC file, and is replayed like any other.

    .warc, .warc.gz    as it is
    .wacz              the WARC files in it
    a folder           its HTML files; of a mirror, whose folders are named after hosts, each under its address
    .jsonl, .jl        a page a line with `url` and `body` (or `html`), as a Scrapy spider writes items
    .cdxj, cdx-1.gz    an index of an archive: the records it names that are on this machine (see common_crawl.py)

What is made of a source is kept in the cache folder, under a name of ours: no name out of a source is ever a file's
name here. A source that has changed is read again.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import shutil
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import msgspec

from scenthound import urls
from scenthound.errors import RecordingError
from scenthound.fetch.common_crawl import is_index, write_local
from scenthound.library.warc_output import WarcOutput
from scenthound.model import Response

MOST_UNPACKED = 200
"""A WACZ file may hold this many times its own size: WARC files in it are packed already, so honest ones hold 1."""

LARGEST_PAGE = 50_000_000
HTML_ENDINGS = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp"})
_host_name = re.compile(r"(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+(?::\d+|\+\d+)?", re.IGNORECASE).fullmatch


def as_recordings(path: Path, cache: Path) -> list[Path]:
    """The WARC files that stand for a source."""
    if path.is_dir():
        return [_made(path, cache, _folder_state(path), lambda stream: _write(_pages_of_folder(path), stream))]
    if is_index(path):
        return [_made(path, cache, _index_state(path), lambda stream: write_local(path, stream))]
    ending = path.suffix.lower()
    if ending == ".wacz":
        return _unpacked(path, cache)
    if ending in (".jsonl", ".jl", ".ndjson"):
        return [_made(path, cache, _state(path), lambda stream: _write(_pages_of_lines(path), stream))]
    return [path]


def _state(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}. Check the path.") from error
    return f"{stat.st_size}-{stat.st_mtime_ns}"


def _index_state(path: Path) -> str:
    """Of an index and what lies beside it: pieces may come later."""
    beside = sorted(f"{each.name} {_state(each)}" for each in path.absolute().parent.iterdir() if each.is_file())
    return hashlib.sha256("\n".join([_state(path), *beside]).encode("utf-8", "surrogateescape")).hexdigest()


def _place(path: Path, cache: Path, state: str, number: int = 0) -> Path:
    name = hashlib.sha256(f"{path.absolute()}\n{state}".encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return cache / f"source-{name}-{number}.warc.gz"


def _made(path: Path, cache: Path, state: str, write: Any, number: int = 0) -> Path:
    place = _place(path, cache, state, number)
    if place.exists():
        return place
    try:
        cache.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}.part")
        try:
            with part.open("wb") as stream:
                write(stream)
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror or error}.") from error
    return place


def _unpacked(path: Path, cache: Path) -> list[Path]:
    """The archives of a WACZ file. Where they lie in it decides nothing but which are taken."""
    state = _state(path)
    try:
        with zipfile.ZipFile(path) as container:
            members = [
                info
                for info in container.infolist()
                if info.filename.startswith("archive/") and info.filename.lower().endswith((".warc", ".warc.gz"))
            ]
            if sum(info.file_size for info in members) > MOST_UNPACKED * max(path.stat().st_size, 100_000):
                raise RecordingError(
                    f"{path} says that it holds far more than a file of its size can: it is left alone."
                )
            found = [
                _made(path, cache, state, lambda stream, info=info: _copy(container, info, stream), number)
                for number, info in enumerate(members)
            ]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise RecordingError(
            f"{path} is no WACZ file, or is damaged: {error}. Get it anew; a WARC file is to end in .warc.gz."
        ) from error
    if not found:
        raise RecordingError(f"{path} holds no WARC file under archive/, where a WACZ file has them.")
    return found


def _copy(container: zipfile.ZipFile, info: zipfile.ZipInfo, stream: BinaryIO) -> None:
    with container.open(info) as member:
        shutil.copyfileobj(member, stream, 1 << 20)


def _write(pages: Iterator[Response], stream: BinaryIO) -> None:
    output = WarcOutput(stream, "import.warc.gz", 0.0)
    for page in pages:
        output.add(page)


def _folder_state(folder: Path) -> str:
    known = hashlib.sha256()
    for path in _html_files(folder):
        known.update(f"{path} {_state(path)}\n".encode("utf-8", "surrogateescape"))
    return known.hexdigest()


def _html_files(folder: Path) -> list[Path]:
    """HTML files of a folder and the folders in it, in order. Links that lead out of it are not followed."""
    inside = folder.resolve()
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in HTML_ENDINGS and path.is_file())
    found = [path for path in found if path.resolve().is_relative_to(inside)]
    if not found:
        raise RecordingError(f"There is no HTML file in {folder}. Name a folder with pages, or a WARC or WACZ file.")
    return found


def _pages_of_folder(folder: Path) -> Iterator[Response]:
    for path in _html_files(folder):
        with suppress(OSError):
            stat = path.stat()
            if 0 < stat.st_size <= LARGEST_PAGE and isinstance(url := urls.canonical(_address(folder, path)), str):
                yield Response(url, 200, (("Content-Type", "text/html"),), path.read_bytes(), stat.st_mtime)


def _address(folder: Path, path: Path) -> str:
    """Where the file was found: `www.example.org/a.html` in a mirror; else on a host that is named after the folder."""
    parts = path.relative_to(folder).parts
    if len(parts) == 1 and _host_name(folder.absolute().name):
        parts = (folder.absolute().name, *parts)
    if len(parts) < 2 or not _host_name(parts[0]):
        name = re.sub(r"[^a-z0-9-]+", "-", folder.absolute().name.lower()).strip("-") or "folder"
        parts = (f"{name}.invalid", *parts)
    host, *rest = parts
    address = "/".join(quote(part) for part in rest)
    return f"http://{host.replace('+', ':')}/{address.removesuffix('index.html')}"


def _pages_of_lines(path: Path) -> Iterator[Response]:
    found = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                item = msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise RecordingError(
                    f"{path}, line {number}, is not JSON: {error}. Take the line out (a spider that was ended leaves "
                    "half a line at the end), or write the items anew as JSON lines."
                ) from error
            page = _item(item, path) if isinstance(item, dict) else None
            if page is not None:
                found += 1
                yield page
    if not found:
        raise RecordingError(
            f"{path} has no line with a `url` and a `body`. Let the spider yield the body: response.text."
        )


def _item(item: dict[str, Any], path: Path) -> Response | None:
    url, body = item.get("url"), next((item[key] for key in ("body", "html", "content") if item.get(key)), None)
    packed = item.get("body_base64")
    if body is None and isinstance(packed, str):
        with suppress(binascii.Error, ValueError):
            body = base64.b64decode(packed, validate=True)
    address = urls.canonical(url) if isinstance(url, str) else None
    if not isinstance(address, str) or not isinstance(body, str | bytes):
        return None
    data = body.encode("utf-8", "replace") if isinstance(body, str) else body
    status, at = item.get("status", 200), item.get("timestamp")
    return Response(
        address,
        status if isinstance(status, int) and 100 <= status <= 599 else 200,
        _headers(item.get("headers"), text=isinstance(body, str)),
        data[:LARGEST_PAGE],
        float(at) if isinstance(at, int | float) and 0 < at < 4e9 else path.stat().st_mtime or time.time(),
    )


def _headers(given: Any, *, text: bool) -> tuple[tuple[str, str], ...]:
    found = []
    for name, value in given.items() if isinstance(given, dict) else ():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, str):
            found.append((name, first))
    types = [value for name, value in found if name.lower() == "content-type"]
    if text or not types:  # a text is UTF-8 by now, whatever it came as
        media_type = types[0].partition(";")[0] if types else "text/html"
        rest = [header for header in found if header[0].lower() != "content-type"]
        return (*rest, ("Content-Type", f"{media_type}; charset=utf-8" if text else media_type))
    return tuple(found)

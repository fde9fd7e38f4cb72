"""All pages of a large web, parsed once on all cores, and kept in this user's cache for the next experiment.

    keep_parsed(spec, "en", jobs=2)          # unless they are there
    pages = load_parsed(web, "en")           # URL -> page

Parsing takes longer than judging, and judges are tried again and again on the same webs. What is kept is filed under
the web's identity and a digest of all code that has a share in parsing; older files of the same web go.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import BinaryIO

import msgspec
from xxhash import xxh3_64, xxh3_64_hexdigest

from scenthound import version
from scenthound.fetch.recording import cache_folder
from scenthound.gc_tuning import rare_collection
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.results import software
from scenthound.lab.crawls.web_statistics import is_large
from scenthound.lab.webs import Web, WebSpec, open_web
from scenthound.lab.worker_pool import WorkerPool, leave_interrupts_to_the_parent, serve
from scenthound.model import Page

PARSING = ("parse/", "text/", "urls", "model.py", "bounded_cache.py", "lab/judges/parsed_pages.py")
"""What has a share in how a page is parsed."""

AT_ONCE = 64
SIZE = 8  # bytes before each packed part, that say how long it is

Pages = dict[str, Page]


def keep_parsed(
    spec: WebSpec, language: str, *, jobs: int = 1, tell: Callable[[int], None] = lambda pages: None
) -> None:
    """Parses a large web unless that was done. A cache that cannot be written costs time, not the experiment."""
    if not is_large(spec):
        return
    web = open_web(spec)
    try:
        path = _file(web, language)
        if path.exists():
            return
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with _whole(path) as file:
                _parse_all(spec, web, language, jobs, lambda packed: _add(file, packed, tell))
            for old in path.parent.glob(f"{_name(web, language)}-*.pages"):
                if old != path:
                    old.unlink(missing_ok=True)
    finally:
        web.close()


def load_parsed(web: Web, language: str) -> Pages:
    """By the URLs they were asked for; empty where nothing is kept, or nothing that can be used."""
    found: Pages = {}
    decoder = msgspec.msgpack.Decoder(Pages)
    try:
        with _file(web, language).open("rb") as file, rare_collection():
            while head := file.read(SIZE):
                found |= decoder.decode(zlib.decompress(file.read(int.from_bytes(head, "little"))))
    except (OSError, zlib.error, msgspec.DecodeError):
        return {}
    return found


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its place when it is complete, and is gone without a trace if it never is."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _add(file: BinaryIO, packed: bytes, tell: Callable[[int], None]) -> None:
    file.write(len(packed).to_bytes(SIZE, "little") + packed)
    tell(AT_ONCE)


def _parse_all(spec: WebSpec, web: Web, language: str, jobs: int, add: Callable[[bytes], None]) -> None:
    starts = range(0, sum(1 for _ in web.urls()), AT_ONCE)
    if jobs <= 1:
        parser = _PartParser(web, language)
        for start in starts:
            add(parser.packed(start))
        return
    pool = WorkerPool(jobs, _worker_main, (msgspec.json.encode(spec), language))
    try:
        pool.work((msgspec.json.encode(start) for start in starts), add)
    finally:
        pool.dismiss()


class _PartParser:
    """Parses pages by their places among the web's URLs."""

    def __init__(self, web: Web, language: str) -> None:
        self._urls = list(web.urls())
        self._crawler = LabCrawler(web, remembered=0)
        self._language = language

    def packed(self, start: int) -> bytes:
        """The pages from there on, as they are kept."""
        found = {
            url: page
            for url in self._urls[start : start + AT_ONCE]
            if (page := self._crawler.page(url, self._language)) is not None
        }
        return zlib.compress(msgspec.msgpack.encode(found), level=1)


def _worker_main(pipe: Connection, spec: bytes, language: str) -> None:
    leave_interrupts_to_the_parent()
    web = open_web(msgspec.json.decode(spec, type=WebSpec))
    parser = _PartParser(web, language)
    try:
        serve(pipe, lambda order: [parser.packed(msgspec.json.decode(order, type=int))])
    finally:
        web.close()


def _file(web: Web, language: str) -> Path:
    return cache_folder().parent / "pages" / f"{_name(web, language)}-{_parsing()}.pages"


def _name(web: Web, language: str) -> str:
    return xxh3_64_hexdigest(f"{web.identity} {language}".encode())


@cache
def _parsing() -> str:
    """A digest of all that has a share in how a page is parsed."""
    root = Path(version.__file__).parent
    digest = xxh3_64(msgspec.json.encode(software()))
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(PARSING) and path.is_file() and path.suffix != ".pyc":
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()

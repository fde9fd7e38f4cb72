"""Webs that do not hold still: every version that pages had over the years, and when.

A folder holds a file a page, `faq__index.html.jsonl.xz` (or `.jsonl.gz`, `.jsonl`) for `/faq/index.html`; a line a
version: `{"at": unix time, "body": "<html>..."}`, with `null` for a body where the page was taken away.

`page_lives` reads each version as a crawler would see it: whether it says anything new, how many links it has and where
they lead, how much it is about a topic. A policy learns of a version no earlier than at a look at it.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple, cast

import msgspec
from msgspec import Struct

from scenthound.errors import RecordingError, UsageError
from scenthound.model import Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.revisit.detect.changes import PageChange, PageFingerprints, detect, fingerprints

ENDINGS = (".jsonl.xz", ".jsonl.gz", ".jsonl")
_HTML = (("Content-Type", "text/html"),)


class PageVersion(Struct, frozen=True):
    at: float
    body: str | None  # None: taken away


class VersionHistory(NamedTuple):
    """A page with all its versions, oldest first."""

    url: str
    versions: list[PageVersion]


class SeenVersion(Struct, frozen=True):
    """A version as a look at it shows it."""

    at: float
    gone: bool = False
    new: bool = True  # against the version before: noise is nothing new
    forward: int = 0
    targets: frozenset[str] = frozenset()  # pages of the collection it links to
    relevance: float = 1.0


class PageLife(NamedTuple):
    """A page from its first version on."""

    url: str
    versions: list[SeenVersion]

    @property
    def born(self) -> float:
        return self.versions[0].at

    @property
    def removed(self) -> float | None:
        return self.versions[-1].at if self.versions[-1].gone else None


class VersionPair(NamedTuple):
    """Two versions that follow each other, and what the tests say."""

    url: str
    old: PageFingerprints
    new: PageFingerprints
    change: PageChange  # all tests made


def history_files(folder: Path) -> list[Path]:
    """The files of the pages, by name; refuses a folder without any."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}: name one that holds a file of versions a page (*.jsonl.xz).")
    found = sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    if not found:
        raise UsageError(f"There are no histories in {folder}: a page's versions are a file ending in {ENDINGS[0]}.")
    return found


def read_history(path: Path, site: str) -> VersionHistory:
    """One page. Its address is `site` and the file's name, `__` standing for `/`."""
    name = next(path.name.removesuffix(ending) for ending in ENDINGS if path.name.endswith(ending))
    versions: list[PageVersion] = []
    try:
        with _opened(path) as lines:
            versions.extend(_DECODER.decode(line) for line in lines if line.strip())
    except (OSError, EOFError, lzma.LZMAError, msgspec.MsgspecError) as error:
        raise RecordingError(f"{path}, line {len(versions) + 1}, is no version of a page: {error}") from error
    if not versions or versions[0].body is None:
        raise RecordingError(f"{path} does not begin with a version that has a body.")
    versions.sort(key=lambda version: version.at)
    return VersionHistory(site.rstrip("/") + "/" + name.replace("__", "/"), versions)


_DECODER = msgspec.json.Decoder(PageVersion)


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".xz":
        return lzma.open(path)
    return cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def page_lives(
    files: Sequence[Path],
    site: str,
    relevance: Callable[[Page], float] = lambda page: 1.0,
    pair: Callable[[VersionPair], None] | None = None,
) -> Iterator[PageLife]:
    """Reads all versions of each page; `pair` is told of every two that follow each other."""
    names = [next(path.name.removesuffix(end) for end in ENDINGS if path.name.endswith(end)) for path in files]
    collection = frozenset(site.rstrip("/") + "/" + name.replace("__", "/") for name in names)
    for path in files:
        yield _life(read_history(path, site), collection, relevance, pair)


def _life(
    history: VersionHistory,
    collection: frozenset[str],
    relevance: Callable[[Page], float],
    pair: Callable[[VersionPair], None] | None,
) -> PageLife:
    life = PageLife(history.url, [])
    before: PageFingerprints | None = None
    for version in history.versions:
        if version.body is None:
            life.versions.append(SeenVersion(version.at, gone=True))
            before = None
            continue
        body = version.body.encode("utf-8", "surrogatepass")
        page = parse_safely(Response(history.url, 200, _HTML, body), "en")
        prints = fingerprints(page, body)
        change = detect(before, prints, thorough=True) if before is not None else None
        if before is not None and change is not None and pair is not None:
            pair(VersionPair(history.url, before, prints, change))
        life.versions.append(
            SeenVersion(
                version.at,
                new=change is None or bool(change),
                forward=len(page.links),
                targets=frozenset(link.url for link in page.links if link.url in collection) - {history.url},
                relevance=relevance(page),
            )
        )
        before = prints
    return life

"""Scores a finished crawl, ours or another crawler's: the evaluator application of Batsakis (Fig. 6).

A crawl comes as a library folder, as WARC files (with or without a list of URLs that gives the order), or as a folder
of HTML files. What it is measured against comes from outside: example pages known to be relevant, and, if there is one,
a list of pages that were to be found. The idf is that of the language at large, so that no crawl has a say in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from scenthound import urls
from scenthound.crawler.examples import FOLDER, HTML_SUFFIXES, entries, place_of
from scenthound.errors import ConfigError, LibraryMissing, UsageError
from scenthound.fetch.fetcher_for import recording
from scenthound.lab.measures.classifier import train
from scenthound.lab.measures.registry import Measured, evaluate
from scenthound.lab.measures.trace import Evidence, Request, Trace
from scenthound.lab.measures.vectors import Similarities, Terms, TermSpace
from scenthound.lab.webs import RECORDINGS
from scenthound.library import is_library, open_library
from scenthound.library.stored_pages import text_copy
from scenthound.model import Link, Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.report.formatting import plural
from scenthound.text import idf

Look = Callable[[str], Terms | None]
"""The terms of the page with this URL; None where the crawl has no such page."""


class FinishedCrawl(Struct):
    """A crawl as it came: its requests in order, the terms of each page, and a way to look up other pages."""

    name: str
    requests: list[Request]
    terms: list[Terms]  # of the requests that brought a page
    notes: list[str] = field(default_factory=list)


class CrawlScores(Struct):
    """What is said of it."""

    crawl: FinishedCrawl
    measured: dict[str, Measured]
    examples: int
    targets: int


def score(
    crawl: FinishedCrawl,
    examples: Sequence[Terms],
    counterexamples: Sequence[Terms] = (),
    targets: Iterable[str] = (),
    example_urls: Iterable[str] = (),
    language: str = "en",
) -> CrawlScores:
    """Every measure the evidence allows. Examples are taken out of the targets: they were given, not found."""
    if not crawl.terms:
        raise UsageError(f"There is no page in {crawl.name}, so there is nothing to score.")
    wanted = frozenset(targets).difference(example_urls)
    space = TermSpace(idf.background(language))
    vectors = space.vectors(crawl.terms)
    pages = [request.url for request in crawl.requests if request.ok]
    found = [vector for url, vector in zip(pages, vectors, strict=True) if url in wanted]
    evidence = Evidence(
        targets=wanted or None,
        to_examples=Similarities(space.vectors(examples))(vectors) if examples else None,
        # Only targets that were found have a text to compare with, so precision by likeness needs all of them.
        to_targets=Similarities(found)(vectors) if wanted and len(found) == len(wanted) else None,
        verdicts=train(examples, counterexamples)(crawl.terms) if examples and counterexamples else None,
    )
    trace = Trace(tuple(crawl.requests))
    return CrawlScores(crawl, evaluate(trace, evidence), len(examples), len(wanted))


# What a crawl comes as


def finished_crawl(
    folder: Path | None, warcs: Sequence[Path], order: Path | None, language: str = "en"
) -> FinishedCrawl:
    """The crawl in a folder or in WARC files, whichever was given."""
    if order is not None and not warcs:
        raise UsageError("--urls gives the order of pages that are in WARC files: name those with --warc.")
    if warcs:
        return from_warcs(warcs, order, language)
    if folder is None:
        raise UsageError("Say what to score: a library folder, a folder of HTML files, or --warc FILE.")
    if is_library(folder):
        return from_library(folder)
    if not folder.is_dir():
        raise LibraryMissing(f"There is no folder {folder}.")
    pages = sorted(path for path in folder.rglob("*") if path.suffix.lower() in HTML_SUFFIXES)
    if pages:
        return from_files(folder, pages, language)
    recordings = sorted(path for path in folder.rglob("*.warc*") if path.name.endswith(RECORDINGS))
    if recordings:
        return from_warcs(recordings, None, language)
    raise LibraryMissing(f"There is no library in {folder}, and neither HTML nor WARC files.")


def from_library(folder: Path) -> FinishedCrawl:
    """Pages in the order of their first visit, by the text that was stored."""
    crawl = FinishedCrawl(str(folder), [], [])
    untold = 0
    with open_library(folder, write=False) as library:
        for page in library.pages():
            copy = text_copy(library, page)
            untold += not copy.has_text
            crawl.requests.append(
                Request(page.url, True, page.wire or page.bytes, relevance=page.relevance, depth=page.depth)
            )
            crawl.terms.append(copy.page.terms)
        lost = sum(library.counts().failed.values()) + library.counts().moved
        # When a request was made in vain is not kept; they are counted at the end.
        crawl.requests.extend(Request("", ok=False) for _ in range(lost))
    if untold:
        crawl.notes.append(f"{plural(untold, 'page')} asked not to be indexed; only the title is known.")
    return crawl


def from_warcs(warcs: Sequence[Path], order: Path | None, language: str) -> FinishedCrawl:
    """Pages in the order of the list, or else of the files. A URL of the list that was not recorded was in vain."""
    fetcher = recording(warcs)
    try:
        crawl = FinishedCrawl(", ".join(path.name for path in warcs), [], [], list(fetcher.damaged))
        for url in listed_urls(order) if order is not None else fetcher.urls():
            answer = fetcher.answer(Link(url=url))
            ok = isinstance(answer, Response) and answer.status < 300
            size = (answer.wire or len(answer.body)) if isinstance(answer, Response) else 0
            crawl.requests.append(Request(url, ok, size))
            if isinstance(answer, Response) and ok:
                crawl.terms.append(parse_safely(answer, language).terms)
    finally:
        fetcher.close_files()
    return crawl


def from_files(folder: Path, pages: Sequence[Path], language: str) -> FinishedCrawl:
    """HTML files in the order of their names. A page's URL is its canonical link if it has one, else the file's."""
    crawl = FinishedCrawl(str(folder), [], [])
    for path in pages:
        page = _parsed(path, language)
        crawl.requests.append(Request(page.canonical or page.url, True, path.stat().st_size))
        crawl.terms.append(page.terms)
    crawl.notes.append("HTML files say nothing of the order they were fetched in: curves follow their names.")
    return crawl


def _parsed(path: Path, language: str) -> Page:
    headers = (("Content-Type", "text/html"),)
    return parse_safely(
        Response(url=path.resolve().as_uri(), status=200, headers=headers, body=path.read_bytes()), language
    )


# What it is measured against


def listed_urls(path: Path) -> Iterator[str]:
    """Canonical URLs of a file, one a line; what follows a space is passed over, as in a log."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The list {path} cannot be read: {error}.") from error
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            url = urls.canonical(line.split()[0])
            if isinstance(url, urls.Malformed):
                raise ConfigError(f"{path}: {line.split()[0]!r} is no usable URL: {url.reason}.")
            yield url


def example_pages(
    given: Path, crawl: FinishedCrawl, folder: Path | None, language: str
) -> tuple[list[Terms], list[str]]:
    """Terms and URLs of the examples: HTML files, or URLs of pages that the crawl or its folder holds."""
    look = _terms_by_url(crawl, folder, language)
    found: list[Terms] = []
    named: list[str] = []
    for entry in _entries(given):
        if isinstance(entry, Path):
            found.append(_parsed(entry, language).terms)
            named.append(entry.resolve().as_uri())
            continue
        url = urls.canonical(entry)
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"{given}: {entry!r} is no usable URL: {url.reason}.")
        terms = look(url)
        if terms is None:
            raise ConfigError(
                f"The example {url} is not among the pages of this crawl. "
                "Save it as an HTML file and put the file's name in the list instead."
            )
        found.append(terms)
        named.append(url)
    return found, named


def _entries(given: Path) -> Iterator[str | Path]:
    if given.is_dir():
        yield from sorted(path for path in given.rglob("*") if path.suffix.lower() in HTML_SUFFIXES)
    else:
        yield from entries([str(given)], given.parent)


def _terms_by_url(crawl: FinishedCrawl, folder: Path | None, language: str) -> Look:
    """Looks among the crawl's pages, then among the examples a library keeps."""
    visited = [request.url for request in crawl.requests if request.ok]
    known = dict(zip(visited, crawl.terms, strict=True))

    def look(url: str) -> Terms | None:
        if url in known:
            return known[url]
        kept = place_of(folder / FOLDER, url) if folder else None
        return _parsed(kept, language).terms if kept is not None and kept.is_file() else None

    return look

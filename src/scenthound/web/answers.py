"""What the dashboard asks of a library, as plain values: the same for pages and for the API."""

from __future__ import annotations

from collections.abc import MutableMapping
from heapq import nlargest
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.app import versions
from scenthound.app.crawl_view import WaitingLine
from scenthound.app.explanation import Explanation, explain, present_settings
from scenthound.app.highlight import MarkedPiece, marked
from scenthound.app.library_status import CURVE_CELLS, RunLine, run_line
from scenthound.app.page_groups import GroupPage, PageGroups
from scenthound.app.search_fields import FieldedSearch
from scenthound.app.show import find_page
from scenthound.app.user_input import canonical
from scenthound.config import named
from scenthound.errors import LibraryError
from scenthound.judges.threshold import threshold_of
from scenthound.protocols.crawl import Judge
from scenthound.protocols.library import Library
from scenthound.protocols.records import PageFacets, PageFilters, PageOrder, PageTotals, StoredPage
from scenthound.protocols.records import SearchResult as FoundPages
from scenthound.text.as_written import as_written

PAGES_A_CELL = 10  # of a harvest curve, at least: fewer make it jump
MOST_DIFF = 400  # pieces of a diff that are shown
CONTEXT = 200  # characters of what stayed, around what changed


class ShownPage(Struct, frozen=True):
    """A page in a list."""

    url: str
    host: str
    title: str
    relevance: float
    counts: bool
    language: str
    fetched_at: float
    duplicate_of: str = ""
    state: str = "fetched"
    label: bool | None = None
    published: str = ""  # the day, month or year
    published_by: str = ""  # by what it is known: json-ld, meta, time, address, last-modified


class PageListing(Struct, frozen=True):
    pages: list[ShownPage]
    next: str = ""  # where the list goes on; empty: it ends here


class LibraryCard(Struct, frozen=True):
    """What can be told of a library of any size at once."""

    name: str
    topic: str
    strategy: str
    judge: str
    threshold: float
    keywords: list[str]
    totals: PageTotals
    runs: list[RunLine]
    labels: int


class LibraryDetails(Struct, frozen=True):
    """What takes a while in a large library."""

    pages: int
    threshold: float  # from which a page counts
    harvest: list[float]
    waiting: int
    duplicates: int
    moved: int
    failures: dict[str, int]
    refusals: dict[str, int]
    facets: PageFacets


class VersionLine(Struct, frozen=True):
    at: float
    status: int
    title: str
    digest: str
    kept: bool


class PageCard(Struct, frozen=True):
    """A page as it is read."""

    page: ShownPage
    description: str
    depth: int
    first_at: float
    bytes: int
    media_type: str
    status: int
    noindex: bool
    first_relevance: float
    text: str | None
    versions: list[VersionLine]


class PageReasons(Struct, frozen=True):
    """Why a URL was fetched, kept, dropped or never asked for; of a page the text, with the words that decided."""

    explanation: Explanation
    text: list[MarkedPiece] = []
    spelt: dict[str, str] = {}  # terms of the judgement, which are stems -> as the page writes them


class DiffPiece(Struct, frozen=True):
    op: str  # same, added, removed
    text: str


class PageDiff(Struct, frozen=True):
    url: str
    before: float  # unix times of the two versions
    after: float
    pieces: list[DiffPiece]


class GroupLine(Struct, frozen=True):
    """A group of pages of like content."""

    name: str
    pages: int
    hosts: dict[str, int]
    best: list[GroupPage]


class GroupList(Struct, frozen=True):
    groups: list[GroupLine]
    grouped: int  # pages that were looked at: the best ones
    whole: int  # pages that count as relevant


class LinkLine(Struct, frozen=True):
    """A link of a page, and what became of it."""

    url: str
    anchor: str
    state: str  # as in model.State; unknown: it was never taken in
    relevance: float | None = None
    counts: bool = False


def library_card(library: Library, name: str) -> LibraryCard:
    config = present_settings(library)
    return LibraryCard(
        name=name,
        topic=config.topic.name,
        strategy=named(config.crawl.strategy, "strategy")[0],
        judge=named(config.crawl.judge, "judge")[0],
        threshold=threshold_of(config),
        keywords=[keyword.term for keyword in config.make_topic().keywords],
        totals=library.page_totals(),
        runs=[run_line(run) for run in library.runs()],
        labels=len(library.labels()) + len(library.labels("site")),
    )


def library_details(library: Library) -> LibraryDetails:
    counts = library.counts()
    return LibraryDetails(
        pages=counts.fetched,
        threshold=threshold_of(present_settings(library)),
        harvest=library.harvest_curve(min(CURVE_CELLS, max(10, counts.fetched // PAGES_A_CELL))),
        waiting=counts.waiting,
        duplicates=counts.duplicates,
        moved=counts.moved,
        failures=dict(counts.failed),
        refusals=dict(counts.refused),
        facets=library.page_facets(),
    )


def page_listing(library: Library, filters: PageFilters, order: PageOrder, after: str, limit: int) -> PageListing:
    part = library.page_list(filters, order, after, limit)
    labels = library.labels()
    return PageListing(
        [_line(page, labels[page.url].relevant if page.url in labels else None) for page in part.pages], part.next
    )


def _line(page: StoredPage, label: bool | None = None) -> ShownPage:
    published, _, by = page.published.partition(" ")
    return ShownPage(
        url=page.url,
        host=page.host,
        title=page.title,
        relevance=page.relevance,
        counts=page.counts,
        language=page.language,
        fetched_at=page.fetched_at,
        duplicate_of=page.duplicate_of,
        state=page.state,
        label=label,
        published=published,
        published_by=by,
    )


def found_pages(library: Library, asked: FieldedSearch, limit: int, offset: int) -> FoundPages:
    library.update_search()
    return library.search(asked.words, asked.filters, limit, offset)


def page_card(library: Library, url: str) -> PageCard:
    page = find_page(library, canonical(url))
    label = library.labels().get(page.url)
    return PageCard(
        page=_line(page, label.relevant if label is not None else None),
        description=page.description,
        depth=page.depth,
        first_at=page.first_at,
        bytes=page.bytes,
        media_type=page.media_type,
        status=page.status,
        noindex=page.noindex,
        first_relevance=page.first_relevance,
        text=library.text(page.url),
        versions=[
            VersionLine(each.at, each.status, each.title, each.digest, bool(each.content))
            for each in reversed(library.versions(page.url))
        ],
    )


def page_reasons(library: Library, url: str, judges: MutableMapping[str, Judge] | None = None) -> PageReasons:
    found = explain(library, canonical(url), judges=judges)
    page, judgement = library.page(found.url), found.judgement
    if page is None or judgement is None:
        return PageReasons(found)
    shares = {term.term: term.share for term in judgement.terms}
    text = library.text(page.url) or ""
    spelt = as_written(shares, f"{page.title}\n{text}", page.language)
    return PageReasons(found, marked(text, shares, page.language), dict(spelt))


def page_diff(library: Library, url: str) -> PageDiff:
    page = find_page(library, canonical(url))
    pair = versions.compared(library, page, None)
    pieces = [DiffPiece(piece.op, _shortened(piece.op, piece.text)) for piece in versions.pieces(library, page, pair)]
    return PageDiff(page.url, pair[0].at, pair[1].at, pieces[:MOST_DIFF])


def _shortened(op: str, text: str) -> str:
    if op != "same" or len(text) <= 2 * CONTEXT:
        return text
    return f"{text[:CONTEXT]} … {text[-CONTEXT:]}"


def page_links(library: Library, url: str, limit: int = 200) -> list[LinkLine]:
    """Where a page leads, what is known of it first."""
    found: dict[str, LinkLine] = {}
    for link in library.outlinks(canonical(url)):
        if link.url in found or len(found) >= limit:
            continue
        row, page = library.url_row(link.url), library.page(link.url)
        found[link.url] = LinkLine(
            url=link.url,
            anchor=link.anchor or link.title,
            state=row.state if row is not None else "unknown",
            relevance=page.relevance if page is not None else None,
            counts=page.counts if page is not None else False,
        )
    return sorted(found.values(), key=lambda line: -(line.relevance if line.relevance is not None else -1.0))


def group_list(found: PageGroups) -> GroupList:
    lines = [GroupLine(group.name, group.pages, group.hosts, group.best) for group in found.groups]
    return GroupList(lines, found.grouped, found.whole)


def stored_frontier(library: Library, limit: int = 12) -> list[WaitingLine]:
    """The best links that wait, where no crawl is running that would know."""
    best = nlargest(limit, library.queues(), key=lambda queue: queue.best)
    waiting = [each for queue in best for each in library.waiting(queue.host, limit)]
    return [
        WaitingLine(each.link.url, each.host, each.priority, each.link.anchor or each.link.title, each.link.source)
        for each in nlargest(limit, waiting, key=lambda each: (each.priority, -each.order))
    ]


def stored_answer(library: Library, url: str) -> tuple[StoredPage, bytes]:
    """A page as it was received."""
    page = find_page(library, canonical(url))
    answer = library.body(page.url)
    if answer is None:
        raise LibraryError(f"What {page.url} sent was not kept.")
    return page, answer.body


def plain(value: Any) -> str:
    """For templates that want JSON in an attribute."""
    return msgspec.json.encode(value).decode()

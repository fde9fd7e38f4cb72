"""Lists of pages for the library in memory: sorted and cut, as often as somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from scenthound.library.page_keys import place_of, read_place
from scenthound.protocols.records import (
    UNDATED,
    HostRow,
    PageFacets,
    PageFilters,
    PageOrder,
    PageSlice,
    PageTotals,
    StoredPage,
)

_KEYS: dict[PageOrder, Callable[[float, int], Any]] = {
    "best": lambda relevance, seq: (-relevance, seq),
    "newest": lambda relevance, seq: -seq,
    "oldest": lambda relevance, seq: seq,
}


def cut(pages: Iterable[StoredPage], order: PageOrder, after: str, limit: int) -> PageSlice:
    key = _KEYS[order]
    found = sorted(pages, key=lambda page: key(page.relevance, page.seq))
    if after:
        place = key(*read_place(after, order))
        found = [page for page in found if key(page.relevance, page.seq) > place]
    shown = found[:limit]
    return PageSlice(shown, place_of(shown[-1], order) if len(found) > limit and shown else "")


def passes(page: StoredPage, filters: PageFilters) -> bool:
    return (
        (not filters.host or page.host == filters.host)
        and (not filters.language or page.language == filters.language)
        and (filters.counts is None or page.counts is filters.counts)
        and page.relevance >= filters.at_least
        and (filters.below <= 0 or page.relevance < filters.below)
        and (not filters.published or (page.published[:4] or UNDATED) == filters.published)
        and page.first_at >= filters.since
        and (filters.until <= 0 or page.first_at < filters.until)
        and (filters.among is None or page.url in filters.among)
        and page.url not in filters.outside
    )


def totals_of(hosts: Iterable[HostRow]) -> PageTotals:
    rows = list(hosts)
    return PageTotals(
        pages=sum(row.pages for row in rows),
        relevant=sum(row.relevant for row in rows),
        bytes=sum(row.bytes for row in rows),
        hosts=sum(row.pages > 0 for row in rows),
        failed=sum(row.failed for row in rows),
        last_asked=max((row.last_asked for row in rows), default=0.0),
    )


def facets_of(pages: Iterable[StoredPage]) -> PageFacets:
    languages: Counter[str] = Counter()
    fetched: Counter[int] = Counter()
    published: Counter[str] = Counter()
    tenths = [0] * 10
    for page in pages:
        languages[page.language] += 1
        fetched[datetime.fromtimestamp(page.first_at, UTC).year] += 1
        published[page.published[:4]] += 1
        tenths[max(0, min(9, int(page.relevance * 10)))] += 1
    by_number = sorted(languages.items(), key=lambda item: (-item[1], item[0]))
    return PageFacets(
        dict(by_number),
        tuple(tenths),
        dict(sorted(fetched.items(), reverse=True)),
        {year or UNDATED: pages for year, pages in sorted(published.items(), reverse=True)},
    )

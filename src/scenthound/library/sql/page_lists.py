"""Lists of pages a stretch at a time, each from an index: a million pages take no longer than a thousand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from scenthound import urls
from scenthound.library.page_keys import place_of, read_place
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sql.stored_pages import PAGE, PAGE_BY_PAGE, stored_page
from scenthound.protocols.records import UNDATED, PageFacets, PageFilters, PageOrder, PageSlice, PageTotals

FEW = 5_000
"""Pages of a host up to which they are gathered and sorted; of a larger one there are enough among the next."""

_ORDERS: dict[PageOrder, str] = {
    "best": "p.relevance DESC, p.seq",
    "newest": "p.seq DESC",
    "oldest": "p.seq",
}


_SUM = "CAST(coalesce(sum({}), 0) AS BIGINT)"


class SqlPageLists(SqlQueries):
    """`protocols.PageLists`."""

    def page_list(
        self, filters: PageFilters | None = None, order: PageOrder = "best", after: str = "", limit: int = 50
    ) -> PageSlice:
        chosen = filters or PageFilters()
        tests, values = _conditions(chosen, self._listed())
        if after:
            test, place = _behind(after, order)
            tests, values = [*tests, test], [*values, *place]
        query = f"{self._rows(chosen, order)} WHERE {' AND '.join(tests)} ORDER BY {_ORDERS[order]} LIMIT ?"
        rows = self._ask(query, (*values, limit + 1)).fetchall()
        pages = [stored_page(row) for row in rows[:limit]]
        return PageSlice(pages, place_of(pages[-1], order) if len(rows) > limit and pages else "")

    def _rows(self, filters: PageFilters, order: PageOrder) -> str:
        """Which way to go through the pages: those of a small host, or all of them in the order of the list."""
        if filters.among is not None:
            return PAGE
        if filters.host:
            row = self._ask("SELECT pages FROM hosts WHERE host = ?", (filters.host,)).fetchone()
            if row is None or row[0] <= FEW:
                return PAGE
        if order != "best":
            return PAGE_BY_PAGE.format(self._pages_first("none"))
        if filters.published:
            return PAGE_BY_PAGE.format(self._pages_first("pages_published"))
        return PAGE_BY_PAGE.format(self._pages_first("pages_language" if filters.language else "pages_best"))

    def page_totals(self) -> PageTotals:
        query = (
            f"SELECT {_SUM.format('pages')}, {_SUM.format('relevant')}, {_SUM.format('bytes')}, "
            f"count(CASE WHEN pages > 0 THEN 1 END), {_SUM.format('failed')}, "
            "CAST(coalesce(max(last_asked), 0.0) AS DOUBLE PRECISION) FROM hosts"
        )
        return PageTotals(*self._ask(query).fetchone())

    def page_facets(self) -> PageFacets:
        languages = self._ask("SELECT language, count(*) FROM pages GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
        tenths = [0] * 10
        for band, pages in self._ask(f"SELECT {self._truncated('relevance * 10')}, count(*) FROM pages GROUP BY 1"):
            tenths[max(0, min(9, band))] += pages
        return PageFacets(dict(languages), tuple(tenths), self._years_fetched(), self._years_published())

    def _years_published(self) -> dict[str, int]:
        """A count a year, each from the index alone: to group by an expression SQLite reads every row."""
        year = "substr(published, 1, 4)"
        count = f"SELECT count(*) FROM pages {self._through('pages_published')} WHERE {year} = ?"
        found: dict[str, int] = {}
        (last,) = self._ask(f"SELECT max({year}) FROM pages").fetchone()
        while last is not None:
            found[last or UNDATED] = self._ask(count, (last,)).fetchone()[0]
            (last,) = self._ask(f"SELECT max({year}) FROM pages WHERE {year} < ?", (last,)).fetchone()
        return found

    def _years_fetched(self) -> dict[int, int]:
        """A count a year, from the index of first fetches."""
        first, last = self._ask("SELECT min(first_at), max(first_at) FROM pages").fetchone()
        found: dict[int, int] = {}
        for year in range(_year(last), _year(first) - 1, -1) if last else ():
            bounds = (datetime(each, 1, 1, tzinfo=UTC).timestamp() for each in (year, year + 1))
            query = f"SELECT count(*) FROM pages {self._through('pages_first')} WHERE first_at >= ? AND first_at < ?"
            if pages := self._ask(query, tuple(bounds)).fetchone()[0]:
                found[year] = pages
        return found


def _year(at: float) -> int:
    return datetime.fromtimestamp(at, UTC).year


def _conditions(filters: PageFilters, listed: str) -> tuple[list[str], list[Any]]:
    found: list[tuple[bool, str, list[Any]]] = [
        (True, "TRUE", []),
        (bool(filters.host), "u.host = ? AND u.version IS NOT NULL", [filters.host]),
        (bool(filters.language), "p.language = ?", [filters.language]),
        (filters.counts is True, "p.relevant AND p.duplicate_of IS NULL", []),
        (filters.counts is False, "NOT (p.relevant AND p.duplicate_of IS NULL)", []),
        (filters.at_least > 0, "p.relevance >= ?", [filters.at_least]),
        (filters.below > 0, "p.relevance < ?", [filters.below]),
        (bool(filters.published), "substr(p.published, 1, 4) = ?", [published_year(filters.published)]),
        (filters.since > 0, "p.first_at >= ?", [filters.since]),
        (filters.until > 0, "p.first_at < ?", [filters.until]),
        (filters.among is not None, f"p.id IN {listed}", [numbers_of(filters.among or frozenset())]),
        (bool(filters.outside), f"p.id NOT IN {listed}", [numbers_of(filters.outside)]),
    ]
    return [test for applies, test, _ in found if applies], [
        v for applies, _, values in found if applies for v in values
    ]


def published_year(wanted: str) -> str:
    """A year as it stands at the head of `pages.published`: nothing where nobody says it."""
    return "" if wanted == UNDATED else wanted


def numbers_of(wanted: frozenset[str]) -> str:
    """The ids of these URLs, as a JSON array: however many there are, it is one value."""
    return msgspec.json.encode([urls.fingerprint(url) for url in sorted(wanted)]).decode()


def _behind(after: str, order: PageOrder) -> tuple[str, list[Any]]:
    relevance, seq = read_place(after, order)
    if order == "best":
        return "p.relevance <= ? AND (p.relevance < ? OR p.seq > ?)", [relevance, relevance, seq]
    return f"p.seq {'<' if order == 'newest' else '>'} ?", [seq]

"""Full-text search over what was collected, by PostgreSQL: the same answers and scores as the other libraries give.

    score = sum over phrases of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

with f how often the phrase stands in the text, in the title five times, and idf = ln((N - n + 0.5) / (n + 0.5)). The
index finds the texts; what they score is reckoned in the database, for those alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

from msgspec import Struct

from scenthound.library.archive.compression import unpack
from scenthound.library.postgres import search_index
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.queries import LISTED
from scenthound.library.search_words import Reading, SearchQuery, TitleReading, wanted
from scenthound.library.snippets import snippet
from scenthound.library.sql.page_lists import numbers_of, published_year
from scenthound.library.sql.url_table import FETCHED, STATES
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import SearchFilters, SearchHit, SearchMatch, SearchResult

K1, B = 1.2, 0.75
TITLE_WEIGHT = 5
LEAST_IDF = 1e-6


class SqlTest(Struct, frozen=True):
    """A test in SQL, and its values."""

    sql: str
    values: tuple[Any, ...] = ()

    def __and__(self, other: SqlTest) -> SqlTest:
        return SqlTest(f"({self.sql} AND {other.sql})", self.values + other.values)

    def __or__(self, other: SqlTest) -> SqlTest:
        return SqlTest(f"({self.sql} OR {other.sql})", self.values + other.values)

    def __invert__(self) -> SqlTest:
        return SqlTest(f"NOT {self.sql}", self.values)


class PostgresSearch:
    """The search over one library. Works while a crawl writes to it."""

    def __init__(self, connection: PostgresConnection, language: str) -> None:
        self._connection = connection
        self._language = language

    def catch_up(self, progress: Progress | None = None) -> int:
        return search_index.catch_up(self._connection, progress)

    def find(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10, offset: int = 0
    ) -> SearchResult:
        query = wanted(words, self._languages())
        shown = _filter(filters or SearchFilters())
        own, broad = list(map(_any_reading, query.own)), list(map(_any_reading, query.sought))
        every = _without(query, _all(own))
        best, total = self._best(query.own, every, shown, limit, offset)
        if query.is_foreign:
            foreign = _without(query, _all(broad) & ~_all(own))
            more, found = self._best(query.sought, foreign, shown, limit - len(best), max(0, offset - total))
            best, total = best + more, total + found
        loosened = not total and len(broad) > 1
        if loosened:
            best, total = self._best(query.sought, _without(query, _some(broad)), shown, limit, offset)
        hits = [self._hit(content, score, query, shown) for content, score in best]
        return SearchResult(hits, total, loosened=loosened and bool(total))

    def matches(self, words: Sequence[str], filters: SearchFilters | None, limit: int) -> list[SearchMatch]:
        """Every page that has all the words, in no order."""
        query = wanted(words, self._languages())
        shown = _filter(filters or SearchFilters())
        own, broad = list(map(_any_reading, query.own)), list(map(_any_reading, query.sought))
        fits = _without(query, _all(broad) if query.is_foreign else _all(own))
        sql = (
            "SELECT u.url, u.host, p.language, p.relevance, p.relevant, p.fetched_at, p.published "
            f"{_SHOWN} JOIN search_words w ON w.content = p.content WHERE {fits.sql} AND {shown.sql} LIMIT ?"
        )
        rows = self._connection.execute(sql, (*fits.values, *shown.values, limit)).fetchall()
        return [
            SearchMatch(url, host, code, score, bool(good), at, said) for url, host, code, score, good, at, said in rows
        ]

    def _languages(self) -> list[str]:
        rows = self._connection.execute("SELECT language FROM search_languages ORDER BY language")
        return list(dict.fromkeys([self._language, *(language for (language,) in rows)]))

    def _best(
        self, parts: Sequence[Sequence[Reading]], fits: SqlTest, shown: SqlTest, limit: int, offset: int
    ) -> tuple[list[tuple[int, float]], int]:
        """The best texts that pages show, and how many there are in all."""
        where = fits & SqlTest(f"EXISTS (SELECT 1 {_SHOWN} WHERE p.content = w.content AND {shown.sql})", shown.values)
        total = self._count(where)
        if limit <= 0 or offset >= total:
            return [], total
        score = self._score([phrase for part in parts for phrase in part])
        sql = f"SELECT w.content, {score.sql} FROM search_words w WHERE {where.sql} ORDER BY 2 DESC, 1 LIMIT ? OFFSET ?"
        return self._connection.execute(sql, (*score.values, *where.values, limit, offset)).fetchall(), total

    def _count(self, where: SqlTest) -> int:
        return int(
            self._connection.execute(f"SELECT count(*) FROM search_words w WHERE {where.sql}", where.values).fetchone()[
                0
            ]
        )

    def _score(self, phrases: Sequence[Reading]) -> SqlTest:
        texts, words = self._connection.execute(
            "SELECT count(*), CAST(coalesce(sum(length), 0) AS BIGINT) FROM search_words"
        ).fetchone()
        terms, values = [], []
        for phrase in phrases:
            having = self._count(_has(phrase))
            idf = max(LEAST_IDF, log((texts - having + 0.5) / (having + 0.5)))
            body = "0 * phrase_count" if isinstance(phrase, TitleReading) else "phrase_count"
            times = f"({TITLE_WEIGHT} * phrase_count(w.title, ?) + {body}(w.body, ?))"
            length = f"{K1!r} * ({1 - B!r} + {B!r} * w.length / CAST(? AS DOUBLE PRECISION))"
            terms.append(f"CAST(? AS DOUBLE PRECISION) * {times} / ({times} + {length})")
            stems = search_index.spaced(phrase)
            values += [idf * (K1 + 1), stems, stems, stems, stems, words / max(1, texts)]
        return SqlTest(" + ".join(terms), tuple(values))

    def _hit(self, content: int, score: float, query: SearchQuery, shown: SqlTest) -> SearchHit:
        sql = (
            "SELECT u.url, p.title, u.host, p.language, p.relevance, p.relevant, p.fetched_at, c.text, u.state "
            f"{_SHOWN} JOIN contents c ON c.id = p.content WHERE p.content = ? AND {shown.sql} "
            f"ORDER BY u.state <> {FETCHED}, p.relevance DESC, p.seq"
        )
        rows = self._connection.execute(sql, (content, *shown.values)).fetchall()
        url, title, host, language, relevance, relevant, fetched_at, packed, state = rows[0]
        return SearchHit(
            url=url,
            title=title,
            host=host,
            language=language,
            score=round(score, 4),
            relevance=relevance,
            relevant=relevant,
            fetched_at=fetched_at,
            copies=len(rows) - 1,
            snippet=snippet(unpack(packed).decode(), query.terms, query.words, language),
            state=STATES[state],
        )


_SHOWN = "FROM pages p JOIN urls u ON u.id = p.id LEFT JOIN search_sites s ON s.host = u.host"


def _filter(filters: SearchFilters) -> SqlTest:
    tests = [
        (filters.relevance > 0, SqlTest("p.relevance >= ?", (filters.relevance,))),
        (filters.relevant, SqlTest("p.relevant")),
        (bool(filters.host), SqlTest("u.host = ?", (filters.host.lower(),))),
        (bool(filters.site), SqlTest("s.site = ?", (filters.site.lower(),))),
        (filters.since > 0, SqlTest("p.fetched_at >= ?", (filters.since,))),
        (filters.until > 0, SqlTest("p.fetched_at < ?", (filters.until,))),
        (
            bool(filters.published),
            SqlTest("substr(p.published, 1, 4) = ?", (published_year(filters.published),)),
        ),
        (bool(filters.language), SqlTest("p.language = ?", (filters.language,))),
        (bool(filters.address), SqlTest("strpos(lower(u.url), ?) > 0", (filters.address.lower(),))),
        (filters.among is not None, SqlTest(f"p.id IN {LISTED}", (numbers_of(filters.among or frozenset()),))),
        (bool(filters.outside), SqlTest(f"p.id NOT IN {LISTED}", (numbers_of(filters.outside),))),
    ]
    return _all([SqlTest("TRUE"), *(test for applies, test in tests if applies)])


def _has(phrase: Reading) -> SqlTest:
    # Terms are letters and digits, whatever was typed, so that nothing in them can be taken for PostgreSQL's language.
    stems = " & ".join(f"'{term}'" for term in phrase)
    found = SqlTest("w.stems @@ CAST(? AS TSQUERY)", (stems,))
    stretch = search_index.spaced(phrase)
    if isinstance(phrase, TitleReading):
        return found & SqlTest("strpos(w.title, ?) > 0", (stretch,))
    if len(phrase) == 1:
        return found
    return found & SqlTest("(strpos(w.title, ?) > 0 OR strpos(w.body, ?) > 0)", (stretch, stretch))


def _any_reading(readings: Sequence[Reading]) -> SqlTest:
    return _some([_has(reading) for reading in readings])


def _all(conditions: Sequence[SqlTest]) -> SqlTest:
    found, *others = conditions
    for other in others:
        found = found & other
    return found


def _some(conditions: Sequence[SqlTest]) -> SqlTest:
    found, *others = conditions
    for other in others:
        found = found | other
    return found


def _without(query: SearchQuery, fits: SqlTest) -> SqlTest:
    return fits & ~_some(list(map(_any_reading, query.unwanted))) if query.unwanted else fits

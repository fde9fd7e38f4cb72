"""Full-text search over what was collected: ranked, stemmed, with the stretch of text that answers.

    score = BM25 over the stems of title and text, a word of the title counting five times

Exact copies are one answer, shown by the most relevant of their URLs that is still there. Pages that are gone are
found, too: `SearchHit.state` says so. Where no page has all words, pages that have some of them are
better than none: `SearchResult.loosened` says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scenthound.library.archive.compression import unpack
from scenthound.library.search_words import SearchQuery, wanted
from scenthound.library.snippets import snippet
from scenthound.library.sql.page_lists import numbers_of, published_year
from scenthound.library.sql.url_table import FETCHED, STATES
from scenthound.library.sqlite import search_index
from scenthound.library.sqlite.database_check import SQLITE_ERRORS
from scenthound.library.sqlite.explain_error import explain
from scenthound.library.sqlite.fts_query import fts_query
from scenthound.library.sqlite.queries import LISTED
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import SearchFilters, SearchHit, SearchMatch, SearchResult


class SqliteSearch:
    """The search over one library. Works while a crawl writes to it."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, database: str, language: str) -> None:
        self.folder = folder
        self._database = database
        self.language = language
        self._connection = connection

    @classmethod
    def open(cls, folder: Path, database: str, language: str) -> Self:
        try:
            return cls(folder, search_index.connect(folder / database, folder), database, language)
        except SQLITE_ERRORS as error:
            raise explain(error, folder) from error

    def catch_up(self, progress: Progress | None = None) -> int:
        """Takes in what was stored since the last time. A damaged index is thrown away and made anew."""
        try:
            return search_index.catch_up(self._connection, progress)
        except sqlite3.OperationalError as error:
            raise explain(error, self.folder) from error
        except sqlite3.DatabaseError:
            self._start_over()
            return search_index.catch_up(self._connection, progress)

    def _start_over(self) -> None:
        self._connection.close()
        search_index.remove(self.folder)
        self._connection = search_index.connect(self.folder / self._database, self.folder)

    def find(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10, offset: int = 0
    ) -> SearchResult:
        """The best pages for the words; `offset` leaves out as many of the first ones."""
        query = wanted(words, self._languages())
        phrases = fts_query(query)
        conditions = _conditions(filters or SearchFilters())
        best, total = self._ranked([phrases.every, phrases.foreign], conditions, limit, offset)
        loosened = not total and bool(phrases.some)
        if loosened:
            best, total = self._ranked([phrases.some], conditions, limit, offset)
        hits = [self._hit(content, score, query, conditions) for content, score in best]
        return SearchResult(hits, total, loosened=loosened and bool(total))

    def matches(self, words: Sequence[str], filters: SearchFilters | None, limit: int) -> list[SearchMatch]:
        """Every page that has all the words, in no order."""
        phrases = fts_query(wanted(words, self._languages()))
        test, values = _conditions(filters or SearchFilters())
        sql = (
            "SELECT u.url, p.host, l.language, p.relevance, p.relevant, p.fetched_at, l.published "
            "FROM words JOIN main.pages p ON p.content = words.rowid JOIN library.urls u ON u.id = p.id "
            f"JOIN library.pages l ON l.id = p.id WHERE words MATCH ? {test} LIMIT ?"
        )
        found: list[SearchMatch] = []
        for expression in filter(None, (phrases.every, phrases.foreign)):
            rows = self._connection.execute(sql, (expression, *values, limit - len(found)))
            found += [
                SearchMatch(url, host, code, score, bool(good), at, said)
                for url, host, code, score, good, at, said in rows
            ]
        return found

    def _ranked(
        self, expressions: Sequence[str], conditions: tuple[str, list[Any]], limit: int, offset: int
    ) -> tuple[list[tuple[int, float]], int]:
        """The best texts, those of the first expression before those of the next; how many there are in all."""
        best: list[tuple[int, float]] = []
        total = 0
        for expression in filter(None, expressions):
            before, total = total, total + self._count(expression, conditions)
            skipped, room = max(0, offset - before), limit - len(best)
            if room and total - before > skipped:
                best += self._best(expression, conditions, room, skipped)
        return best, total

    def _languages(self) -> list[str]:
        rows = self._connection.execute("SELECT language FROM main.languages")
        return list(dict.fromkeys([self.language, *(language for (language,) in rows)]))

    def _count(self, expression: str, conditions: tuple[str, list[Any]]) -> int:
        sql = f"SELECT count(*) FROM words WHERE words MATCH ? AND {_shown(conditions[0])}"
        return int(self._connection.execute(sql, (expression, *conditions[1])).fetchone()[0])

    def _best(
        self, expression: str, conditions: tuple[str, list[Any]], limit: int, offset: int
    ) -> list[tuple[int, float]]:
        sql = (
            f"SELECT words.rowid, rank FROM words WHERE words MATCH ? AND {_shown(conditions[0])} "
            "ORDER BY +rank LIMIT ? OFFSET ?"  # without the plus FTS5 sorts, and scores what the filter leaves out
        )
        return self._connection.execute(sql, (expression, *conditions[1], limit, offset)).fetchall()

    def _hit(self, content: int, score: float, query: SearchQuery, conditions: tuple[str, list[Any]]) -> SearchHit:
        sql = (
            "SELECT u.url, l.title, p.host, l.language, p.relevance, p.relevant, p.fetched_at, c.text, u.state "
            "FROM main.pages p JOIN library.urls u ON u.id = p.id JOIN library.pages l ON l.id = p.id "
            "JOIN library.contents c ON c.id = p.content "
            f"WHERE p.content = ? {conditions[0]} ORDER BY u.state <> {FETCHED}, p.relevance DESC, l.seq"
        )
        rows = self._connection.execute(sql, (content, *conditions[1])).fetchall()
        url, title, host, language, relevance, relevant, fetched_at, packed, state = rows[0]
        return SearchHit(
            url=url,
            title=title,
            host=host,
            language=language,
            score=round(-score, 4),
            relevance=relevance,
            relevant=bool(relevant),
            fetched_at=fetched_at,
            copies=len(rows) - 1,
            snippet=snippet(unpack(packed).decode(), query.terms, query.words, language),
            state=STATES[state],
        )

    def close(self) -> None:
        self._connection.close()


def _conditions(filters: SearchFilters) -> tuple[str, list[Any]]:
    """The filter in SQL, over `search_index`'s pages."""
    tests: list[tuple[bool, str, list[Any]]] = [
        (filters.relevance > 0, "p.relevance >= ?", [filters.relevance]),
        (filters.relevant, "p.relevant", []),
        (bool(filters.host), "p.host = ?", [filters.host.lower()]),
        (bool(filters.site), "p.site = ?", [filters.site.lower()]),
        (filters.since > 0, "p.fetched_at >= ?", [filters.since]),
        (filters.until > 0, "p.fetched_at < ?", [filters.until]),
        (
            bool(filters.published),
            "(SELECT substr(q.published, 1, 4) FROM library.pages q WHERE q.id = p.id) = ?",
            [published_year(filters.published)],
        ),
        (
            bool(filters.language),
            "(SELECT q.language FROM library.pages q WHERE q.id = p.id) = ?",
            [filters.language],
        ),
        (
            bool(filters.address),
            "instr(lower((SELECT q.url FROM library.urls q WHERE q.id = p.id)), ?)",
            [filters.address.lower()],
        ),
        (filters.among is not None, f"p.id IN {LISTED}", [numbers_of(filters.among or frozenset())]),
        (bool(filters.outside), f"p.id NOT IN {LISTED}", [numbers_of(filters.outside)]),
    ]
    sql = "".join(f" AND {test}" for applies, test, _ in tests if applies)
    return sql, [value for applies, _, values in tests if applies for value in values]


def _shown(condition: str) -> str:
    """The texts that pages show; with a condition, such pages."""
    if not condition:
        return "words.rowid NOT IN (SELECT id FROM main.left)"
    return f"EXISTS (SELECT 1 FROM main.pages p WHERE p.content = words.rowid {condition})"

"""What a library knows about time: when a page was looked at, what each look showed, what it said before.

A look is a row of `checks`. From these rows alone follows when a page is due again, so nothing else has to survive a
restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from scenthound import urls
from scenthound.library.archive.compression import unpack
from scenthound.library.sql.queries import ALL, FINISHED, SLICE, SqlQueries
from scenthound.library.sql.row_batch import UNSIGNED
from scenthound.library.sql.stored_pages import PAGE_BY_PAGE, stored_page
from scenthound.library.sql.url_table import FAILED, FETCHED, URL_ROW, waiting_from
from scenthound.model import Outcome, Waiting
from scenthound.protocols.records import (
    LookSummary,
    MissingPage,
    PageLook,
    StoredImage,
    StoredPage,
    WatchedPage,
)

_WATCHED = (
    "SELECT p.seq, p.id, u.url, u.host, p.title, p.relevance, p.relevant, p.first_at, p.fetched_at, p.checked_at, "
    f"p.etag, p.modified, p.digest, p.simhash, p.versions, u.state != {FETCHED}, "
    "p.relevant AND p.duplicate_of IS NULL "
    "FROM pages p JOIN urls u ON u.id = p.id LEFT JOIN urls d ON d.id = p.duplicate_of "
    f"WHERE p.seq > ? AND (u.state = {FETCHED} OR (u.state = {FAILED} AND u.reason LIKE 'gone:%')) "
    f"AND (d.state IS NULL OR d.state != {FETCHED}) ORDER BY p.seq LIMIT {SLICE}"
)
_LOOK = (
    "SELECT c.seq, u.url, u.host, coalesce(p.title, ''), c.at, c.outcome, c.status, c.kind, c.size, c.version, "
    "c.relevance, c.relevant, c.before, c.was_relevant, c.detail "
    "FROM checks c JOIN urls u ON u.id = c.url LEFT JOIN pages p ON p.id = c.url "
)


_NOTE_MISSING = (
    "INSERT INTO missing VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (host) DO UPDATE SET at = excluded.at, "
    "status = excluded.status, target = excluded.target, simhash = excluded.simhash, digest = excluded.digest"
)
_NOTE_IMAGE = (
    "INSERT INTO images VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET url = excluded.url, "
    "at = excluded.at, etag = excluded.etag, modified = excluded.modified, digest = excluded.digest, "
    "prints = excluded.prints"
)


class SqlHistory(SqlQueries):
    """`protocols.History`, but for what `derived_answers` derives."""

    # Looks

    def watched(self) -> Iterator[WatchedPage]:
        """Every page that is there or was found gone, and repeats none that is there, in the order of fetching."""
        after = 0
        while rows := self._ask(_WATCHED, (after,)).fetchall():
            looks = self._looks_at([row[1] for row in rows])
            for row in rows:
                yield _watched(row, looks.get(row[1], ()))
            after = rows[-1][0]

    def _looks_at(self, numbers: Sequence[int]) -> dict[int, list[LookSummary]]:
        among = ", ".join("?" * len(numbers))
        query = f"SELECT url, at, outcome, modified_at FROM checks WHERE url IN ({among}) ORDER BY seq"
        found: dict[int, list[LookSummary]] = {}
        for number, *glance in self._ask(query, numbers):
            found.setdefault(number, []).append(LookSummary(*glance))
        return found

    def looks(self, since: float = 0.0, outcomes: Iterable[Outcome] = (), after: int = 0) -> Iterator[PageLook]:
        """Looks since a time, oldest first, only those that showed one of the outcomes."""
        chosen = list(outcomes)
        among = f"AND c.outcome IN ({', '.join('?' * len(chosen))})" if chosen else ""
        query = f"{_LOOK} WHERE c.seq > ? AND c.at >= ? {among} ORDER BY c.seq LIMIT {SLICE}"
        while rows := self._ask(query, (after, since, *chosen)).fetchall():
            yield from map(_look, rows)
            after = rows[-1][0]

    def looks_of(self, url: str) -> list[PageLook]:
        """All looks at one page, oldest first."""
        return [_look(row) for row in self._ask(f"{_LOOK} WHERE c.url = ? ORDER BY c.seq", (urls.fingerprint(url),))]

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        """The links that led to pages, as they waited once; in the order given."""
        found: dict[int, Waiting] = {}
        for start in range(0, len(numbers), SLICE):
            part = numbers[start : start + SLICE]
            query = f"{URL_ROW} WHERE u.id IN ({', '.join('?' * len(part))})"
            found |= {row[0]: waiting_from(row) for row in self._ask(query, part)}
        return [found[number] for number in numbers if number in found]

    # Versions

    def texts(self, version: int) -> tuple[str, str] | None:
        """The text an answer replaced, and its own; None where one of them was not kept."""
        query = (
            "WITH RECURSIVE chain(seq, nth) AS (SELECT CAST(? AS BIGINT), 0 "
            "UNION ALL SELECT previous, nth + 1 FROM chain JOIN versions USING (seq) WHERE previous IS NOT NULL) "
            "SELECT c.text FROM chain JOIN versions v USING (seq) JOIN contents c ON c.id = v.content "
            "ORDER BY nth LIMIT 2"
        )
        rows = self._ask(query, (version,)).fetchall()
        if len(rows) < 2:
            return None
        new, old = (unpack(row[0]).decode() for row in rows)
        return old, new

    # New pages

    def new_pages(
        self, since: float, *, relevant: bool = False, best: bool = False, limit: int = 0
    ) -> Iterator[StoredPage]:
        """Pages that were fetched for the first time since then: the newest first, or the best; so many, 0 for all."""
        order = "p.relevance DESC, p.seq" if best else "p.first_at DESC, p.seq"
        pages = PAGE_BY_PAGE.format(self._pages_first())
        query = f"{pages} WHERE p.first_at >= ? AND p.relevant >= ? ORDER BY {order} LIMIT ?"
        yield from map(stored_page, self._ask(query, (since, relevant, limit or ALL)))

    def count_new_pages(self, since: float, *, relevant: bool = False) -> int:
        return self._count("FROM pages WHERE first_at >= ? AND relevant >= ?", (since, relevant))

    # What is broken

    def broken(self) -> Iterator[tuple[str, str, float]]:
        """(URL, reason, since when) of all that did not answer, or answers no more, in the order of discovery."""
        query = (
            f"SELECT url, reason, changed_at FROM urls WHERE {FINISHED} AND state = {FAILED} "
            "AND kind NOT IN ('feed', 'sitemap', 'ascend', 'robots') ORDER BY nth, id"
        )
        yield from self._ask(query).fetchall()

    # Notes a revisit makes

    def missing(self, host: str) -> MissingPage | None:
        row = self._ask(
            "SELECT host, at, status, target, simhash, digest FROM missing WHERE host = ?", (host,)
        ).fetchone()
        return replace(found := MissingPage(*row), simhash=found.simhash & UNSIGNED) if row else None

    def note_missing(self, page: MissingPage) -> None:
        signed = page.simhash - (1 << 64) if page.simhash >> 63 else page.simhash
        row = (page.host, page.at, page.status, page.target, signed, page.digest)
        self._writing().record((_NOTE_MISSING, row))

    def image(self, url: str) -> StoredImage | None:
        query = "SELECT url, at, etag, modified, digest, prints FROM images WHERE id = ?"
        row = self._ask(query, (urls.fingerprint(url),)).fetchone()
        return StoredImage(*row) if row else None

    def note_image(self, image: StoredImage) -> None:
        row = (urls.fingerprint(image.url), image.url, image.at, image.etag, image.modified, image.digest, image.prints)
        self._writing().record((_NOTE_IMAGE, row))


def _watched(row: tuple[Any, ...], looks: Sequence[LookSummary]) -> WatchedPage:
    *about, counts = row
    page = WatchedPage(*about)
    return replace(
        page,
        relevant=bool(page.relevant),
        simhash=page.simhash & UNSIGNED,
        gone=bool(page.gone),
        counts=bool(counts),
        looks=tuple(looks),
    )


def _look(row: tuple[Any, ...]) -> PageLook:
    look = PageLook(*row)
    return replace(look, relevant=bool(look.relevant), was_relevant=bool(look.was_relevant))

"""Questions to a library. Works in the crawl's own process and beside it in another one.

Long answers come in slices, each a query of its own, so that whoever reads slowly holds nothing up and needs
constant memory.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from scenthound import urls
from scenthound.errors import LibraryError
from scenthound.library.archive import warc, warc_files
from scenthound.library.archive.compression import unpack
from scenthound.library.sqlite.backlink_index import BacklinkIndex
from scenthound.library.sqlite.row_batch import UNSIGNED, unpack_links
from scenthound.library.sqlite.url_table import (
    FAILED,
    FETCHED,
    MOVED,
    REFUSED,
    STATES,
    WAITING,
    WAITING_COLUMNS,
    waiting_from,
)
from scenthound.model import Link, Response, Waiting
from scenthound.protocols.crawl import HostQueue
from scenthound.protocols.records import CrawlRun, HostRow, LibraryCounts, StoredPage, UrlRow, Version, WayStep

SLICE = 500
FINISHED = "state > 0"  # as the partial index has it: SQLite does not see that `state = 2` implies it

_URL_ROW = f"SELECT {WAITING_COLUMNS} FROM urls u LEFT JOIN urls s ON s.id = u.source "
_PAGE = (
    "SELECT p.seq, u.url, u.host, p.status, p.media_type, p.charset, p.language, p.title, p.description, p.canonical, "
    "p.relevance, p.relevant, p.depth, p.first_at, p.fetched_at, p.digest, p.simhash, d.url, p.noindex, p.bytes, "
    "p.wire, p.elapsed, p.version, p.versions, p.checked_at, p.etag, p.modified, u.state, u.reason "
    "FROM pages p JOIN urls u ON u.id = p.id LEFT JOIN urls d ON d.id = p.duplicate_of "
)


class SqliteReader:
    """All that can be asked. `_settle` is where a library that is also written to waits for its writer."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._backlinks: BacklinkIndex | None = None

    def _settle(self) -> None:
        pass

    def _ask(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        self._settle()
        return self._connection.execute(query, values)

    def close(self) -> None:
        if self._backlinks is not None:
            self._backlinks.close()
        self._connection.close()

    # What a frontier needs (protocols.FrontierStore)

    def waiting(self, host: str, limit: int) -> list[Waiting]:
        query = f"{_URL_ROW} WHERE u.state = {WAITING} AND u.host = ? ORDER BY u.priority DESC, u.nth, u.id LIMIT ?"
        return [waiting_from(row) for row in self._ask(query, (host, limit))]

    def queues(self) -> Iterable[HostQueue]:
        query = f"SELECT host, count(*), max(priority) FROM urls WHERE state = {WAITING} GROUP BY host"
        return [HostQueue(*row) for row in self._ask(query)]

    def known(self) -> Iterator[tuple[int, bool]]:
        """Every URL that waits or is done with. Refused ones may be found again: the rules may have changed."""
        self._settle()
        for number in self._numbers("urls_waiting", f"state = {WAITING}"):
            yield number, True
        for number in self._numbers("urls_finished", f"{FINISHED} AND state != {REFUSED}"):
            yield number, False

    def _numbers(self, index: str, condition: str) -> Iterator[int]:
        for (number,) in self._connection.execute(f"SELECT id FROM urls INDEXED BY {index} WHERE {condition}"):
            yield number

    def next_order(self) -> int:
        row = self._ask("SELECT value FROM counters WHERE name = 'order'").fetchone()
        return row[0] if row else 0

    # Pages

    def page(self, url: str) -> StoredPage | None:
        row = self._ask(f"{_PAGE} WHERE p.id = ?", (urls.fingerprint(url),)).fetchone()
        return _stored_page(row) if row else None

    def pages(self, *, relevant: bool = False, since: float = 0.0, after: int = 0) -> Iterator[StoredPage]:
        """Pages in the order they were first fetched: only relevant ones, only fetched since, only from `after` on."""
        query = f"{_PAGE} WHERE p.seq > ? AND p.relevant >= ? AND p.fetched_at >= ? ORDER BY p.seq LIMIT {SLICE}"
        while rows := self._ask(query, (after, relevant, since)).fetchall():
            yield from map(_stored_page, rows)
            after = rows[-1][0]

    def text(self, url: str, version: Version | None = None) -> str | None:
        """The visible text of a page, or of an earlier version; None if there is none or it asked not to be indexed."""
        if version is not None:
            row = self._ask("SELECT text FROM contents WHERE id = ?", (version.content,)).fetchone()
            return unpack(row[0]).decode() if row else None
        query = "SELECT c.text FROM pages p JOIN contents c ON c.id = p.content WHERE p.id = ?"
        row = self._ask(query, (urls.fingerprint(url),)).fetchone()
        return unpack(row[0]).decode() if row else None

    def versions(self, url: str) -> list[Version]:
        """All answers of a URL, oldest first."""
        query = (
            "WITH RECURSIVE chain(seq) AS (SELECT version FROM urls WHERE id = ? "
            "UNION ALL SELECT previous FROM chain JOIN versions USING (seq) WHERE previous IS NOT NULL) "
            "SELECT v.seq, v.at, v.status, v.digest, coalesce(w.name, ''), "
            "coalesce(v.offset, 0), coalesce(v.length, 0), coalesce(c.title, ''), coalesce(c.id, 0) "
            "FROM chain JOIN versions v USING (seq) LEFT JOIN warcs w ON w.id = v.warc "
            "LEFT JOIN contents c ON c.id = v.content ORDER BY v.seq"
        )
        rows = self._ask(query, (urls.fingerprint(url),))
        return [
            Version(seq, at, status, warc.payload_digest(digest), *place) for seq, at, status, digest, *place in rows
        ]

    def body(self, url: str, version: int | Version | None = None) -> Response | None:
        """An answer as it was received, read back from the WARC file; None if it was not kept.

        Without a version it is the one that brought the page as it is stored, else the latest.
        """
        chosen = version if isinstance(version, Version) else self._version(url, version)
        if chosen is None or not chosen.warc:
            return None
        headers, start, http_headers, body = self._record(chosen.warc, chosen.offset, chosen.length)
        if headers["WARC-Type"] == "revisit":
            body = self._original_body(chosen.seq)
        return Response(
            url=url,
            status=int(start[1]),
            headers=tuple(http_headers),
            body=body,
            at=chosen.at,
            address=headers.get("WARC-IP-Address", ""),
        )

    def _version(self, url: str, number: int | None) -> Version | None:
        versions = self.versions(url)
        if number is None and len(versions) > 1:
            row = self._ask("SELECT version FROM pages WHERE id = ?", (urls.fingerprint(url),)).fetchone()
            return next((version for version in versions if row and version.seq == row[0]), versions[-1])
        number = -1 if number is None else number
        return versions[number] if -len(versions) <= number < len(versions) else None

    def _original_body(self, seq: int) -> bytes:
        query = (
            "SELECT w.name, o.offset, o.length FROM versions v JOIN contents c ON c.id = v.content "
            "JOIN versions o ON o.seq = c.version JOIN warcs w ON w.id = o.warc WHERE v.seq = ?"
        )
        return self._record(*self._ask(query, (seq,)).fetchone())[3]

    def _record(
        self, name: str, offset: int, length: int
    ) -> tuple[dict[str, str], list[str], list[tuple[str, str]], bytes]:
        try:
            return warc.parse_record(warc_files.read_at(self.folder / "warc", name, offset, length))
        except (OSError, zlib.error, KeyError, ValueError) as error:
            raise LibraryError(f"{self.folder / 'warc' / name} is missing or damaged: {error}") from error

    # Links

    def outlinks(self, url: str) -> list[Link]:
        query = "SELECT packed FROM links JOIN pages USING (version) WHERE id = ?"
        row = self._ask(query, (urls.fingerprint(url),)).fetchone()
        return unpack_links(row[0], url) if row else []

    def graph(self) -> Iterator[tuple[str, list[Link]]]:
        """Every page with the links of its last visit, in the order of the first."""
        query = (
            "SELECT p.seq, u.url, l.packed FROM pages p JOIN urls u ON u.id = p.id "
            "JOIN links l ON l.version = p.version "
            f"WHERE p.seq > ? ORDER BY p.seq LIMIT {SLICE}"
        )
        after = 0
        while rows := self._ask(query, (after,)).fetchall():
            for _, url, packed in rows:
                yield url, unpack_links(packed, url)
            after = rows[-1][0]

    def backlinks(self, url: str) -> Iterator[Link]:
        """Links to a URL from the pages stored. The first question after a crawl takes a while: see `backlinks`."""
        for source in self.linking(url):
            yield from (link for link in self.outlinks(source) if link.url == url)

    def linking(self, url: str) -> list[str]:
        """URLs of the pages that link to a URL, or did in an earlier version: `backlinks` without the links."""
        self._settle()
        if self._backlinks is None:
            self._backlinks = BacklinkIndex(self.folder)
        self._backlinks.catch_up(self._connection)
        sources = list(self._backlinks.sources(urls.fingerprint(url)))
        query = "SELECT url FROM urls WHERE id = ?"
        return [self._connection.execute(query, (source,)).fetchone()[0] for source in sources]

    # Decisions

    def url_row(self, url: str) -> UrlRow | None:
        return self._url_row(urls.fingerprint(url))

    def _url_row(self, number: int) -> UrlRow | None:
        row = self._ask(f"{_URL_ROW} WHERE u.id = ?", (number,)).fetchone()
        if row is None:
            return None
        entry = waiting_from(row)
        return UrlRow(
            url=entry.link.url,
            host=entry.host,
            state=STATES[row[3]],
            reason=row[4],
            priority=entry.priority,
            order=entry.order,
            depth=entry.depth,
            evidence=entry.evidence,
            tries=entry.tries,
            hops=entry.hops,
            not_before=entry.not_before,
            memory=entry.memory,
            link=entry.link,
            found_at=row[21],
            changed_at=row[22],
        )

    def failed(self) -> Iterator[Link]:
        """Every link that brought no page, in the order of discovery."""
        for row in self._ask(f"{_URL_ROW} WHERE u.state = {FAILED} ORDER BY u.nth"):
            yield waiting_from(row).link

    def way(self, url: str) -> list[WayStep]:
        """From a seed to the URL, each step with its score; empty if the URL was never found."""
        steps: list[WayStep] = []
        met: set[str] = set()
        while url and url not in met and (row := self.url_row(url)) is not None:
            met.add(url)
            page = self.page(url)
            steps.append(
                WayStep(
                    link=row.link,
                    state=row.state,
                    reason=row.reason,
                    priority=row.priority,
                    depth=row.depth,
                    title=page.title if page else "",
                    relevance=page.relevance if page else None,
                )
            )
            url = row.link.source
        return steps[::-1]

    # Figures

    def counts(self) -> LibraryCounts:
        pages = self._ask(
            "SELECT count(*), coalesce(sum(relevant AND duplicate_of IS NULL), 0), count(duplicate_of), "
            "coalesce(sum(bytes), 0) FROM pages"
        ).fetchone()
        return LibraryCounts(
            fetched=pages[0],
            relevant=pages[1],
            duplicates=pages[2],
            waiting=self._count(f"FROM urls WHERE state = {WAITING}"),
            moved=self._count(f"FROM urls WHERE {FINISHED} AND state = {MOVED}"),
            failed=self._reasons(FAILED),
            refused=self._reasons(REFUSED),
            hosts=self._count("FROM hosts WHERE pages > 0"),
            bytes=pages[3],
        )

    def _count(self, what: str) -> int:
        return int(self._ask(f"SELECT count(*) {what}").fetchone()[0])

    def _reasons(self, state: int) -> dict[str, int]:
        """How often each reason was given, details after the colon left out; the most frequent first."""
        query = (
            "SELECT substr(reason, 1, instr(reason || ':', ':') - 1), count(*) FROM urls "
            f"WHERE {FINISHED} AND state = {state} GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        return dict(self._ask(query).fetchall())

    def harvest(self) -> list[tuple[float, bool]]:
        """(relevance, counted as relevant) of every page in the order of fetching: the harvest curve's steps."""
        query = "SELECT relevance, relevant AND duplicate_of IS NULL FROM pages ORDER BY seq"
        return [(relevance, bool(counted)) for relevance, counted in self._ask(query)]

    def simhashes(self) -> Iterator[tuple[int, str]]:
        """(simhash, URL) of every page that repeats no other and is still there."""
        query = (
            "SELECT p.simhash, u.url FROM pages p JOIN urls u ON u.id = p.id "
            f"WHERE duplicate_of IS NULL AND u.state = {FETCHED} ORDER BY seq"
        )
        for simhash, url in self._ask(query):
            yield simhash & UNSIGNED, url

    def hosts(self) -> list[HostRow]:
        """Hosts that were asked, those with most relevant pages first."""
        query = (
            "SELECT host, asked, pages, relevant, failed, bytes, last_asked, max(delay, 0.0) FROM hosts "
            "ORDER BY relevant DESC, pages DESC, host"
        )
        return [HostRow(*row) for row in self._ask(query)]

    def runs(self) -> list[CrawlRun]:
        rows = self._ask("SELECT id, started_at, ended_at, reason, software, config, counters FROM runs ORDER BY id")
        return [
            CrawlRun(number, start, end, reason, software, config, msgspec.json.decode(counters))
            for number, start, end, reason, software, config, counters in rows
        ]


def _stored_page(row: tuple[Any, ...]) -> StoredPage:
    page = StoredPage(*row)
    return msgspec.structs.replace(
        page,
        relevant=bool(page.relevant),
        noindex=bool(page.noindex),
        digest=warc.payload_digest(row[15]),
        simhash=page.simhash & UNSIGNED,
        duplicate_of=page.duplicate_of or "",
        state=STATES[row[27]],
        reason=row[28] if row[27] != FETCHED else "",
    )

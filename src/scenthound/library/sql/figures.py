"""How much there is of everything."""

from __future__ import annotations

from collections import Counter

import msgspec

from scenthound.library.folder import ARCHIVE
from scenthound.library.sql.queries import ALL, FINISHED, SqlQueries
from scenthound.library.sql.url_table import FAILED, FETCHED, MOVED, REFUSED, WAITING
from scenthound.model import reason_kind
from scenthound.protocols.records import CrawlRun, HostRow, LibraryCounts

COUNTS = "relevant AND duplicate_of IS NULL"  # as `StoredPage.counts` has it


class SqlFigures(SqlQueries):
    """`protocols.LibraryFigures`."""

    def counts(self) -> LibraryCounts:
        pages = self._ask(
            f"SELECT count(*), count(CASE WHEN {COUNTS} THEN 1 END), count(duplicate_of), "
            "CAST(coalesce(sum(bytes), 0) AS BIGINT), count(CASE WHEN noindex THEN 1 END) FROM pages"
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
            noindex=pages[4],
        )

    def _reasons(self, state: int) -> dict[str, int]:
        """How often each kind of reason was given, the most frequent first."""
        found: Counter[str] = Counter()
        query = f"SELECT reason, count(*) FROM urls WHERE {FINISHED} AND state = {state} GROUP BY reason"
        for reason, times in self._ask(query):
            found[reason_kind(reason)] += times
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def harvest(self) -> list[tuple[float, bool]]:
        """(relevance, counted as relevant) of pages as first judged, in the order of fetching: the harvest curve."""
        query = f"SELECT first_relevance, first_{COUNTS} FROM pages ORDER BY seq"
        return [(relevance, bool(counted)) for relevance, counted in self._ask(query)]

    def harvest_curve(self, cells: int) -> list[float]:
        """The share of pages that counted when they were fetched, in so many equal stretches of the crawl at most.

        A stretch at a time: to group a million rows by their stretch, SQLite would sort them.
        """
        last = self._ask("SELECT coalesce(max(seq), 0) FROM pages").fetchone()[0]
        width = max(1, -(-last // cells))
        query = (
            f"SELECT avg(CASE WHEN first_{COUNTS} THEN CAST(1 AS DOUBLE PRECISION) ELSE 0 END) FROM pages "
            "WHERE seq > ? AND seq <= ?"
        )
        found = [self._ask(query, (start, start + width)).fetchone()[0] for start in range(0, last, width)]
        return [round(share, 4) for share in found if share is not None]

    def hosts(self, limit: int = 0) -> list[HostRow]:
        """Hosts that were asked, those with most relevant pages first; of these so many, 0 for all."""
        query = (
            "SELECT host, asked, pages, relevant, failed, bytes, last_asked, "
            "CASE WHEN delay < 0 THEN 0.0 ELSE delay END FROM hosts ORDER BY relevant DESC, pages DESC, host LIMIT ?"
        )
        return [HostRow(*row) for row in self._ask(query, (limit or ALL,))]

    def runs(self) -> list[CrawlRun]:
        rows = self._ask("SELECT id, started_at, ended_at, reason, software, config, counters FROM runs ORDER BY id")
        return [
            CrawlRun(number, start, end, reason, software, config, msgspec.json.decode(counters))
            for number, start, end, reason, software, config, counters in rows
        ]

    def disk_bytes(self) -> int:
        """What the library takes up, what is derived from it left out. Files may come and go while we look."""
        total = self._database_bytes()
        for path in (self.folder / ARCHIVE).rglob("*"):
            try:
                total += path.stat().st_size if path.is_file() else 0
            except OSError:
                continue
        return total

    def _database_bytes(self) -> int:
        raise NotImplementedError

    def outcomes(self, since: float = 0.0) -> dict[str, int]:
        """How many looks since then showed what."""
        return dict(self._ask("SELECT outcome, count(*) FROM checks WHERE at >= ? GROUP BY 1", (since,)).fetchall())

    def ages(self, now: float) -> list[float]:
        """Seconds since each relevant page that is still there was last known to be as stored, youngest first."""
        query = f"SELECT p.checked_at FROM pages p JOIN urls u ON u.id = p.id WHERE p.relevant AND u.state = {FETCHED}"
        return sorted(max(0.0, now - at) for (at,) in self._ask(query))

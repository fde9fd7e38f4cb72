"""What became of every URL ever found: the table of URLs, asked."""

from __future__ import annotations

from collections.abc import Iterator

from scenthound import urls
from scenthound.library.sql.queries import FINISHED, SqlQueries
from scenthound.library.sql.url_table import FAILED, STATES, URL_ROW, WAITING, waiting_from
from scenthound.model import Link
from scenthound.protocols.records import UrlRow


class SqlDecisions(SqlQueries):
    """`protocols.Decisions`, but for what `derived_answers` derives."""

    def url_row(self, url: str) -> UrlRow | None:
        row = self._ask(f"{URL_ROW} WHERE u.id = ?", (urls.fingerprint(url),)).fetchone()
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

    def failed(self, kind: str = "") -> Iterator[Link]:
        """Every link that brought no page, in the order of discovery; only those of a kind, where one is named."""
        query = f"{URL_ROW} WHERE u.{FINISHED} AND u.state = {FAILED} {'AND u.kind = ?' if kind else ''} ORDER BY u.nth"
        for row in self._ask(query, (kind,) if kind else ()):
            yield waiting_from(row).link

    def ahead(self, row: UrlRow) -> tuple[int, int]:
        """How many waiting links have a better claim than this one: in all, and on its host."""
        better = f"FROM urls WHERE state = {WAITING} AND (priority > ? OR (priority = ? AND nth < ?))"
        claim = (row.priority, row.priority, row.order)
        return self._count(better, claim), self._count(f"{better} AND host = ?", (*claim, row.host))

    def urls_of_host(self, host: str, limit: int) -> list[str]:
        return [url for (url,) in self._ask("SELECT url FROM urls WHERE host = ? LIMIT ?", (host, limit))]

"""The links that wait, as a frontier asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenthound.library.sql.queries import FINISHED, SqlQueries
from scenthound.library.sql.url_table import REFUSED, URL_ROW, WAITING, waiting_from
from scenthound.model import Waiting
from scenthound.protocols.records import HostQueue


class SqlFrontierStore(SqlQueries):
    """`protocols.FrontierStore`."""

    def waiting(self, host: str, limit: int) -> list[Waiting]:
        query = f"{URL_ROW} WHERE u.state = {WAITING} AND u.host = ? ORDER BY u.priority DESC, u.nth, u.id LIMIT ?"
        same = {host: host}
        return [waiting_from(row, same) for row in self._ask(query, (host, limit))]

    def queues(self) -> Iterable[HostQueue]:
        query = f"SELECT host, count(*), max(priority) FROM urls WHERE state = {WAITING} GROUP BY host"
        return [HostQueue(*row) for row in self._ask(query)]

    def known(self) -> Iterator[tuple[int, bool]]:
        """Every URL that waits or is done with. Refused ones may be found again: the rules may have changed."""
        self.flush()
        for (number,) in self._stream(f"SELECT id FROM urls {self._through('urls_waiting')} WHERE state = {WAITING}"):
            yield number, True
        index = self._through("urls_finished")
        for (number,) in self._stream(f"SELECT id FROM urls {index} WHERE {FINISHED} AND state != {REFUSED}"):
            yield number, False

    def next_order(self) -> int:
        row = self._ask("SELECT value FROM counters WHERE name = 'order'").fetchone()
        return row[0] if row else 0

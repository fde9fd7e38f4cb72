"""The links that wait, as a frontier asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenthound.library.sqlite.queries import FINISHED, SqliteQueries
from scenthound.library.sqlite.url_table import REFUSED, URL_ROW, WAITING, waiting_from
from scenthound.model import Waiting
from scenthound.protocols.records import HostQueue


class SqliteFrontierStore(SqliteQueries):
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

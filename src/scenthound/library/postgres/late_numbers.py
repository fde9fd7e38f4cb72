"""A batch of steps that gets its numbers last.

Numbers of pages, versions and contents are given out under a lock that all who write to a library wait for, so as
little as possible is done while it is held: rows are laid out, packed and archived before, with numbers that count from
`FIRST`, and of links that were found, which are by far the most rows, the server has the values already. What is left
is to move the numbers to where the counters stand, and statements that are sent as one message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenthound.library.postgres.connection import PostgresConnection, StagedInsert
from scenthound.library.sql.bulk_insert import LEAST_COPIED
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.row_batch import PAGE_COLUMNS, Counters, RowBatch
from scenthound.library.sql.url_table import INSERTS, rows_by_kind

FIRST = 1 << 48
"""No counter comes near it, so whatever is as large is a number of this batch."""

PROVISIONAL = Counters(page=FIRST, version=FIRST, content=FIRST)

Row = tuple[Any, ...]


class LateBatch(RowBatch):
    """`RowBatch` laid out with `PROVISIONAL` numbers: `stage`, then, under the lock, `settle` and `write`."""

    _staged: Sequence[StagedInsert] = ()

    @property
    def digests(self) -> list[bytes]:
        """Of contents that nobody had stored when this was laid out."""
        return [row[1] for row in self._contents]

    def stage(self, connection: PostgresConnection) -> None:
        """Sends what needs no number ahead. Where a URL is written twice their order counts, and all waits."""
        if len(self._urls.rounds) > 1:
            return
        [current], staged = self._urls.rounds, []
        unnumbered = {key: record for key, record in current.items() if record.version is None}
        for kind, rows in rows_by_kind(unnumbered).items():
            if len(rows) >= LEAST_COPIED:
                staged.append(connection.stage_rows(INSERTS[kind].table, rows, INSERTS[kind].tail))
                for row in rows:
                    del current[row[0]]
        self._staged = staged

    def settle(self, counters: Counters, stored: Mapping[bytes, int]) -> None:
        """Moves all numbers to where the counters stand now. `stored`: contents that others have stored meanwhile."""
        given, page, version = self._counters, counters.page - FIRST, counters.version - FIRST
        contents = self._settle_contents(counters.content, stored, version)
        self._versions = [
            (row[0] + version, row[1], _moved(row[2], version), *row[3:7], contents.get(row[7], row[7]), *row[8:])
            for row in self._versions
        ]
        self._pages = [
            (row[0] + page, row[1], row[2] + version, *row[3:_CONTENT], contents.get(row[_CONTENT], row[_CONTENT]),
             *row[_CONTENT + 1 :])
            for row in self._pages
        ]  # fmt: skip
        self._links = [(row[0] + version, row[1]) for row in self._links]
        self._checks = [(*row[:6], _moved(row[6], version), *row[7:]) for row in self._checks]
        self._misses = [(row[0] + page, row[1]) for row in self._misses]
        self._finds = [(row[0] + page, row[1]) for row in self._finds]
        for record in (each for current in self._urls.rounds for each in current.values()):
            record.version = _moved(record.version, version)
        self._counters = Counters(
            given.page + page,
            given.version + version,
            counters.content + len(self._contents),
            max(given.order, counters.order),
        )

    def _settle_contents(self, following: int, stored: Mapping[bytes, int], version: int) -> dict[int | None, int]:
        """Where each content of this batch is now, by its provisional number."""
        numbers: dict[int | None, int] = {}
        rows: list[Row] = []
        for row in self._contents:
            if (known := stored.get(row[1])) is not None:
                numbers[row[0]] = known
                continue
            numbers[row[0]] = following + len(rows)
            rows.append((numbers[row[0]], row[1], row[2] + version, *row[3:]))
        self._contents = rows
        return numbers

    def write(self, connection: Connection) -> Counters:
        for each in self._staged:  # no other row of the batch is of the same URL
            connection.execute(each.query)
        return super().write(connection)


_CONTENT = PAGE_COLUMNS.index("content")


def _moved(number: int | None, by: int) -> int | None:
    return number + by if number is not None and number >= FIRST else number

"""A batch of steps that gets its numbers last, from the server.

Numbers of pages, versions and contents are given out under a lock that all who write to a library wait for, so as
little as possible is done while it is held: rows are laid out, packed and archived before, and of links that were
found, which are by far the most rows, the server has the values already. Where a number is to stand, a row has an
expression that the server works out (`LateNumber`, `LateContent`). So the lock, all statements and the end of the
transaction are one message: nobody waits for this process while it holds the lock, busy, stopped or cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from psycopg.adapt import Dumper

from scenthound.library.postgres.connection import PostgresConnection, StagedInsert
from scenthound.library.sql.bulk_insert import LEAST_COPIED, Insert
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.row_batch import PAGE_COLUMNS, Counters, RowBatch
from scenthound.library.sql.url_table import INSERTS, rows_by_kind

FIRST = 1 << 48
"""No counter comes near it, so whatever is as large is a number of this batch."""

PROVISIONAL = Counters(page=FIRST, version=FIRST, content=FIRST)

LOCK = "SELECT 1 FROM counters ORDER BY name FOR UPDATE"
NEXT_NUMBERS = "SELECT set_config('scenthound.next_' || name, CAST(value AS TEXT), TRUE) FROM counters"
"""For the rest of the transaction. A statement of its own: it is begun when the lock is had, and sees what holds."""


class LateNumber(Struct, frozen=True):
    """So many after the next free one of its kind."""

    kind: str  # page, version or content
    nth: int


class LateContent(Struct, frozen=True):
    """The number of the body with this digest, whoever has stored it."""

    digest: bytes


class LateNumberDumper(Dumper):
    def dump(self, obj: LateNumber) -> bytes:
        raise TypeError("a number that the server gives is no value: it belongs in a statement")

    def quote(self, obj: LateNumber) -> bytes:
        return f"(CAST(current_setting('scenthound.next_{obj.kind}') AS BIGINT) + {obj.nth})".encode()


class LateContentDumper(LateNumberDumper):
    def quote(self, obj: LateContent) -> bytes:  # type: ignore[override]
        return f"(SELECT id FROM contents WHERE digest = '\\x{obj.digest.hex()}')".encode()


def accept_late_numbers(connection: PostgresConnection) -> None:
    """Statements of this connection may have them among their values."""
    connection.raw.adapters.register_dumper(LateNumber, LateNumberDumper)
    connection.raw.adapters.register_dumper(LateContent, LateContentDumper)


class LateBatch(RowBatch):
    """`RowBatch` laid out with `PROVISIONAL` numbers: `stage`, then `write`, whose statements begin with the lock."""

    _staged: Sequence[StagedInsert] = ()

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

    def write(self, connection: Connection) -> Counters:
        """`connection` keeps statements: they mean something only after the two that stand first, and in one
        transaction."""
        connection.execute(LOCK)
        connection.execute(NEXT_NUMBERS)
        self._number_late()
        for each in self._staged:  # no other row of the batch is of the same URL
            connection.execute(each.query)
        return super().write(connection)

    def _number_late(self) -> None:
        self._versions = [
            (_version(row[0]), row[1], _version(row[2]), *row[3:7], _content(row[7], row[6]), *row[8:])
            for row in self._versions
        ]
        self._pages = [
            (_page(row[0]), row[1], _version(row[2]), *row[3:_CONTENT], _content(row[_CONTENT], row[_DIGEST]),
             *row[_CONTENT + 1 :])
            for row in self._pages
        ]  # fmt: skip
        self._contents = [(row[0] - FIRST, row[1], _version(row[2]), *row[3:]) for row in self._contents]
        self._links = [(_version(row[0]), row[1]) for row in self._links]
        self._checks = [(*row[:6], _version(row[6]), *row[7:]) for row in self._checks]
        self._misses = [(_page(row[0]), *row[1:]) for row in self._misses]
        self._finds = [(_page(row[0]), row[1]) for row in self._finds]
        for record in (each for current in self._urls.rounds for each in current.values()):
            record.version = _version(record.version)

    def _write_contents(self, connection: Connection) -> None:
        _CONTENTS(connection, self._contents)

    def _write_counters(self, connection: Connection) -> None:
        given = self._counters
        connection.execute(_COUNTERS, (given.page - FIRST, given.version - FIRST, given.order))


_CONTENTS = Insert(
    "contents (id, digest, version, title, text) SELECT greatest(CAST(current_setting('scenthound.next_content') AS "
    "BIGINT), (SELECT max(id) + 1 FROM contents)) + row_number() OVER (ORDER BY v.nth) - 1, v.digest, v.version, "
    "v.title, v.text FROM (",
    5,
    ") AS v (nth, digest, version, title, text) WHERE NOT EXISTS (SELECT 1 FROM contents c WHERE c.digest = v.digest)",
    values="(?, CAST(? AS BYTEA), ?, ?, CAST(? AS BYTEA))",
)
"""Those that nobody has stored meanwhile."""
_COUNTERS = (
    "UPDATE counters SET value = CASE name WHEN 'page' THEN value + ? WHEN 'version' THEN value + ? "
    "WHEN 'order' THEN greatest(value, ?) WHEN 'content' "
    "THEN greatest(value, (SELECT max(id) + 1 FROM contents)) ELSE value END"
)
_CONTENT, _DIGEST = PAGE_COLUMNS.index("content"), PAGE_COLUMNS.index("digest")


def _page(number: int) -> Any:
    return LateNumber("page", number - FIRST)


def _version(number: int | None) -> Any:
    return LateNumber("version", number - FIRST) if number is not None and number >= FIRST else number


def _content(number: int | None, digest: bytes) -> Any:
    return LateContent(digest) if number is not None and number >= FIRST else number

"""What PostgreSQL is asked otherwise than SQLite."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scenthound.library.postgres.backlink_index import catch_up
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sql.writer import Writer

STRETCH = 50_000
LISTED = "(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON)))"
DERIVED = ("backlinks", "search_words", "search_languages", "search_sites")


class PostgresQueries(SqlQueries):
    def __init__(self, folder: Path, connection: PostgresConnection, writer: Writer | None = None) -> None:
        super().__init__(folder, connection, writer)
        self._postgres = connection

    def _stream(self, query: str) -> Iterable[Any]:
        """A stretch at a time: the driver holds an answer as a whole. The query's first column is the id."""
        after = -(1 << 63)
        while rows := self._ask(f"{query} AND id > ? ORDER BY id LIMIT {STRETCH}", (after,)).fetchall():
            yield from rows
            after = rows[-1][0]

    def _truncated(self, number: str) -> str:
        return f"CAST(trunc({number}) AS INTEGER)"

    def _listed(self) -> str:
        return LISTED

    def _sources(self, target: int) -> list[int]:
        self.flush()
        catch_up(self._postgres)
        rows = self._ask("SELECT source FROM backlinks WHERE target = ? ORDER BY source", (target,))
        return [source for (source,) in rows]

    def _database_bytes(self) -> int:
        query = (
            "SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r' "
            f"AND c.relname NOT IN ({', '.join('?' * len(DERIVED))})"
        )
        return int(self._ask(query, (self._postgres.address.name, *DERIVED)).fetchone()[0])

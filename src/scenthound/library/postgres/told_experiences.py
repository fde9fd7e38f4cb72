"""What workers told each other of late: a table that nobody needs after a minute, so it is not logged.

Rows are told under a lock, so that whoever has seen a number has seen all before it.
"""

from __future__ import annotations

import time

from scenthound.library.library_address import LibraryAddress
from scenthound.library.postgres.connection import PostgresConnection

KEPT = 60.0
"""Seconds: a worker that listens less often has lost its leases, and relives what was stored."""

TABLE = """
CREATE UNLOGGED TABLE IF NOT EXISTS experiences (
    nth BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, teller TEXT NOT NULL, content BYTEA NOT NULL,
    told_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
)
"""


class ToldExperiences:
    """With a connection of its own, which is made when it is needed: exchanging happens beside the crawl."""

    def __init__(self, address: LibraryAddress) -> None:
        self._address = address
        self._opened: PostgresConnection | None = None
        self._cleared_at = time.monotonic()

    @property
    def _connection(self) -> PostgresConnection:
        if self._opened is None:
            self._opened = PostgresConnection(self._address)
        return self._opened

    def tell(self, teller: str, content: bytes) -> None:
        connection = self._connection
        connection.begin()
        try:
            key = f"scenthound experiences {self._address.name}"
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (key,))
            connection.execute("INSERT INTO experiences (teller, content) VALUES (?, ?)", (teller, content))
            if time.monotonic() > self._cleared_at + KEPT:
                old = "DELETE FROM experiences WHERE told_at < clock_timestamp() - make_interval(secs => ?)"
                connection.execute(old, (KEPT,))
                self._cleared_at = time.monotonic()
            connection.commit()
        except BaseException:
            connection.roll_back()
            raise

    def told_since(self, number: int, teller: str) -> list[tuple[int, str, bytes]]:
        query = "SELECT nth, teller, content FROM experiences WHERE nth > ? AND teller != ? ORDER BY nth"
        rows = self._connection.execute(query, (number, teller)).fetchall()
        return [(nth, who, bytes(content)) for nth, who, content in rows]

    def last_told(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(nth), 0) FROM experiences").fetchone()[0])

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

"""What only SQLite is to be told, and the index of backlinks beside `library.db`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from scenthound.library.folder import DATABASE
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sql.writer import Writer
from scenthound.library.sqlite.backlink_index import BacklinkIndex

LISTED = "(SELECT value FROM json_each(?))"


class SqliteQueries(SqlQueries):
    """SQLite sees few of the roads to an answer, so it is told which one to take."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, writer: Writer | None = None) -> None:
        super().__init__(folder, connection, writer)
        self._sqlite = connection
        self._backlinks: BacklinkIndex | None = None

    def _truncated(self, number: str) -> str:
        return f"CAST({number} AS INTEGER)"

    def _listed(self) -> str:
        return LISTED

    def _through(self, index: str) -> str:
        return f"INDEXED BY {index}"

    def _pages_first(self, index: str = "") -> str:
        hint = {"": "", "none": "NOT INDEXED"}.get(index, f"INDEXED BY {index}")
        return f"pages p {hint} CROSS JOIN urls u ON u.id = p.id"

    def _sources(self, target: int) -> list[int]:
        """The first question after a crawl takes a while: see `backlink_index`."""
        self.flush()
        if self._backlinks is None:
            self._backlinks = BacklinkIndex(self.folder)
        self._backlinks.catch_up(self._sqlite)
        return list(self._backlinks.sources(target))

    def _database_bytes(self) -> int:
        try:
            return (self.folder / DATABASE).stat().st_size
        except OSError:
            return 0

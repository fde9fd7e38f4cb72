"""The one way to ask the database: what was recorded before the question is stored before it is answered.

Long answers come in slices, each a query of its own, so that whoever reads slowly holds nothing up and needs
constant memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scenthound.library.sqlite.writer import Writer

SLICE = 500
FINISHED = "state > 0"  # as the partial index has it: SQLite does not see that `state = 2` implies it


class SqliteQueries:
    """A connection to ask, and the writer to wait for where there is one."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, writer: Writer | None = None) -> None:
        self._folder = folder
        self._connection = connection
        self._writer = writer

    @property
    def folder(self) -> Path:
        return self._folder

    def flush(self) -> None:
        """Everything recorded so far is stored when this returns."""
        if self._writer is not None:
            self._writer.flush()

    def _ask(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        self.flush()
        return self._connection.execute(query, values)

    def _count(self, what: str, values: Sequence[Any] = ()) -> int:
        return int(self._ask(f"SELECT count(*) {what}", values).fetchone()[0])

    def _writing(self) -> Writer:
        if self._writer is None:
            raise TypeError("this library was opened for reading")
        return self._writer

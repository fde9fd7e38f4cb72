"""The one way to ask the database: what was recorded before the question is stored before it is answered.

Long answers come in slices, each a query of its own, so that whoever reads slowly holds nothing up and needs
constant memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scenthound.library.sql.connection import Connection, Cursor
from scenthound.library.sql.writer import Writer

SLICE = 500
ALL = 1 << 62  # rows: SQLite has no word for "no limit", and PostgreSQL no negative number
FINISHED = "state > 0"  # as the partial index has it: SQLite does not see that `state = 2` implies it


class SqlQueries:
    """A connection to ask, and the writer to wait for where there is one."""

    def __init__(self, folder: Path, connection: Connection, writer: Writer | None = None) -> None:
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

    def _ask(self, query: str, values: Sequence[Any] = ()) -> Cursor:
        self.flush()
        return self._connection.execute(query, values)

    def _stream(self, query: str) -> Iterable[Any]:
        """The rows of an answer that may not fit in memory."""
        return self._ask(query)

    def _count(self, what: str, values: Sequence[Any] = ()) -> int:
        return int(self._ask(f"SELECT count(*) {what}", values).fetchone()[0])

    def _truncated(self, number: str) -> str:
        """The whole part of a number, in SQL."""
        raise NotImplementedError

    def _listed(self) -> str:
        """The numbers of a JSON array, in SQL."""
        raise NotImplementedError

    def _through(self, index: str) -> str:
        """Names the index to go through where a backend would choose a worse one; SQLite does."""
        return ""

    def _pages_first(self, index: str = "") -> str:
        """Pages joined with their URLs, going through the pages: by an index, or "none" of them."""
        return "pages p JOIN urls u ON u.id = p.id"

    def _writing(self) -> Writer:
        if self._writer is None:
            raise TypeError("this library was opened for reading")
        return self._writer

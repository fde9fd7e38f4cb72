"""Many rows in few statements.

Every call into SQLite gives up Python's global lock, and a thread that wants it back from a busy one waits up to 5 ms.
`executemany` makes a call a row; a statement with many rows makes one call for all of them. A connection that can take
rows in faster than by statements (`CopiesRows`) is handed them as they are, where they are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Protocol, runtime_checkable

from scenthound.library.sql.connection import Connection
from scenthound.text.surrogates import encodable

Row = Sequence[Any]

MOST_VALUES = 2048
LEAST_COPIED = 48  # rows from which on that pays


@runtime_checkable
class CopiesRows(Protocol):
    def copy_rows(self, table: str, rows: Sequence[Row], tail: str) -> None:
        """As `INSERT INTO table VALUES (...), (...) tail`; the table has its columns named, in brackets behind it."""
        ...


class Insert:
    """`INSERT INTO table VALUES (...), (...) <tail>`, in statements of 1, 2, 4, ... rows so that few are compiled."""

    def __init__(self, table: str, columns: int, tail: str = "", *, values: str = "") -> None:
        self._table = table
        self._is_plain = table.endswith(")") and not values
        self._head = f"INSERT INTO {table} VALUES "
        self._values = values or f"({', '.join('?' * columns)})"
        self._tail = f" {tail}"
        self._columns = columns
        self._most = 1 << (MOST_VALUES // columns).bit_length() - 1
        self._statements: dict[int, str] = {}

    @property
    def table(self) -> str:
        return self._table

    @property
    def tail(self) -> str:
        return self._tail

    def __call__(self, connection: Connection, rows: Sequence[Row]) -> None:
        if self._is_plain and len(rows) >= LEAST_COPIED and isinstance(connection, CopiesRows):
            connection.copy_rows(self._table, rows, self._tail)
            return
        done, count = 0, len(rows)
        while done < count:
            size = min(self._most, 1 << (count - done).bit_length() - 1)
            values = list(chain.from_iterable(rows[done : done + size]))
            try:
                connection.execute(self._statement(size), values)
            except UnicodeEncodeError:
                connection.execute(self._statement(size), encodable(values))
            done += size

    def _statement(self, size: int) -> str:
        if size not in self._statements:
            self._statements[size] = self._head + ", ".join([self._values] * size) + self._tail
        return self._statements[size]

"""What is asked of a connection to a database, whichever it is: as much as `sqlite3` has of it.

Values stand as `?` in a query. A cursor is read from at once, or while nothing else is asked of the connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Cursor: ...

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Cursor: ...

    def close(self) -> None: ...

"""Steps and changes, stored a transaction at a time: what backends share of it. The `writer` decides when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from scenthound.errors import LibraryError
from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.row_batch import Counters, RowBatch
from scenthound.model import Step

MOST_SHUNNED = 200_000

Statement = tuple[str, Sequence[Any]]
Change = Callable[[Connection], None]


class Transactions(ABC):
    """To be used by one thread. Closes connection and archive at its end."""

    def __init__(self, connection: Connection, archive: WarcArchive | None) -> None:
        self._connection = connection
        self._archive = archive
        self._shunned: set[int] = set()

    def store(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None:
        """All of it in one transaction; the steps are let go of as they are laid out."""
        if len(self._shunned) > MOST_SHUNNED:
            self._shunned.clear()
        self._run(steps, changes)
        if self._archive is not None:
            self._archive.commit()

    @abstractmethod
    def _run(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None: ...

    def _write(
        self, batch: RowBatch, changes: Sequence[Statement | Change], connection: Connection | None = None
    ) -> Counters:
        """By the connection of all, or by one that does the same in another way."""
        through = connection or self._connection
        counters = batch.write(through)
        for change in changes:
            if callable(change):
                change(through)
            else:
                through.execute(*change)
        return counters

    def stored(self, count: int) -> None:  # noqa: B027
        """So many more are in the database, and whoever waited for them knows."""

    def give_up(self) -> None:
        """After an error: back to the last transaction, as far as that can be done. The next opening does the rest."""
        self._roll_back()
        if self._archive is not None:
            self._archive.rollback()

    @abstractmethod
    def _roll_back(self) -> None: ...

    @abstractmethod
    def finish(self) -> None:
        """All that is stored is on the disk after this."""

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()
        self._connection.close()

    @abstractmethod
    def explain(self, error: BaseException) -> LibraryError:
        """An error in words that a person can act on."""

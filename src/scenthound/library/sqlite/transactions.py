"""Steps on their way into SQLite: rows are laid out first, and the database is held only while they are written."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from scenthound.errors import LibraryError
from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.sql.row_batch import Counters, RowBatch
from scenthound.library.sql.transactions import Change, Statement, Transactions
from scenthound.library.sqlite.checkpoints import Checkpoints
from scenthound.library.sqlite.explain_error import explain
from scenthound.model import Step

CHECKPOINT_STEPS = 512


class SqliteTransactions(Transactions):
    def __init__(
        self, connection: sqlite3.Connection, archive: WarcArchive | None, checkpoints: Checkpoints, folder: Path
    ) -> None:
        super().__init__(connection, archive)
        self._sqlite = connection
        self._checkpoints = checkpoints
        self._folder = folder
        self._counters = Counters.load(connection)
        self._unsynced = 0

    def _run(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None:
        batch = RowBatch(steps, self._sqlite, self._archive, self._counters, self._shunned)
        self._sqlite.execute("BEGIN IMMEDIATE")
        counters = self._write(batch, changes)
        self._sqlite.execute("COMMIT")
        self._counters = counters

    def stored(self, count: int) -> None:
        self._unsynced += count
        if self._unsynced >= CHECKPOINT_STEPS and self._checkpoints.begin():
            self._unsynced = 0

    def _roll_back(self) -> None:
        if self._sqlite.in_transaction:
            self._sqlite.execute("ROLLBACK")

    def finish(self) -> None:
        self._checkpoints.whole()

    def close(self) -> None:
        self._checkpoints.close()
        super().close()

    def explain(self, error: BaseException) -> LibraryError:
        return explain(error, self._folder)

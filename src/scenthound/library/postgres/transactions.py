"""Steps on their way into PostgreSQL.

Numbers (of pages, versions, contents, links) are given out under a lock that a transaction holds to its end. So they
become visible in their order, however many write at once, and whoever has seen the last one has seen all before it.
The WARC file is on the disk before the transaction that names its bytes ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from scenthound.errors import LibraryError
from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.explain_error import explain
from scenthound.library.sql.row_batch import Counters, RowBatch
from scenthound.library.sql.transactions import Change, Statement, Transactions
from scenthound.model import Step


class PostgresTransactions(Transactions):
    def __init__(self, connection: PostgresConnection, archive: WarcArchive | None) -> None:
        super().__init__(connection, archive)
        self._postgres = connection
        self._may_have_ended = False

    def _run(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None:
        self._postgres.begin()
        self._guard()
        rows = self._postgres.execute("SELECT name, value FROM counters ORDER BY name FOR UPDATE").fetchall()
        batch = RowBatch(steps, self._postgres, self._archive, Counters(**dict(rows)), self._shunned)
        self._write(batch, changes)
        if self._archive is not None:
            self._archive.sync()
        self._may_have_ended = True
        self._postgres.commit()
        self._may_have_ended = False

    def _guard(self) -> None:
        """May this be written at all? One crawl a library has its lock; workers that share one have leases."""

    def _roll_back(self) -> None:
        self._postgres.roll_back()

    def give_up(self) -> None:
        """Where the server was lost in the middle of a COMMIT nobody here knows whether it counts: the archive keeps
        its bytes then. Those that no row speaks of are cut off when it is opened next."""
        if not self._may_have_ended:
            super().give_up()

    def finish(self) -> None:
        """PostgreSQL has it on its disk when a transaction ends."""

    def close(self) -> None:
        with suppress(LibraryError):  # the server takes the lock back by itself, a moment later
            self._postgres.execute("SELECT pg_advisory_unlock_all()")
        super().close()

    def explain(self, error: BaseException) -> LibraryError:
        return explain(error, self._postgres.address)

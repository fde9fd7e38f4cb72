"""Steps on their way into PostgreSQL.

Numbers (of pages, versions, contents, links) are given out under a lock that a transaction holds to its end. So they
become visible in their order, however many write at once, and whoever has seen the last one has seen all before it.
What can be done without the lock is done before (`late_numbers`); the rest, from the lock to the end of the
transaction, is sent as one message. The WARC file is on the disk before the transaction that names its bytes begins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from scenthound.errors import LibraryError
from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.postgres.connection import PostgresConnection, Statements
from scenthound.library.postgres.explain_error import explain
from scenthound.library.postgres.late_numbers import PROVISIONAL, LateBatch, accept_late_numbers
from scenthound.library.sql.transactions import Change, Statement, Transactions
from scenthound.model import Step


class PostgresTransactions(Transactions):
    def __init__(self, connection: PostgresConnection, archive: WarcArchive | None) -> None:
        super().__init__(connection, archive)
        self._postgres = connection
        accept_late_numbers(connection)
        self._may_have_ended = False

    def _run(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None:
        connection = self._postgres
        batch = LateBatch(steps, connection, self._archive, PROVISIONAL, self._shunned)
        if self._archive is not None:
            self._archive.sync()
        connection.begin()
        batch.stage(connection)
        statements = Statements(connection)
        asking = [change for change in changes if callable(change)]  # the server: how many rows it was about, say
        self._write(batch, [change for change in changes if not callable(change)], statements)
        if asking:
            connection.script(statements.text().decode())
            statements.close()
        for change in asking:
            change(connection)
        self._may_have_ended = True
        connection.commit(statements)
        self._may_have_ended = False

    def _roll_back(self) -> None:
        self._postgres.roll_back()

    def give_up(self) -> None:
        """Where the server was lost in the middle of a COMMIT nobody here knows whether it counts: the archive keeps
        its bytes then. Those that no row speaks of are cut off when it is opened next."""
        if not self._may_have_ended or self._postgres.is_undone:
            super().give_up()

    def finish(self) -> None:
        """PostgreSQL has it on its disk when a transaction ends."""

    def close(self) -> None:
        with suppress(LibraryError):  # the server takes the lock back by itself, a moment later
            self._postgres.execute("SELECT pg_advisory_unlock_all()")
        super().close()

    def explain(self, error: BaseException) -> LibraryError:
        return explain(error, self._postgres.address)

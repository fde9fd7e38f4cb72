"""A connection to PostgreSQL that is asked as one to SQLite is: `?` for values, and errors a person can act on.

PostgreSQL's texts hold no NUL, and pages do: it is written as two characters nobody uses, and read back as NUL.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.types.string import StrDumperUnknown, TextLoader

from scenthound.library.library_address import LibraryAddress
from scenthound.library.postgres.explain_error import explain
from scenthound.library.sql.connection import Cursor
from scenthound.text.surrogates import encodable

PATIENCE = 10  # seconds until a server that does not answer is given up
LOST_IN_SECONDS: dict[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A server that is gone, or behind a cut cable, is noticed after about ten seconds, and not after hours."""

MARK = "\U0010fffe"  # no character, says Unicode: what stands for NUL begins with it, and so does what stands for it


class TextDumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:
        if "\0" in obj or MARK in obj:
            obj = obj.replace(MARK, f"{MARK}1").replace("\0", f"{MARK}0")
        return super().dump(obj)


class AnyTextLoader(TextLoader):
    def load(self, data: Any) -> Any:
        text = super().load(data)
        if isinstance(text, str) and MARK in text:
            text = text.replace(f"{MARK}0", "\0").replace(f"{MARK}1", MARK)
        return text


class StagedInsert(NamedTuple):
    """Rows that the server has, and the statement that puts them in place."""

    staged: str
    query: str


class PostgresConnection:
    """`sql.connection.Connection` over psycopg. Every statement is its own transaction, unless one was begun."""

    def __init__(self, address: LibraryAddress, *, lasting: bool = False, most_idle: float = 0.0) -> None:
        """`lasting`: it holds a lock, so that when it breaks nobody may go on as if nothing had happened.

        `most_idle`: seconds after which the server ends a transaction of somebody who says nothing, stopped or cut off
        as it may be, so that others do not wait for its locks; 0 = never.
        """
        self.address = address
        self._lasting = lasting
        self._most_idle = most_idle
        self.raw = _connect(address, most_idle)
        self._begun = False
        self._done_with = False
        self._staging: set[str] = set()

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Cursor:
        try:
            if self.raw.closed and not (self._begun or self._lasting or self._done_with):
                self._connect_again()
            return self.raw.execute(translated(query), tuple(values))
        except psycopg.Error as error:
            raise explain(error, self.address) from error

    def _connect_again(self) -> None:
        """The server was started anew: whoever only reads goes on."""
        self.raw = _connect(self.address, self._most_idle)
        self._staging.clear()
        if self._done_with:  # by another thread, meanwhile
            self.raw.close()

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Cursor:
        try:
            cursor = self.raw.cursor()
            cursor.executemany(translated(query), rows)
            return cursor
        except psycopg.Error as error:
            raise explain(error, self.address) from error

    def copy_rows(self, table: str, rows: Sequence[Sequence[Any]], tail: str) -> None:
        """`bulk_insert.CopiesRows`: by COPY, into a table of this connection's own, and from there in one statement.

        A statement with thousands of values costs both sides several times as much.
        """
        if not self._begun:  # the rows are gone at the end of a transaction
            self.begin()
            try:
                self.copy_rows(table, rows, tail)
                self.commit()
            except BaseException:
                self.roll_back()
                raise
            return
        insert = self.stage_rows(table, rows, tail)
        self.execute(insert.query)
        self.execute(f"DELETE FROM {insert.staged}")  # there may be more in the same transaction

    def stage_rows(self, table: str, rows: Sequence[Sequence[Any]], tail: str) -> StagedInsert:
        """Has the server take the rows, into a table of this connection's own; the statement that puts them in place.

        One such set of rows a table and tail may wait in a transaction.
        """
        name, columns = table.rstrip(")").split(" (", 1)
        staged = f"staged_{crc32(f'{table} {tail}'.encode()):08x}"
        try:
            "".join(value for row in rows for value in row if type(value) is str).encode()
        except UnicodeEncodeError:
            rows = [encodable(list(row)) for row in rows]
        if staged not in self._staging:
            self.execute(
                f"CREATE TEMPORARY TABLE IF NOT EXISTS {staged} ON COMMIT DELETE ROWS AS SELECT {columns} FROM {name} "
                "WITH NO DATA"
            )
            self._staging.add(staged)
        try:
            with self.raw.cursor().copy(f"COPY {staged} FROM STDIN".encode()) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.Error as error:
            raise explain(error, self.address) from error
        return StagedInsert(staged, f"INSERT INTO {table} SELECT {columns} FROM {staged}{tail}")

    def ask_together(self, statements: Statements) -> list[list[tuple[Any, ...]]]:
        """The rows of each statement, all of which are sent as one message: the server never waits for the next one."""
        try:
            cursor = self.raw.execute(statements.text())
            answers = [_rows(cursor)]
            while cursor.nextset():
                answers.append(_rows(cursor))
            return answers
        except psycopg.Error as error:
            raise explain(error, self.address) from error

    def script(self, statements: str) -> None:
        """Many statements in one go, as they are."""
        try:
            self.raw.execute(statements.encode())
        except psycopg.Error as error:
            raise explain(error, self.address) from error

    def connect_if_lost(self) -> None:
        """Where the server was started anew, unless somebody has to know."""
        if self.raw.closed and not self._lasting:
            self.execute("SELECT 1")

    def begin(self, how: str = "") -> None:
        self.connect_if_lost()
        self._begun = True
        self.execute(f"BEGIN {how}")

    def commit(self, last: Statements | None = None) -> None:
        """`last`: statements that end the transaction, sent with its end as one message.

        So whatever locks they take, nobody waits for this process while it has them, stopped or cut off as it may be.
        """
        ending = last or Statements(self)
        ending.execute("COMMIT")
        self.script(ending.text().decode())
        self._begun = False

    @property
    def is_undone(self) -> bool:
        """Whether the server has refused a statement of the transaction that was begun: it did not come about."""
        return not self.raw.closed and self.raw.info.transaction_status == TransactionStatus.INERROR

    def roll_back(self) -> None:
        self._begun = False
        self._staging.clear()  # tables that were made in it are gone
        if not self.raw.closed:
            self.execute("ROLLBACK")

    def close(self) -> None:
        self._done_with = True
        self.raw.close()


class Statements:
    """`sql.connection.Connection` that keeps statements, for `PostgresConnection` to send as one message."""

    def __init__(self, connection: PostgresConnection) -> None:
        self._cursor = psycopg.ClientCursor(connection.raw)
        self._texts: list[str] = []

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Cursor:
        self._texts.append(self._cursor.mogrify(translated(query), tuple(values)))
        return self._cursor  # there is nothing to read from it

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Cursor:
        for row in rows:
            self.execute(query, row)
        return self._cursor

    def add(self, others: Statements | None) -> None:
        self._texts += others._texts if others is not None else ()

    def text(self) -> bytes:
        return ";".join(self._texts).encode()

    def close(self) -> None:
        self._texts.clear()


def _rows(cursor: psycopg.Cursor[Any]) -> list[tuple[Any, ...]]:
    return cursor.fetchall() if cursor.description is not None else []


def _connect(address: LibraryAddress, most_idle: float) -> psycopg.Connection[Any]:
    try:
        raw = psycopg.connect(
            address.server,
            autocommit=True,
            connect_timeout=PATIENCE,
            client_encoding="utf8",
            application_name=f"scenthound {socket.gethostname()[:24]} {os.getpid()}",
            **LOST_IN_SECONDS,
        )
    except psycopg.Error as error:
        raise explain(error, address) from error
    try:
        raw.adapters.register_dumper(str, TextDumper)
        raw.adapters.register_loader("text", AnyTextLoader)
        raw.execute(sql.SQL("SET search_path = {}").format(sql.Identifier(address.name)))
        if most_idle:
            raw.execute(f"SET idle_in_transaction_session_timeout = {1000 * most_idle:.0f}".encode())
        return raw
    except psycopg.Error as error:
        raw.close()
        raise explain(error, address) from error


@lru_cache(maxsize=1024)
def translated(query: str) -> bytes:
    """A query as psycopg wants it. Values stand as `?`, and no query of ours has one in a text."""
    return query.replace("%", "%%").replace("?", "%s").encode()

"""What a row of each table must be like: how a check finds values that were damaged, and what a repair takes over.

SQLite's own check sees that pages of the file fit together. Of a byte that changed within a value it knows nothing.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.library.archive.compression import unpack
from scenthound.library.sql.row_batch import unpack_links
from scenthound.library.sql.url_table import STATES
from scenthound.library.sqlite.migrations import MIGRATIONS

Row = Sequence[Any]
Values = Mapping[str, Any]

_KINDS: dict[str, type | tuple[type, ...]] = {"INTEGER": int, "REAL": (float, int), "TEXT": str, "BLOB": bytes}
SHA1 = 20


class TableColumn(Struct, frozen=True):
    name: str
    kind: str  # INTEGER, REAL, TEXT or BLOB
    nullable: bool
    key: bool


class TableRules(Struct, frozen=True):
    """A table as the schema has it."""

    name: str
    columns: tuple[TableColumn, ...]
    has_rowid: bool

    def fault(self, row: Row) -> str:
        """What is wrong with a row whose texts are still bytes; nothing where it is as it should be."""
        if len(row) != len(self.columns):
            return "a row of another length"
        values = {}
        for column, value in zip(self.columns, row, strict=True):
            decoded = self._value(column, value)
            if decoded is None and not (value is None and column.nullable):
                return f"a {column.name} that is none"
            values[column.name] = decoded
        further = FURTHER.get(self.name)
        try:
            return further(values) if further is not None else ""
        except (ValueError, TypeError, KeyError, zlib.error, msgspec.MsgspecError):
            return "a packed value that cannot be unpacked"

    def decoded(self, row: Row) -> tuple[Any, ...]:
        """A row without fault, as it was stored."""
        return tuple(self._value(column, value) for column, value in zip(self.columns, row, strict=True))

    def _value(self, column: TableColumn, value: Any) -> Any:
        if column.kind == "TEXT" and isinstance(value, bytes):
            try:
                return value.decode()
            except UnicodeDecodeError:
                return None
        return value if isinstance(value, _KINDS[column.kind]) else None


@cache
def tables(version: int = 0) -> dict[str, TableRules]:
    """Every table of a library of a version of the schema; of today's where none is named."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in MIGRATIONS[: version or len(MIGRATIONS)]:
            step(connection)
        rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
        return {name: _rules(connection, name, "WITHOUT ROWID" not in sql) for name, sql in rows}


def _rules(connection: sqlite3.Connection, name: str, has_rowid: bool) -> TableRules:
    columns = tuple(
        TableColumn(column, kind, not (required or key), bool(key))
        for _, column, kind, required, _, key in connection.execute(f"PRAGMA table_info({name})")
    )
    return TableRules(name, columns, has_rowid)


# What else must be so


def _url(row: Values) -> str:
    if urls.fingerprint(row["url"]) != row["id"]:
        return "a URL that is not the one it was stored under"
    return "" if 0 <= row["state"] < len(STATES) else "a state that there is not"


def _page(row: Values) -> str:
    if len(row["digest"]) != SHA1:
        return "a digest that is none"
    counted = min(row[name] for name in ("seq", "versions", "bytes", "wire", "depth", "status"))
    return "" if counted >= 0 and {row["relevant"], row["noindex"]} <= {0, 1} else "figures that cannot be"


def _version(row: Values) -> str:
    if len(row["digest"]) != SHA1:
        return "a digest that is none"
    place = (row["warc"], row["offset"], row["length"])
    known = [part for part in place if part is not None]
    return "" if not known or (len(known) == 3 and min(known) >= 0) else "no place in the archive"


def _content(row: Values) -> str:
    unpack(row["text"]).decode()
    return "" if len(row["digest"]) == SHA1 else "a digest that is none"


def _links(row: Values) -> str:
    unpack_links(row["packed"], "")
    return ""


def _run(row: Values) -> str:
    msgspec.json.decode(row["counters"], type=dict[str, float])
    return ""


def _image(row: Values) -> str:
    return "" if urls.fingerprint(row["url"]) == row["id"] else "a URL that is not the one it was stored under"


FURTHER: dict[str, Callable[[Values], str]] = {
    "urls": _url,
    "pages": _page,
    "versions": _version,
    "contents": _content,
    "links": _links,
    "runs": _run,
    "images": _image,
}

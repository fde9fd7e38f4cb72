"""The tables that are a library, for whoever moves one from database to database: all of them, with their columns.

What is derived from them (search, backlinks) is not here: it is derived anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from scenthound.library.sql.bulk_insert import Insert
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.row_batch import PAGE_COLUMNS
from scenthound.library.sql.url_table import COLUMNS

SLICE = 1000
OWN_NOTES = ("format", "folder", "backlinks seen", "search seen")
"""Notes that are about one database, and mean nothing in another."""


class Table(Struct, frozen=True):
    """`key` is the first column; rows are read in its order. `truths` are the columns that say yes or no."""

    name: str
    columns: tuple[str, ...]
    truths: tuple[str, ...] = ()
    counts: bool = False  # the key is given out by the database, one after the other

    def rows(self, connection: Connection) -> Iterator[list[tuple[Any, ...]]]:
        """All rows, a slice at a time, yes and no as such."""
        chosen, key = ", ".join(map(_quoted, self.columns)), _quoted(self.columns[0])
        first = f"SELECT {chosen} FROM {self.name} ORDER BY {key} LIMIT {SLICE}"
        later = f"SELECT {chosen} FROM {self.name} WHERE {key} > ? ORDER BY {key} LIMIT {SLICE}"
        rows = connection.execute(first).fetchall()
        places = [self.columns.index(name) for name in self.truths]
        while rows:
            last = rows[-1][0]
            yield [_with_truths(row, places) for row in rows] if places else rows
            rows = connection.execute(later, (last,)).fetchall()

    def insert(self) -> Insert:
        return Insert(f"{self.name} ({', '.join(map(_quoted, self.columns))})", len(self.columns))


def _quoted(name: str) -> str:
    return f'"{name}"' if name == "offset" else name


def _with_truths(row: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    values = list(row)
    for place in places:
        values[place] = bool(values[place])
    return tuple(values)


TABLES = (
    Table("urls", COLUMNS),
    Table("pages", PAGE_COLUMNS, truths=("relevant", "noindex", "first_relevant")),
    Table("versions", ("seq", "url", "previous", "at", "status", "digest", "content", "warc", "offset", "length")),
    Table("contents", ("id", "digest", "version", "title", "text")),
    Table("links", ("version", "packed")),
    Table(
        "checks",
        (
            "seq", "url", "at", "outcome", "status", "kind", "size", "version", "relevance", "relevant", "before",
            "was_relevant", "detail", "modified_at",
        ),
        truths=("relevant", "was_relevant"),
        counts=True,
    ),
    Table("missing", ("host", "at", "status", "target", "simhash", "digest")),
    Table("images", ("id", "url", "at", "etag", "modified", "digest", "prints")),
    Table("hosts", ("host", "asked", "pages", "relevant", "failed", "bytes", "last_asked", "delay")),
    Table("warcs", ("id", "name", "bytes")),
    Table("runs", ("id", "started_at", "ended_at", "reason", "software", "config", "counters")),
    Table("counters", ("name", "value")),
    Table("notes", ("name", "value")),
    Table("snapshots", ("name", "made_with", "page", "manifest")),
    Table("snapshot_pieces", ("id", "digest", "packed"), counts=True),
    Table("misses", ("nth", "page", "url", "ending"), counts=True),
    Table("finds", ("page", "urls")),
)  # fmt: skip

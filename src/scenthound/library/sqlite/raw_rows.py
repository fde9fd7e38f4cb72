"""Rows out of the pages of an SQLite file, without SQLite: it gives up a table where one page of it is damaged.

The format is that of https://www.sqlite.org/fileformat2.html. A table is a tree whose leaves hold the rows. Whoever
still hangs together with its root is read first. Leaves whose way from the root is lost are read then, and given to the
table whose rules (`row_rules`) their rows follow. What the write-ahead log has of a page is newer than the file.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from scenthound.library.sqlite.row_rules import TableRules

TABLE_LEAF, TABLE_INNER, INDEX_LEAF, INDEX_INNER = 0x0D, 0x05, 0x0A, 0x02
DEFAULT_PAGE = 4096
MOST_DEPTH = 40
MOST_PAYLOAD = 1 << 30

Row = tuple[Any, ...]
_WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Unreadable(Exception):
    """A page, a cell or a value that makes no sense."""


class RawDatabase:
    """The pages of a file as they are, damaged or not."""

    def __init__(self, path: Path) -> None:
        self._log: dict[int, bytes] = {}
        self._data: bytes | mmap.mmap = b""
        if path.is_file() and path.stat().st_size:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.page_size, self._usable = _sizes(bytes(self._data[:100]))
        with suppress(OSError):
            self._log = _log_pages(path.with_name(f"{path.name}-wal").read_bytes(), self.page_size)
        self.pages = max([len(self._data) // self.page_size, *self._log])

    def close(self) -> None:
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def roots(self) -> dict[str, int]:
        """Where the tables begin, as far as the list of them can be read."""
        found = {}
        for leaf in self._leaves(1, TABLE_INNER, TABLE_LEAF, set()):
            for _, row in self._cells(leaf):
                if len(row) == 5 and row[0] == b"table" and isinstance(row[1], bytes) and isinstance(row[3], int):
                    found[row[1].decode("utf-8", "replace")] = row[3]
        return found

    def rows(self, tables: Mapping[str, TableRules]) -> Iterator[tuple[str, Row]]:
        """(table, row) of every row that follows the rules, those of tables that hang together first."""
        met: set[int] = set()
        roots = self.roots()
        for name, rules in tables.items():
            if name in roots:
                kinds = (TABLE_INNER, TABLE_LEAF) if rules.has_rowid else (INDEX_INNER, INDEX_LEAF)
                for page in self._leaves(roots[name], *kinds, met):
                    yield from ((name, row) for row in self._rows_of(page, rules))
        for page in range(1, self.pages + 1):
            if page not in met and self._kind(page) in (TABLE_LEAF, INDEX_LEAF, INDEX_INNER):
                yield from self._strays(page, tables)

    def _strays(self, page: int, tables: Mapping[str, TableRules]) -> Iterator[tuple[str, Row]]:
        has_rowid = self._kind(page) == TABLE_LEAF
        for name, rules in tables.items():
            if rules.has_rowid == has_rowid:
                yield from ((name, row) for row in self._rows_of(page, rules) if not rules.fault(row))

    def _rows_of(self, page: int, rules: TableRules) -> Iterator[Row]:
        for rowid, row in self._cells(page):
            # The number of a row stands in its cell; the column that is an alias for it is empty.
            yield (rowid, *row[1:]) if rules.has_rowid else row

    def _kind(self, page: int) -> int:
        data = self._page(page)
        start = 100 if page == 1 else 0
        return data[start] if len(data) > start else 0

    def _page(self, number: int) -> bytes:
        logged = self._log.get(number)
        if logged is not None:
            return logged
        return bytes(self._data[(number - 1) * self.page_size : number * self.page_size])

    def _leaves(self, root: int, inner: int, leaf: int, met: set[int], depth: int = 0) -> Iterator[int]:
        """The pages with rows below a page; in the tree of an index inner pages have some, too."""
        if root in met or not 0 < root <= self.pages or depth > MOST_DEPTH:
            return
        kind = self._kind(root)
        if kind == leaf:
            met.add(root)
            yield root
        elif kind == inner:
            met.add(root)
            if inner == INDEX_INNER:
                yield root
            for child in self._children(root):
                yield from self._leaves(child, inner, leaf, met, depth + 1)

    def _children(self, number: int) -> Iterator[int]:
        data, start = self._page(number), 100 if number == 1 else 0
        for at in self._pointers(number):
            if at + 4 <= len(data):
                yield int.from_bytes(data[at : at + 4], "big")
        yield int.from_bytes(data[start + 8 : start + 12], "big")

    def _pointers(self, number: int) -> list[int]:
        data, start = self._page(number), 100 if number == 1 else 0
        head = start + (12 if self._kind(number) in (TABLE_INNER, INDEX_INNER) else 8)
        count = int.from_bytes(data[start + 3 : start + 5], "big")
        most = (len(data) - head) // 2
        return list(struct.unpack_from(f">{min(count, most)}H", data, head)) if most > 0 else []

    def _cells(self, number: int) -> Iterator[tuple[int, Row]]:
        """(number of the row, its values) of every cell that can be read. Rows of an index have no number."""
        data, kind = self._page(number), self._kind(number)
        for at in self._pointers(number):
            try:
                if kind == INDEX_INNER:
                    at += 4
                size, at = _varint(data, at)
                rowid = 0
                if kind == TABLE_LEAF:
                    rowid, at = _varint(data, at)
                yield _signed(rowid), _record(self._payload(data, at, size, kind))
            except (Unreadable, IndexError, struct.error):
                continue

    def _payload(self, data: bytes, at: int, size: int, kind: int) -> bytes:
        """The bytes of a row: those in its cell, and those on the pages that it flows over to."""
        if size > MOST_PAYLOAD:
            raise Unreadable
        usable = self._usable
        most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if size <= most:
            return _slice(data, at, size)
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= most else least
        parts, left = [_slice(data, at, local)], size - local
        following = int.from_bytes(_slice(data, at + local, 4), "big")
        while left > 0:
            if not 0 < following <= self.pages:
                raise Unreadable
            page = self._page(following)
            parts.append(_slice(page, 4, min(left, usable - 4)))
            left -= usable - 4
            following = int.from_bytes(page[:4], "big")
        return b"".join(parts)


def _sizes(header: bytes) -> tuple[int, int]:
    """The size of a page, and how much of it is used; what libraries have where the header does not say."""
    size = int.from_bytes(header[16:18], "big")
    size = 65536 if size == 1 else size
    if size < 512 or size > 65536 or size & (size - 1):
        return DEFAULT_PAGE, DEFAULT_PAGE
    reserved = header[20] if len(header) > 20 else 0
    return size, size - reserved if size - reserved >= 480 else size


def _log_pages(log: bytes, page_size: int) -> dict[int, bytes]:
    """The pages of a write-ahead log that transactions have brought to their end."""
    found: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    salts, at = log[16:24], 32
    while at + 24 + page_size <= len(log) and log[at + 8 : at + 16] == salts:
        number, committed = struct.unpack_from(">II", log, at)
        pending[number] = log[at + 24 : at + 24 + page_size]
        if committed:
            found |= pending
            pending = {}
        at += 24 + page_size
    return found


def _slice(data: bytes, at: int, size: int) -> bytes:
    part = data[at : at + size]
    if len(part) != size:
        raise Unreadable
    return part


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _record(payload: bytes) -> Row:
    """The values of a row; texts as bytes."""
    head, at = _varint(payload, 0)
    if head > len(payload):
        raise Unreadable
    place, values = head, []
    while at < head:
        kind, at = _varint(payload, at)
        value, place = _value(payload, place, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in _WIDTHS:
        width = _WIDTHS[kind]
        return int.from_bytes(_slice(payload, at, width), "big", signed=True), at + width
    if kind == 7:
        return struct.unpack(">d", _slice(payload, at, 8))[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind == 0:
        return None, at
    if kind >= 12:
        size = (kind - 12) // 2
        # Text and data are told apart by the rules: both come as bytes.
        return _slice(payload, at, size), at + size
    raise Unreadable

"""What can be read of a damaged `library.db`, written into a new one, row by row.

Tables that SQLite finds nothing wrong with are read through SQLite, the others as `raw_rows` can. Of both only rows are
taken that are as `row_rules` has it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from scenthound.library.folder import DATABASE
from scenthound.library.sqlite.database_check import MAGIC, SQLITE_ERRORS, Told, connect_raw, integrity
from scenthound.library.sqlite.migrations import MIGRATIONS
from scenthound.library.sqlite.raw_rows import RawDatabase
from scenthound.library.sqlite.row_rules import TableRules, tables


class SalvagedTable(Struct):
    """What was taken over of a table."""

    name: str
    rows: int = 0
    refused: int = 0  # rows that were read, and are damaged
    whole: bool = True  # SQLite could read it through, and no row was damaged


def salvage(folder: Path, new: sqlite3.Connection, told: Told) -> dict[str, SalvagedTable]:
    """Fills the tables of a new database, which are made here, too: as the damaged one had them, then brought up."""
    path = folder / DATABASE
    version = _version(path)
    rules = tables(version)
    for step in MIGRATIONS[:version]:
        step(new)
    found = {name: SalvagedTable(name) for name in rules}
    broken = dict(rules)
    for number, (name, rule) in enumerate(rules.items()):
        told("Reading table", number, len(rules))
        if _is_whole(path, name, rule):
            with closing(connect_raw(path)) as connection:
                _take(new, rule, connection.execute(f"SELECT * FROM {name}"), found[name])
            del broken[name]
    if broken:
        told("Reading page by page", 0, 1)
        _take_raw(path, new, broken, found)
    for step in MIGRATIONS[version:]:
        step(new)
    new.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    return found


def _version(path: Path) -> int:
    """The format of a damaged database, as its header has it; today's where that makes no sense."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError:
        header = b""
    version = int.from_bytes(header[60:64], "big")
    return version if header.startswith(MAGIC) and 0 < version <= len(MIGRATIONS) else len(MIGRATIONS)


def _is_whole(path: Path, name: str, rules: TableRules) -> bool:
    try:
        with closing(connect_raw(path)) as connection:
            columns = [row[1].decode("utf-8", "replace") for row in connection.execute(f"PRAGMA table_info({name})")]
            return columns == [column.name for column in rules.columns] and not integrity(
                connection, f"integrity_check({name})"
            )
    except SQLITE_ERRORS:
        return False


def _take_raw(
    path: Path, new: sqlite3.Connection, broken: dict[str, TableRules], found: dict[str, SalvagedTable]
) -> None:
    for name in broken:
        found[name].whole = False
    with closing(RawDatabase(path)) as database:
        for name, row in database.rows(broken):
            _take(new, broken[name], [row], found[name])


def _take(new: sqlite3.Connection, rules: TableRules, rows: Iterable[Any], into: SalvagedTable) -> None:
    insert = f"INSERT OR IGNORE INTO {rules.name} VALUES ({', '.join('?' * len(rules.columns))})"
    for row in _sound(rules, rows, into):
        into.rows += new.execute(insert, row).rowcount


def _sound(rules: TableRules, rows: Iterable[Any], into: SalvagedTable) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        if rules.fault(row):
            into.refused += 1
            into.whole = False
        else:
            yield rules.decoded(row)

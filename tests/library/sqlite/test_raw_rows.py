"""Rows are read without SQLite as SQLite reads them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.library.sqlite.raw_rows import RawDatabase
from scenthound.library.sqlite.row_rules import tables
from tests.library.breaking import overwrite_table
from tests.library.collection import collect, numbered, stored, zoo


def rows_by_table(folder: Path) -> dict[str, set[object]]:
    found: dict[str, set[object]] = {name: set() for name in tables()}
    with closing(RawDatabase(folder / "library.db")) as database:
        for name, row in database.rows(tables()):
            found[name].add(tables()[name].decoded(row))
    return found


def as_sqlite_has_them(folder: Path) -> dict[str, set[object]]:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        return {name: set(connection.execute(f"SELECT * FROM {name}")) for name in tables()}


def test_every_row_of_every_table(tmp_path: Path) -> None:
    large = [stored(f"http://b.example/{n}", "word " * 20_000 + str(n), title="x" * 9000) for n in range(3)]
    folder = collect(tmp_path, [*numbered(300), *large])
    zoo(folder)
    assert rows_by_table(folder) == as_sqlite_has_them(folder)


def test_rows_of_the_log_count(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(50))
    with closing(sqlite3.connect(folder / "library.db", isolation_level=None)) as connection:
        connection.execute("UPDATE urls SET reason = 'newer'")
        assert (folder / "library.db-wal").stat().st_size
        assert rows_by_table(folder)["urls"] == set(connection.execute("SELECT * FROM urls"))


@pytest.mark.parametrize("table", ["urls", "pages", "contents"])
def test_what_lies_beside_the_damage(tmp_path: Path, table: str) -> None:
    folder = collect(tmp_path, numbered(400))
    whole = as_sqlite_has_them(folder)
    overwrite_table(folder, table, share=0.3)
    found = rows_by_table(folder)
    assert len(whole[table]) / 2 < len(found[table]) < len(whole[table])
    assert found[table] <= whole[table]
    assert {name: rows for name, rows in found.items() if name != table} == {
        name: rows for name, rows in whole.items() if name != table
    }


def test_without_the_list_of_tables(tmp_path: Path) -> None:
    """Its first page is gone: rows are known by what they look like."""
    folder = collect(tmp_path, numbered(400))
    whole = as_sqlite_has_them(folder)
    with (folder / "library.db").open("r+b") as file:
        file.write(bytes(4096))
    found = rows_by_table(folder)
    for name in ("urls", "pages", "versions", "contents", "hosts"):
        assert found[name] == whole[name]


def test_no_file_and_an_empty_one(tmp_path: Path) -> None:
    for name in ("none", "empty"):
        (tmp_path / "empty").touch()
        with closing(RawDatabase(tmp_path / name)) as database:
            assert list(database.rows(tables())) == []

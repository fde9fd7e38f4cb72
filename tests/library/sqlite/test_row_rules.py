import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.library.sqlite.migrations import MIGRATIONS
from scenthound.library.sqlite.row_rules import tables
from tests.library.breaking import spoil_value
from tests.library.collection import zoo


def faults(folder: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        connection.text_factory = bytes
        return [fault for row in connection.execute(f"SELECT * FROM {table}") if (fault := tables()[table].fault(row))]


def test_every_row_that_a_crawl_stores_is_as_it_should_be(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    assert {name: faults(folder, name) for name in tables()} == {name: [] for name in tables()}


@pytest.mark.parametrize(
    ("table", "change", "fault"),
    [
        ("urls", "url = url || 'x'", "a URL that is not the one it was stored under"),
        ("urls", "state = 9", "a state that there is not"),
        ("urls", "host = 7.5", ""),  # a column of texts makes a text of it
        ("urls", "host = x'ff'", "a host that is none"),
        ("urls", "anchor = x'fe'", "a anchor that is none"),
        ("pages", "digest = x'00'", "a digest that is none"),
        ("pages", "relevance = 'much'", "a relevance that is none"),
        ("versions", "offset = NULL", "no place in the archive"),
        ("versions", "digest = x''", "a digest that is none"),
        ("contents", "text = x'78'", "a packed value that cannot be unpacked"),
        ("runs", "counters = '{'", "a packed value that cannot be unpacked"),
    ],
)
def test_a_damaged_value_is_seen(tmp_path: Path, table: str, change: str, fault: str) -> None:
    folder = zoo(tmp_path)
    column = change.split(" ")[0]
    last = f"(SELECT max(rowid) FROM {table} WHERE {column} IS NOT NULL)"
    spoil_value(folder, f"UPDATE {table} SET {change} WHERE rowid = {last}")
    assert faults(folder, table) == ([fault] if fault else [])


def test_a_row_of_another_length() -> None:
    assert tables()["counters"].fault((b"page",)) == "a row of another length"


def test_tables_grew(tmp_path: Path) -> None:
    assert "notes" not in tables(1)
    assert "notes" in tables(2)
    assert tables() == tables(len(MIGRATIONS))
    assert not tables()["hosts"].has_rowid
    assert tables()["urls"].has_rowid

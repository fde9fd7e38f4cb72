"""Whatever is wrong with `library.db`, it is named."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.library.sqlite.database_check import DatabaseCheck, file_damage
from tests.library.breaking import overwrite_table, spoil_value
from tests.library.collection import collect, numbered, zoo


def found(folder: Path) -> list[tuple[str, str, int | None]]:
    return [(damage.part, damage.what, damage.pages) for damage in DatabaseCheck(folder).run()]


def test_a_whole_one(tmp_path: Path) -> None:
    assert found(zoo(tmp_path)) == []


@pytest.mark.parametrize("table", ["urls", "pages", "versions", "contents", "links"])
def test_a_damaged_table_is_named_with_the_pages_it_concerns(tmp_path: Path, table: str) -> None:
    folder = collect(tmp_path, numbered(400))
    if table == "links":
        spoil_value(folder, "INSERT OR REPLACE INTO links SELECT version, zeroblob(500) FROM pages")
    overwrite_table(folder, table)
    [part, *_] = [damage for damage in found(folder) if damage[0] == f"library.db, table {table}"]
    assert part[1].startswith("is damaged")
    assert part[2] is not None
    assert 0 < part[2] < 400


def test_damaged_values_are_counted(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(20))
    spoil_value(folder, "UPDATE contents SET text = x'01' WHERE id < 4")
    assert found(folder) == [
        ("library.db, table contents", "has damaged rows, 3 in all: a packed value that cannot be unpacked (3)", 3)
    ]


def test_what_a_row_names_must_be_there(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(20))
    spoil_value(folder, "DELETE FROM contents WHERE id < 4")
    assert ("library.db, table pages", "has 3 pages whose text is not stored", 3) in found(folder)


def test_a_schema_that_is_not_ours(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    spoil_value(folder, "DROP TABLE contents")
    assert found(folder) == [("library.db, table contents", "is not there", None)]
    spoil_value(folder, "PRAGMA user_version = 16777219")
    assert found(folder) == [("library.db", "says that its format is 16777219, which there is not", None)]


def test_a_file_that_was_cut(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(200))
    with (folder / "library.db").open("r+b") as file:
        file.truncate(40_960)
    [damage, *_] = DatabaseCheck(folder).run()
    assert "malformed" in damage.what


def test_what_is_seen_from_outside(tmp_path: Path) -> None:
    assert file_damage(tmp_path / "nothing") is None
    folder = zoo(tmp_path / "zoo")
    assert file_damage(folder) is None
    (folder / "library.db.repaired").touch()
    assert "repair that was interrupted" in _what(folder)
    (folder / "library.db.repaired").unlink()
    (folder / "library.db").write_bytes(b"PK\x03\x04 something else")
    assert _what(folder).startswith("is no SQLite database: it begins with b'PK")
    (folder / "library.db").write_bytes(b"")
    assert _what(folder) == "is empty (0 bytes), although there are answers in warc/ (files: 1)"
    (folder / "library.db").unlink()
    assert _what(folder).startswith("is missing")


def test_somebody_in_a_hurry_gets_what_was_found_until_then(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    spoil_value(folder, "UPDATE contents SET text = x'01'")
    assert DatabaseCheck(folder, patience=1e-9).run() == []


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    DatabaseCheck(zoo(tmp_path), lambda what, done, whole: told.append(what)).run()
    assert {"Checking table", "Checking row of pages"} <= set(told)


def test_a_page_of_the_file_that_belongs_to_nobody(tmp_path: Path) -> None:
    """SQLite's check of single tables does not see it."""
    folder = collect(tmp_path, numbered(100))
    spoil_value(folder, "CREATE TABLE other AS SELECT zeroblob(9000) AS x")
    spoil_value(folder, "DROP TABLE other")
    with closing(sqlite3.connect(folder / "library.db")) as connection:
        free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    assert free
    with (folder / "library.db").open("r+b") as file:
        file.seek(36)
        file.write((free + 1).to_bytes(4, "big"))
    [(part, what, _)] = found(folder)
    assert part == "library.db"
    assert "reelist" in what or "never used" in what


def _what(folder: Path) -> str:
    damage = file_damage(folder)
    assert damage is not None
    return damage.what

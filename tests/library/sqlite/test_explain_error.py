"""What was damaged is named, whoever stumbles over it."""

import sqlite3
from pathlib import Path

import pytest

from scenthound.errors import LibraryDamaged, LibraryError, LibraryFull
from scenthound.library import open_library
from scenthound.library.sqlite.explain_error import damage_behind, explain
from tests.library.breaking import overwrite_table, spoil_value
from tests.library.collection import collect, numbered, stored, zoo


def test_a_damaged_table_is_named_in_the_middle_of_reading(tmp_path: Path) -> None:
    folder = collect(tmp_path / "library", numbered(300))
    overwrite_table(folder, "pages")
    with (
        pytest.raises(LibraryDamaged, match=r"table pages is damaged .*library check .*library repair") as told,
        open_library(folder, write=False) as library,
    ):
        list(library.pages())
    assert told.value.exit_code == 8


def test_a_damaged_table_is_named_in_the_middle_of_writing(tmp_path: Path) -> None:
    folder = collect(tmp_path / "library", numbered(300))
    overwrite_table(folder, "urls")

    def crawl_on() -> None:
        with open_library(folder) as library:
            for step in numbered(400):
                library.record(step)

    with pytest.raises(LibraryDamaged, match=r"library.db, table urls is damaged"):
        crawl_on()


def test_a_value_that_was_damaged_is_named(tmp_path: Path) -> None:
    """SQLite sees nothing wrong with it."""
    folder = zoo(tmp_path)
    spoil_value(folder, "UPDATE contents SET text = x'0102' WHERE id = 1")
    with (
        pytest.raises(LibraryDamaged, match=r"table contents has damaged rows, 1 in all: a packed value"),
        open_library(folder, write=False) as library,
    ):
        library.text("https://www.zoo.example/")


def test_an_error_over_a_whole_library_stays_what_it_is(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    with pytest.raises(ZeroDivisionError), open_library(folder, write=False):
        _ = 1 / 0
    with pytest.raises(BrokenPipeError), open_library(folder, write=False):
        raise BrokenPipeError
    assert damage_behind(KeyError("a bug"), folder) is None
    assert damage_behind(None, folder) is None


def test_other_troubles_have_their_own_words(tmp_path: Path) -> None:
    folder = collect(tmp_path, [stored("http://a.example/")])
    assert isinstance(explain(OSError(28, "No space left on device"), folder), LibraryFull)
    told = explain(sqlite3.OperationalError("database is locked"), folder)
    assert type(told) is LibraryError
    assert "database is locked" in str(told)

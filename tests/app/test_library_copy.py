"""A library copied as it is: whole, while it is open to be written, and into new places only."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.library_check import check_library
from scenthound.app.library_copy import copy_library
from scenthound.app.notes import note_on, write_note
from scenthound.errors import LibraryMissing, UsageError
from scenthound.library import open_library
from tests.library.collection import stored, zoo

OTTERS = "https://www.zoo.example/otters"


def test_a_copy_is_a_library_and_stays_as_it_was(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    write_note(folder, OTTERS, "kept", [])
    with open_library(folder) as library:
        library.update_search()
        copied = copy_library(folder, tmp_path / "copy" / "zoo")
        library.record(stored("https://new.example/", "later"))
    place = Path(copied.target)
    assert copied.bytes > 0
    assert not (place / "search.db").exists()
    assert check_library(place).whole
    with open_library(place) as copy:
        assert copy.page_totals().pages == 7
        assert copy.body(OTTERS) is not None
    assert note_on(place, OTTERS).text == "kept"


def test_where_there_is_something_nothing_is_written(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        copy_library(folder, tmp_path / "full")
    with pytest.raises(UsageError, match="another place"):
        copy_library(folder, folder / "inside")
    with pytest.raises(LibraryMissing):
        copy_library(tmp_path / "full", tmp_path / "new")

from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.library.sqlite.index_check import check_indexes, remove_indexes
from tests.library.breaking import spoil_value
from tests.library.collection import collect, zoo, zoo_steps


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = zoo(tmp_path)
    with open_library(folder, write=False) as library:
        library.update_search()
        library.linking("https://www.zoo.example/")
    return folder


def test_indexes_that_agree(folder: Path) -> None:
    assert check_indexes(folder) == []
    remove_indexes(folder)
    assert check_indexes(folder) == []


def test_an_index_that_is_behind_is_no_damage(folder: Path) -> None:
    collect(folder, zoo_steps()[1:3])
    assert check_indexes(folder) == []


def test_pages_that_the_search_does_not_know(folder: Path) -> None:
    spoil_value(folder, "DELETE FROM pages WHERE relevance > 0.8", "search.db")
    [damage] = check_indexes(folder)
    assert (damage.part, damage.what) == ("search.db", "does not agree with library.db: of 6 pages it has 5")


def test_a_file_that_is_no_database(folder: Path) -> None:
    for name in ("search.db", "index.db"):
        (folder / name).write_bytes(b"something else" * 100)
    assert [damage.part for damage in check_indexes(folder)] == ["search.db", "index.db"]
    remove_indexes(folder)
    assert check_indexes(folder) == []

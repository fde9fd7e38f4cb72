"""Searching, and the index behind it: kept up with a crawl, thrown away, damaged, killed."""

import sqlite3
import threading
from pathlib import Path

import pytest

from scenthound.errors import LibraryMissing
from scenthound.library import open_library
from scenthound.library.sqlite import search_index
from scenthound.protocols.records import SearchFilters, SearchResult
from tests.library.collection import collect, numbered, stored, zoo


def ask(folder: Path, *words: str, limit: int = 10, **filters: object) -> SearchResult:
    with open_library(folder, write=False) as search:
        search.update_search()
        return search.search(words, SearchFilters(**filters), limit)  # type: ignore[arg-type]


def found(folder: Path, *words: str, **filters: object) -> list[str]:
    return [hit.url for hit in ask(folder, *words, **filters).hits]


OTTERS = "https://www.zoo.example/otters"
HOME = "https://www.zoo.example/"
DUCK = "https://birds.example/duck"
GERMAN = "https://tiere.example/otter"
OWL = "https://birds.example/owl"
MIRROR = "https://birds.example/mirror"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def test_works_while_a_crawl_writes(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        for step in numbered(20):
            library.record(step)
        library.flush()
        assert ask(tmp_path, "page").total == 20
        library.record(stored("http://late.example/", "the latest page"))
        library.flush()
        assert ask(tmp_path, "page").total == 21


def test_broken_off_it_goes_on_from_the_last_slice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "SLICE", 10)
    collect(tmp_path, numbered(35))

    class Killed(BaseException):
        pass

    def kill(done: int, whole: int) -> None:
        if done >= 20:
            raise Killed

    search = open_library(tmp_path, write=False)
    with pytest.raises(Killed):
        search.update_search(kill)
    search.close()
    with open_library(tmp_path, write=False) as search:
        assert search.update_search() == 15
        assert search.search(["page"]).total == 35


def test_a_slice_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collect(tmp_path, numbered(5))
    store, calls = search_index._store, []

    def fail_at_the_third(*row: object) -> None:
        calls.append(row)
        if len(calls) == 3:
            raise KeyboardInterrupt
        store(*row)  # type: ignore[arg-type]

    monkeypatch.setattr(search_index, "_store", fail_at_the_third)
    search = open_library(tmp_path, write=False)
    with pytest.raises(KeyboardInterrupt):
        search.update_search()
    search.close()
    monkeypatch.undo()
    assert ask(tmp_path, "page").total == 5


def test_the_index_can_be_deleted(folder: Path) -> None:
    before = ask(folder, "otter")
    (folder / search_index.NAME).unlink()
    assert ask(folder, "otter") == before


@pytest.mark.parametrize("damage", [b"not a database " * 1000, b""])
def test_a_damaged_index_is_made_anew(folder: Path, damage: bytes) -> None:
    before = ask(folder, "otter")
    (folder / search_index.NAME).write_bytes(damage)
    assert ask(folder, "otter") == before


def test_an_index_of_another_format_or_library_is_made_anew(folder: Path, tmp_path: Path) -> None:
    before = ask(folder, "otter")
    connection = sqlite3.connect(folder / search_index.NAME)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert ask(folder, "otter") == before
    other = collect(tmp_path / "other", [stored("http://a.example/", "otters elsewhere")])
    (folder / "library.db").write_bytes((other / "library.db").read_bytes())
    assert found(folder, "otter") == ["http://a.example/"]


def test_where_nothing_can_be_written_the_index_is_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / search_index.NAME).mkdir()
    assert found(folder, "swim") == [OTTERS]


def test_two_at_once_index_each_page_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "SLICE", 5)
    collect(tmp_path, numbered(60))
    totals: list[int] = []
    threads = [threading.Thread(target=lambda: totals.append(ask(tmp_path, "page").total)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == [60, 60, 60]


def test_no_library_there(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        open_library(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()

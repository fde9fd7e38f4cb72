"""Searching, and the index behind it: kept up with a crawl, thrown away, damaged, killed."""

import sqlite3
import threading
from pathlib import Path

import pytest

from scenthound.errors import LibraryMissing, UsageError
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


def test_the_page_about_it_comes_first(folder: Path) -> None:
    urls = found(folder, "otter")
    assert urls[0] == OTTERS
    assert set(urls) == {OTTERS, HOME, DUCK, GERMAN}


def test_a_title_weighs_more_than_the_text(tmp_path: Path) -> None:
    collect(
        tmp_path,
        [
            stored("http://a.example/", "otter " + "words and more words " * 5, title="Nothing"),
            stored("http://b.example/", "a " + "words and more words " * 5, title="Otter"),
        ],
    )
    assert found(tmp_path, "otter") == ["http://b.example/", "http://a.example/"]


def test_words_are_found_in_every_form_and_language(folder: Path) -> None:
    assert found(folder, "swimming") == [OTTERS]
    assert found(folder, "Haus") == [GERMAN]


def test_phrases_and_words_left_out(folder: Path) -> None:
    assert found(folder, "river otter") == [OTTERS]
    assert set(found(folder, "otters", "river")) == {OTTERS, DUCK}
    assert found(folder, "otters", "river", "-ducks") == [OTTERS]
    assert found(folder, "river", '-"river otter"') == [DUCK]


def test_exact_copies_are_one_answer_shown_by_the_most_relevant(folder: Path) -> None:
    answer = ask(folder, "mice")
    assert [(hit.url, hit.copies) for hit in answer.hits] == [(MIRROR, 1)]
    assert answer.total == 1
    assert found(folder, "mice", until=1.0) == []


def test_where_no_page_has_all_words_some_will_do(folder: Path) -> None:
    answer = ask(folder, "otter", "mice")
    assert answer.loosened
    assert {OTTERS, MIRROR} <= {hit.url for hit in answer.hits}
    assert not ask(folder, "otter", "zebra", "-otter").hits


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"relevance": 0.45}, {OTTERS, GERMAN}),
        ({"relevant": True}, {OTTERS, HOME, DUCK, GERMAN}),
        ({"host": "WWW.zoo.example"}, {OTTERS, HOME}),
        ({"host": "zoo.example"}, set()),
        ({"site": "zoo.example"}, {OTTERS, HOME}),
        ({"since": 1_700_100_000.0}, {OTTERS, DUCK}),
        ({"until": 1_700_100_000.0}, {HOME, GERMAN}),
        ({"since": 1_700_100_000.0, "until": 1_700_200_000.0, "relevance": 0.5}, {OTTERS}),
    ],
)
def test_filters(folder: Path, filters: dict[str, object], expected: set[str]) -> None:
    assert set(found(folder, "otter", **filters)) == expected


def test_limit_and_offset(tmp_path: Path) -> None:
    collect(tmp_path, numbered(30))
    with open_library(tmp_path, write=False) as search:
        search.update_search()
        every = search.search(["page"], limit=30)
        parts = [search.search(["page"], limit=10, offset=start) for start in (0, 10, 20)]
    assert every.total == parts[0].total == 30
    assert sorted(hit.url for part in parts for hit in part.hits) == sorted(hit.url for hit in every.hits)


def test_a_hit_says_what_there_is_to_know(folder: Path) -> None:
    hit = ask(folder, "swim").hits[0]
    assert (hit.title, hit.host, hit.language) == ("All about otters", "www.zoo.example", "en")
    assert (hit.relevance, hit.relevant, hit.fetched_at) == (0.9, True, 1_700_100_000.0)
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["swim"]
    assert hit.score > 0


def test_pages_that_ask_not_to_be_indexed_are_not(folder: Path) -> None:
    assert not ask(folder, "secret").hits


def test_new_pages_are_taken_in_and_old_texts_given_up(tmp_path: Path) -> None:
    page = "http://a.example/"
    collect(
        tmp_path, [stored(page, "about otters", title="Old"), stored("http://b.example/", "about otters", title="Old")]
    )
    assert len(found(tmp_path, "otter")) == 1
    collect(tmp_path, [stored(page, "about owls", title="New", at=1_700_000_009.0)])
    assert found(tmp_path, "owls") == [page]
    assert found(tmp_path, "otters") == ["http://b.example/"]
    collect(tmp_path, [stored("http://b.example/", "about owls", title="New")])
    assert found(tmp_path, "otters") == []
    assert ask(tmp_path, "owls").hits[0].copies == 1
    collect(tmp_path, [stored(page, "about otters", title="Old")])  # as it was before
    assert found(tmp_path, "otters") == [page]
    collect(tmp_path, [stored(page, "about otters", title="Old", noindex=True)])
    assert found(tmp_path, "otters") == []


def test_works_while_a_crawl_writes(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        for step in numbered(20):
            library.record(step)
        library.flush()
        assert ask(tmp_path, "page").total == 20
        library.record(stored("http://late.example/", "the latest page"))
        library.flush()
        assert ask(tmp_path, "page").total == 21


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    collect(tmp_path, numbered(10))
    with open_library(tmp_path, write=False) as search:
        assert search.update_search() == 10
        assert search.update_search() == 0
    collect(tmp_path, [stored("http://late.example/", "the latest page")])
    with open_library(tmp_path, write=False) as search:
        told: list[tuple[int, int]] = []
        assert search.update_search(lambda done, whole: told.append((done, whole))) == 1
        assert told == [(1, 1)]


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


def test_an_empty_library(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    assert ask(tmp_path, "otter") == SearchResult([], 0)
    collect(tmp_path, [stored("http://a.example/", "otters")])
    assert found(tmp_path, "otter") == ["http://a.example/"]


def test_no_library_there(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        open_library(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_nothing_to_look_for(folder: Path) -> None:
    with pytest.raises(UsageError):
        ask(folder, "-otter")

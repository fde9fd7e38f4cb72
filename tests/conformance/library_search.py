"""How every library is searched: part of `LibraryConformance`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import UsageError
from scenthound.model import Label
from scenthound.protocols.records import SearchFilters, SearchResult
from tests.library.collection import fill, numbered, stored, zoo_config, zoo_steps

HOME = "https://www.zoo.example/"
OTTERS = f"{HOME}otters"
DUCK = "https://birds.example/duck"
GERMAN = "https://tiere.example/otter"
MIRROR = "https://birds.example/mirror"


def ask(library: Any, *words: str, limit: int = 10, **filters: Any) -> SearchResult:
    library.update_search()
    result: SearchResult = library.search(words, SearchFilters(**filters), limit)
    return result


def found(library: Any, *words: str, **filters: Any) -> list[str]:
    return [hit.url for hit in ask(library, *words, **filters).hits]


class SearchConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    @contextmanager
    def zoo(self, folder: Path) -> Iterator[Any]:
        with self.library(folder) as library:
            fill(library, zoo_steps(), zoo_config())
            yield library

    def test_the_page_about_it_comes_first(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            urls = found(library, "otter")
            assert urls[0] == OTTERS
            assert set(urls) == {OTTERS, HOME, DUCK, GERMAN}

    def test_the_present_judgement_filters(self, tmp_path: Path) -> None:
        """Also of pages that were taken into the index before they were judged again."""
        with self.zoo(tmp_path) as library:
            assert OTTERS in found(library, "otter", relevant=True)
            library.judge_again([(OTTERS, 0.05, False), (DUCK, 1.0, True)])
            library.add_labels([Label(DUCK, True)])
            assert OTTERS not in found(library, "otter", relevant=True)
            assert found(library, "otter", relevance=0.95) == [DUCK]
            hits = {hit.url: hit for hit in ask(library, "otter").hits}
            assert (hits[OTTERS].relevance, hits[OTTERS].relevant, hits[OTTERS].label) == (0.05, False, None)
            assert (hits[DUCK].relevance, hits[DUCK].label) == (1.0, True)

    def test_a_title_weighs_more_than_the_text(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            words = "words and more words " * 5
            library.record(stored("http://a.example/", f"otter {words}", title="Nothing"))
            library.record(stored("http://b.example/", f"a {words}", title="Otter"))
            assert found(library, "otter") == ["http://b.example/", "http://a.example/"]

    def test_words_are_found_in_every_form_and_language(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            assert found(library, "swimming") == [OTTERS]
            assert found(library, "Haus") == [GERMAN]

    def test_phrases_and_words_left_out(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            assert found(library, "river otter") == [OTTERS]
            assert set(found(library, "otters", "river")) == {OTTERS, DUCK}
            assert found(library, "otters", "river", "-ducks") == [OTTERS]
            assert found(library, "river", '-"river otter"') == [DUCK]

    def test_exact_copies_are_one_answer_shown_by_the_most_relevant(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            answer = ask(library, "mice")
            assert [(hit.url, hit.copies) for hit in answer.hits] == [(MIRROR, 1)]
            assert answer.total == 1
            assert found(library, "mice", until=1.0) == []

    def test_where_no_page_has_all_words_some_will_do(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            answer = ask(library, "otter", "mice")
            assert answer.loosened
            assert {OTTERS, MIRROR} <= {hit.url for hit in answer.hits}
            assert not ask(library, "otter", "zebra", "-otter").hits

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
            ({"language": "de"}, {GERMAN}),
            ({"address": "OTTER"}, {OTTERS, GERMAN}),
            ({"address": "/otters", "relevance": 0.95}, set()),
            ({"among": frozenset({OTTERS, MIRROR})}, {OTTERS}),
            ({"among": frozenset()}, set()),
            ({"outside": frozenset({OTTERS, DUCK})}, {HOME, GERMAN}),
        ],
    )
    def test_filters(self, tmp_path: Path, filters: dict[str, Any], expected: set[str]) -> None:
        with self.zoo(tmp_path) as library:
            assert set(found(library, "otter", **filters)) == expected

    def test_words_of_titles(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            assert found(library, "title:otters") == [OTTERS]
            assert found(library, 'title:"about otters"', "river") == [OTTERS]
            assert set(found(library, "otter", "-title:otter")) == {HOME, DUCK, GERMAN}
            assert [(hit.url, hit.score) for hit in ask(library, "title:duck").hits] == [(DUCK, 1.8809)]
            assert not ask(library, "title:river").hits
            assert [match.url for match in library.search_matches(["title:owls", "mice"])].count(MIRROR) == 1

    def test_matches_are_counted_copies_too(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            library.update_search()
            matches = {match.url: match for match in library.search_matches(["owls", "mice"])}
            assert MIRROR in matches
            assert len(matches) == ask(library, "owls", "mice").hits[0].copies + 1
            assert matches[MIRROR].host == "birds.example"
            german = library.search_matches(["otter"], SearchFilters(language="de"))
            assert [match.language for match in german] == ["de"]
            assert len(library.search_matches(["otter"], limit=2)) == 2

    def test_pages_are_found_by_the_year_of_publication(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            assert found(library, "otter", published="2021") == [OTTERS]
            assert found(library, "otter", published="2020") == []
            assert OTTERS not in (undated := found(library, "otter", published="unknown"))
            assert HOME in undated
            said = {match.url: match.published for match in library.search_matches(["otter"])}
            assert said[OTTERS] == "2021-05-03 meta"
            assert said[HOME] == ""

    def test_limit_and_offset(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            fill(library, numbered(30))
            library.update_search()
            every = library.search(["page"], limit=30)
            parts = [library.search(["page"], limit=10, offset=start) for start in (0, 10, 20)]
            assert every.total == parts[0].total == 30
            assert sorted(hit.url for part in parts for hit in part.hits) == sorted(hit.url for hit in every.hits)

    def test_a_hit_says_what_there_is_to_know(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            hit = ask(library, "swim").hits[0]
            assert (hit.title, hit.host, hit.language) == ("All about otters", "www.zoo.example", "en")
            assert (hit.relevance, hit.relevant, hit.fetched_at) == (0.9, True, 1_700_100_000.0)
            assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["swim"]
            assert hit.score > 0

    def test_scores_are_the_same_everywhere(self, tmp_path: Path) -> None:
        """To four digits, as they are told: BM25 leaves a backend no choice."""
        with self.zoo(tmp_path) as library:
            assert [(hit.url, hit.score) for hit in ask(library, "swims").hits] == [(OTTERS, 0.9563)]
            assert [(hit.url, hit.score) for hit in ask(library, "river", "bank").hits] == [(DUCK, 1.7166)]

    def test_pages_that_ask_not_to_be_indexed_are_not(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library:
            assert not ask(library, "secret").hits

    def test_new_pages_are_taken_in_and_old_texts_given_up(self, tmp_path: Path) -> None:
        page, other = "http://a.example/", "http://b.example/"
        with self.library(tmp_path) as library:
            library.record(stored(page, "about otters", title="Old"))
            library.record(stored(other, "about otters", title="Old"))
            assert len(found(library, "otter")) == 1
            library.record(stored(page, "about owls", title="New", at=1_700_000_009.0))
            assert found(library, "owls") == [page]
            assert found(library, "otters") == [other]
            library.record(stored(other, "about owls", title="New"))
            assert found(library, "otters") == []
            assert ask(library, "owls").hits[0].copies == 1
            library.record(stored(page, "about otters", title="Old"))  # as it was before
            assert found(library, "otters") == [page]
            library.record(stored(page, "about otters", title="Old", noindex=True))
            assert found(library, "otters") == []

    def test_only_what_is_new_is_read(self, tmp_path: Path) -> None:
        told: list[tuple[int, int]] = []
        with self.library(tmp_path) as library:
            fill(library, numbered(10))
            assert library.update_search() == 10
            assert library.update_search(lambda done, whole: told.append((done, whole))) == 0
            library.record(stored("http://late.example/", "the latest page"))
            assert library.update_search(lambda done, whole: told.append((done, whole))) == 1
            assert told == [(1, 1)]

    def test_an_empty_library_has_nothing_to_find(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert ask(library, "otter") == SearchResult([], 0)
            library.record(stored("http://a.example/", "otters"))
            assert found(library, "otter") == ["http://a.example/"]

    def test_nothing_to_look_for(self, tmp_path: Path) -> None:
        with self.zoo(tmp_path) as library, pytest.raises(UsageError):
            ask(library, "-otter")

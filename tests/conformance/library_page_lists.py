"""What every library can say about its pages a stretch at a time: part of `LibraryConformance`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from scenthound.model import Step
from scenthound.protocols.records import UNDATED, PageFilters, PageOrder, StoredPage
from tests.library.steps import entry, fetched


def steps() -> list[Step]:
    """Nine pages on three hosts, some of them equally relevant."""
    found = []
    for number in range(9):
        url = f"http://{'abc'[number % 3]}.example/{number}"
        step = fetched(entry(url, order=number), at=100.0 + number, body=f"<p>page {number}".encode())
        assert step.visit is not None
        relevance = [0.05, 0.5, 0.5, 0.95, 0.3, 1.0, 0.5, 0.0, 0.7][number]
        published = {1: "2020-02-03 meta", 5: "2020 address", 8: "1999-12 json-ld"}.get(number, "")
        page = replace(step.visit.page, language="de" if number % 2 else "en", published=published)
        visit = replace(step.visit, page=page, relevance=relevance, relevant=relevance >= 0.5)
        found.append(replace(step, visit=visit, duplicate_of="http://c.example/5" if number == 6 else ""))
    return found


def numbers(pages: list[StoredPage]) -> list[int]:
    return [int(page.url.rpartition("/")[2]) for page in pages]


class PageListsConformance:
    def library(self, folder: Path) -> AbstractContextManager[Any]:
        raise NotImplementedError

    @pytest.mark.parametrize(
        ("order", "wanted"),
        [
            ("best", [5, 3, 8, 1, 2, 6, 4, 0, 7]),
            ("newest", [8, 7, 6, 5, 4, 3, 2, 1, 0]),
            ("oldest", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ],
    )
    @pytest.mark.parametrize("limit", [1, 2, 4, 9, 20])
    def test_a_list_is_whole_however_it_is_cut(
        self, tmp_path: Path, order: PageOrder, wanted: list[int], limit: int
    ) -> None:
        with self.library(tmp_path) as library:
            for step in steps():
                library.record(step)
            found, after, stretches = [], "", 0
            while stretches == 0 or after:
                part = library.page_list(None, order, after, limit)
                assert len(part.pages) <= limit
                found += numbers(part.pages)
                after, stretches = part.next, stretches + 1
            assert found == wanted
            assert stretches == -(-9 // limit)

    @pytest.mark.parametrize(
        ("filters", "wanted"),
        [
            (PageFilters(host="b.example"), [1, 4, 7]),
            (PageFilters(host="nobody.example"), []),
            (PageFilters(language="de"), [5, 3, 1, 7]),
            (PageFilters(counts=True), [5, 3, 8, 1, 2]),
            (PageFilters(counts=False), [6, 4, 0, 7]),
            (PageFilters(at_least=0.5, below=0.8), [8, 1, 2, 6]),
            (PageFilters(since=103.0, until=106.0), [5, 3, 4]),
            (PageFilters(published="2020"), [5, 1]),
            (PageFilters(published="2020", language="de", at_least=0.6), [5]),
            (PageFilters(published="202"), []),
            (PageFilters(published=UNDATED), [3, 2, 6, 4, 0, 7]),
            (PageFilters(published=UNDATED, host="a.example"), [3, 6, 0]),
            (PageFilters(host="a.example", language="en", at_least=0.1), [6]),
            (PageFilters(among=frozenset({"http://b.example/4", "http://b.example/1", "http://x.example/"})), [1, 4]),
            (PageFilters(among=frozenset()), []),
            (PageFilters(host="b.example", outside=frozenset({"http://b.example/4"})), [1, 7]),
        ],
    )
    def test_only_pages_that_pass(self, tmp_path: Path, filters: PageFilters, wanted: list[int]) -> None:
        with self.library(tmp_path) as library:
            for step in steps():
                library.record(step)
            assert numbers(library.page_list(filters).pages) == wanted
            assert sorted(numbers(library.page_list(filters, "newest").pages)) == sorted(wanted)

    def test_a_list_goes_by_what_pages_are_thought_of_now(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for step in steps():
                library.record(step)
            library.judge_again([("http://b.example/7", 0.99, True)])
            assert numbers(library.page_list(limit=3).pages) == [5, 7, 3]
            assert library.page_totals().relevant == 6

    def test_a_place_that_is_none_is_refused(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for order in get_args(PageOrder):
                for place in ("x", "1:2:3", "nan:1", "-4", "9" * 30, "1e999:2"):
                    with pytest.raises(ValueError, match="no place"):
                        library.page_list(None, order, place)

    def test_totals_and_facets(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            assert library.page_totals().pages == 0
            assert library.page_facets().relevance == (0,) * 10
            for step in steps():
                library.record(step)
            library.record(Step(lease=entry("http://d.example/"), state="failed", at=7.0, reason="dns: no such name"))
            totals, counts = library.page_totals(), library.counts()
            assert (totals.pages, totals.relevant, totals.hosts) == (counts.fetched, counts.relevant, counts.hosts)
            assert totals.failed == 1
            facets = library.page_facets()
            assert facets.languages == {"en": 5, "de": 4}
            assert list(facets.languages) == ["en", "de"]
            assert facets.fetched == {1970: 9}
            assert facets.published == {"2020": 2, "1999": 1, UNDATED: 6}
            assert list(facets.published) == ["2020", "1999", UNDATED]
            assert facets.relevance == (2, 0, 0, 1, 0, 3, 0, 1, 0, 2)

    def test_so_many_hosts(self, tmp_path: Path) -> None:
        with self.library(tmp_path) as library:
            for step in steps():
                library.record(step)
            assert library.hosts(2) == library.hosts()[:2]
            assert len(library.hosts()) == 3

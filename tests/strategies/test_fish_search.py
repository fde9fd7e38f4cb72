from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.registry import strategy as registry
from scenthound.text import idf
from scenthound.text.analysis import analyzer


def rank(relevant: bool, memory: bytes | None = None, links: int = 5, **params: Any) -> list[Ranked]:
    page = Page("http://a/", links=tuple(Link(f"http://a/{i}") for i in range(links)))
    strategy = registry.build("fish-search", {"depth": 3, "width": 2, **params})
    return list(strategy.rank(Visit(Link(page.url), page, 0.9 if relevant else 0.0, relevant, 7, memory)))


def test_links_of_a_relevant_page() -> None:
    ranked = rank(relevant=True, memory=b"\x01")
    assert [one.priority for one in ranked] == pytest.approx([1.3, 1.3, 1.3, 0.3, 0.3])  # 1.5 * 2 children
    assert {one.memory for one in ranked} == {b"\x03"}


def test_links_of_an_irrelevant_page() -> None:
    ranked = rank(relevant=False, memory=b"\x02")
    assert [one.priority for one in ranked] == pytest.approx([0.6, 0.6, 0.1, 0.1, 0.1])
    assert {one.memory for one in ranked} == {b"\x01"}


def test_a_branch_dies_where_nothing_is_found() -> None:
    memory, pages = None, 0
    while ranked := rank(relevant=False, memory=memory):
        memory, pages = ranked[0].memory, pages + 1
    assert (memory, pages) == (b"\x00", 3)


def test_food_gives_depth_again_even_at_the_end() -> None:
    assert rank(relevant=False, memory=b"\x00") == []
    assert rank(relevant=True, memory=b"\x00")[0].memory == b"\x03"


def test_whatever_the_depth_food_comes_first() -> None:
    best = [rank(True, memory=None)[0], rank(False, b"\x03")[0], rank(True)[4], rank(False, b"\x03")[4]]
    priorities = [one.priority for one in best]
    assert priorities == sorted(priorities, reverse=True)
    assert rank(False, b"\x03")[0].priority > rank(False, b"\x02")[0].priority > rank(True)[4].priority


def test_no_depth_at_all_follows_relevant_pages_only() -> None:
    assert rank(relevant=False, depth=0) == []
    assert len(rank(relevant=True, depth=0)) == 5


def test_memory_of_something_else_gives_no_more_than_the_usual_depth() -> None:
    assert rank(relevant=False, memory=b"\xff{json}")[0].memory == b"\x02"


@pytest.mark.parametrize("params", [{"depth": -1}, {"depth": 201}, {"width": 0}, {"boost": 0.5}])
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        registry.build("fish-search", params)


def test_as_published_a_page_is_relevant_that_contains_the_query_text() -> None:
    """Whatever the judge says: dengue fever as a phrase, and a mosquito. Links of one score have one priority."""
    strategy = registry.build("fish-search", {"published": True, "width": 2})
    strategy.begin(Context(Topic("x", (Keyword("dengue fever", 0.5), Keyword("mosquito", 0.5))), idf.none(), Random(1)))
    wanted = {
        "Mosquitoes bring dengue fever.": [1.0, 1.0, 1.0, 0.0],
        "The mosquito brings a fever: dengue.": [0.5, 0.5, 0.0, 0.0],
        "Dengue fever.": [0.5, 0.5, 0.0, 0.0],
        "": [0.5, 0.5, 0.0, 0.0],
    }
    for text, priorities in wanted.items():
        links = tuple(Link(f"http://a/{i}") for i in range(4))
        page = Page("http://a/", text=text, terms=analyzer("en").counts(text), links=links)
        for judged in (True, False):
            ranked = strategy.rank(Visit(Link(page.url), page, 0.9, judged, 7))
            assert [one.priority for one in ranked] == priorities, text
    with pytest.raises(ConfigError, match="keywords = "):
        strategy.begin(Context(Topic("x"), idf.none(), Random(1)))

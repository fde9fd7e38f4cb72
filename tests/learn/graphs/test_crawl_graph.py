from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.learn.graphs.crawl_graph import NONE, SMALLEST, Column, OutLinks, UrlNumbers, WebGraph
from scenthound.model import Link, LinkKind, Page, Visit

NAMES = st.integers(0, 300).map("http://a.example/{}".format)


def visit(url: str, *targets: str, kind: LinkKind = "a", source: str = "") -> Visit:
    page = Page(url, links=tuple(Link(target, url) for target in targets))
    return Visit(Link(url, source, kind=kind), page, 0.0, False, 0)


@given(st.lists(st.lists(NAMES, max_size=40), max_size=20))
def test_numbers_go_by_first_sight(batches: list[list[str]]) -> None:
    numbers, oracle = UrlNumbers(), dict[str, int]()
    for batch in batches:
        for url in batch:
            oracle.setdefault(url, len(oracle))
        assert numbers.add(batch).tolist() == [oracle[url] for url in dict.fromkeys(batch)]
        assert numbers.find(batch).tolist() == [oracle[url] for url in batch]
    assert len(numbers) == len(oracle)
    assert numbers.find(["http://b.example/"]).tolist() == [NONE]


def test_numbers_survive_growing() -> None:
    numbers, urls = UrlNumbers(), [f"http://a.example/{i}" for i in range(20 * SMALLEST)]
    for start in range(0, len(urls), 77):
        numbers.add(urls[start : start + 77])
    assert numbers.find(urls).tolist() == list(range(len(urls)))
    assert set(numbers.find(url + "x" for url in urls).tolist()) == {NONE}


def test_one_page_may_bring_more_than_the_table_holds() -> None:
    urls = [f"http://a.example/{i}" for i in range(5 * SMALLEST)]
    assert UrlNumbers().add(urls).tolist() == list(range(len(urls)))


def test_growth_ends() -> None:
    numbers = UrlNumbers(most=3)
    assert numbers.add(["http://a/", "http://b/"]).tolist() == [0, 1]
    assert numbers.add(["http://c/", "http://d/", "http://a/"]).tolist() == [2, NONE, 0]
    assert numbers.add(["http://e/"]).tolist() == [NONE]
    assert len(numbers) == 3


def test_column_starts_with_its_start() -> None:
    column = Column(np.float64, start=1.0)
    column.reach(3 * SMALLEST)[2 * SMALLEST] = 5.0
    assert column.of(np.array([0, 2 * SMALLEST, NONE, 10**6])).tolist() == [1.0, 5.0, 1.0, 1.0]


def test_backlinks_are_counted_by_page() -> None:
    graph = WebGraph()
    graph.add(visit("http://a/", "http://b/", "http://c/", "http://b/", "http://a/"))
    graph.add(visit("http://b/", "http://c/"))
    assert graph.add(visit("http://b/", "http://c/", "http://d/")) == []
    links = [Link(f"http://{name}/") for name in "abcx"]
    assert graph.backlinks.of(graph.find(links)).tolist() == [0, 1, 2, 0]


def test_a_redirect_is_a_page_with_one_link() -> None:
    graph = WebGraph()
    [(_, targets)] = graph.add(visit("http://a/", "http://old/"))
    added = graph.add(visit("http://new/", "http://a/", kind="redirect", source="http://old/"))
    assert [(page, to.tolist()) for page, to in added] == [(targets[0], [2]), (2, [0])]
    assert graph.backlinks.of(graph.find([Link("http://new/")])).tolist() == [1]


def test_a_full_graph_goes_on_with_what_it_knows() -> None:
    graph = WebGraph(most=2)
    [(page, targets)] = graph.add(visit("http://a/", "http://b/", "http://c/"))
    assert (page, targets.tolist()) == (0, [1])
    assert graph.add(visit("http://c/", "http://a/")) == []
    [(page, targets)] = graph.add(visit("http://b/", "http://a/"))
    assert (page, targets.tolist()) == (1, [0])


@settings(max_examples=50)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(0, 100))
def test_every_page_has_its_turn_and_no_turn_is_long(counts: list[int], effort: int) -> None:
    links, turns = OutLinks(), np.zeros(len(counts), int)
    for page, count in enumerate(counts):
        links.append(page, np.arange(count))
    most = max(effort, *counts)
    for _ in range(2 * len(counts)):
        if not len(links):
            return
        turn = links.turn(effort)
        assert len(turn.targets) == turn.counts.sum() <= most
        assert turn.counts.tolist() == [counts[page] for page in turn.pages]
        turns[turn.pages] += 1
    assert all((turns > 0) == (np.array(counts) > 0)), "pages without links have nothing to hand on"
    assert turns[turns > 0].max() - turns[turns > 0].min() <= 1


def test_new_pages_do_not_keep_a_round_from_ending() -> None:
    links, turns = OutLinks(), np.zeros(100, int)
    for page in range(100):
        links.append(page, np.arange(5))
        turns[links.turn(10).pages] += 1
    assert turns[:10].min() >= 3


def test_sums_and_spreading() -> None:
    links = OutLinks()
    links.append(7, np.array([1, 2]))
    links.append(8, np.array([3]))
    both = links.latest(2)
    assert both.pages.tolist() == [7, 8]
    assert both.spread(np.array([1.0, 5.0])).tolist() == [1.0, 1.0, 5.0]
    assert both.sums(np.array([1.0, 2.0, 4.0])).tolist() == [3.0, 4.0]
    assert links.latest(1).targets.tolist() == [3]


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_is_an_answer_too(size: int) -> None:
    graph = WebGraph()
    graph.add(visit("http://a/"))
    assert len(graph.find([Link("http://a/")] * size)) == size

from __future__ import annotations

import heapq
from math import log10
from random import Random

import networkx as nx
import pytest
from msgspec.structs import replace

from scenthound.strategies.fica import Fica
from tests.strategies.grown_web import visit


def test_a_click_counts_by_how_many_links_there_were() -> None:
    """A seed with 10 links: each is log10(10) = 1 away. One of these has 3 links: they are 1 + log10(3) away."""
    fica = Fica()
    seed = visit("http://s.example/", *(f"http://a.example/{n}" for n in range(10)))
    first = fica.rank(seed)
    assert [one.priority for one in first] == pytest.approx([-1.0] * 10)
    below = replace(visit("http://a.example/0", *(f"http://b.example/{n}" for n in range(3))), memory=first[0].memory)
    assert [one.priority for one in fica.rank(below)] == pytest.approx([-1 - log10(3)] * 3)
    assert [one.priority for one in Fica(discount=0.5).rank(below)] == pytest.approx([-0.5 - log10(3)] * 3)


def test_the_example_of_its_author() -> None:
    """Bidoki's handout: p has 4 links, so d(p, t) = log 4; one of its pages has 2 links, another 3: 0.9 and 1.07."""
    fica = Fica()
    first = fica.rank(visit("http://p.example/", *(f"http://{name}.example/" for name in "qrst")))
    assert [-one.priority for one in first] == pytest.approx([log10(4)] * 4)
    memory = first[0].memory
    to_z = fica.rank(replace(visit("http://s.example/", "http://y.example/", "http://z.example/"), memory=memory))
    to_v = fica.rank(replace(visit("http://q.example/", *(f"http://{n}.example/" for n in "uvw")), memory=memory))
    assert -to_z[0].priority == pytest.approx(0.903, abs=0.0005)
    assert -to_v[0].priority == pytest.approx(1.079, abs=0.0005)


def test_distances_of_a_crawl_are_those_of_the_definition() -> None:
    """The logarithmic distance of a page is its shortest way from the seed, a link of u counting log10 of u's links
    (Bidoki et al., definitions 1 and 2). Crawled nearest first, every page has it, and comes in that order."""
    random = Random(3)
    graph = {page: random.sample(range(60), random.randint(1, 12)) for page in range(60)}
    wanted = nx.single_source_dijkstra_path_length(
        nx.DiGraph((page, to, {"w": log10(len(links))}) for page, links in graph.items() for to in links if to != page),
        0,
        weight="w",
    )
    fica, found, order = Fica(), dict[int, float](), list[int]()
    waiting: list[tuple[float, int, bytes | None]] = [(0.0, 0, None)]
    while waiting:
        distance, page, memory = heapq.heappop(waiting)
        if page in found:
            continue
        found[page] = distance
        order.append(page)
        seen = replace(
            visit(f"http://w.example/{page}", *(f"http://w.example/{to}" for to in graph[page])), memory=memory
        )
        for one in fica.rank(seen):
            heapq.heappush(waiting, (-one.priority, int(one.link.url.rpartition("/")[2]), one.memory))
    assert found == pytest.approx(wanted)
    assert [wanted[page] for page in order] == sorted(wanted.values())


def test_an_only_link_is_no_way_at_all() -> None:
    assert [one.priority for one in Fica().rank(visit("http://s.example/", "http://a.example/"))] == [0.0]


def test_memory_of_another_strategy_is_no_distance() -> None:
    odd = replace(visit("http://s.example/", "http://a.example/"), memory=b"\xff" * 8)
    assert [one.priority for one in Fica().rank(odd)] == [0.0]
    with pytest.raises(ValueError, match="between 0 and 1"):
        Fica(discount=2.0)

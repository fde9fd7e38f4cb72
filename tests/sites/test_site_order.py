from __future__ import annotations

from random import Random

import pytest

from scenthound.model import Link
from scenthound.sites.site_graph import EdgeWeight, SiteGraph
from scenthound.sites.site_order import EdgeRanking


def page_of(graph: SiteGraph, ranking: EdgeRanking, source: str, site: float, page: float, *targets: str) -> None:
    """A page of that confidence, on a site that now has that one."""
    graph.examine(source)
    graph.confidence[source] = site
    graph.link(source, {target: Link(url=f"http://{target}/") for target in targets}, 1, page)
    ranking.changed(graph.waiting_after(source))


def drain(graph: SiteGraph, ranking: EdgeRanking) -> list[str]:
    order = []
    while (site := ranking.best()) is not None:
        graph.examine(site)
        order.append(site)
    return order


@pytest.mark.parametrize(
    ("weight", "order"),
    [
        ("global", ["b", "c", "a"]),  # 0.9 | (0.9 + 0.2) / 2 | 0.2
        ("local", ["a", "c", "b"]),  # 0.8 | (0.3 + 0.8) / 2 = 0.55 | 0.3
        ("combined", ["b", "c", "a"]),  # 0.6 | 0.55 | 0.5
    ],
)
def test_sites_go_by_the_mean_weight_of_edges(weight: EdgeWeight, order: list[str]) -> None:
    graph = SiteGraph()
    ranking = EdgeRanking(graph, weight)
    page_of(graph, ranking, "low", 0.2, 0.8, "a", "c")
    page_of(graph, ranking, "high", 0.9, 0.3, "b", "c")
    assert ranking.rank("c") == pytest.approx(0.55)
    assert drain(graph, ranking) == order


def test_a_site_that_turns_out_otherwise_takes_its_links_along() -> None:
    graph = SiteGraph()
    ranking = EdgeRanking(graph, "global")
    page_of(graph, ranking, "s", 0.9, 0.9, "a")
    page_of(graph, ranking, "t", 0.5, 0.5, "b")
    assert ranking.best() == "a"
    page_of(graph, ranking, "s", 0.1, 0.1)
    assert drain(graph, ranking) == ["b", "a"]


def test_among_equals_the_first_found_goes_first() -> None:
    graph = SiteGraph()
    ranking = EdgeRanking(graph)
    page_of(graph, ranking, "s", 0.5, 0.5, "z", "a", "m")
    assert drain(graph, ranking) == ["z", "a", "m"]


def test_an_empty_border_has_no_best() -> None:
    assert EdgeRanking(SiteGraph()).best() is None


@pytest.mark.parametrize("weight", ["global", "local", "combined"])
@pytest.mark.parametrize("seed", range(5))
def test_the_heap_says_what_sorting_would(weight: EdgeWeight, seed: int) -> None:
    random, graph = Random(seed), SiteGraph()
    ranking = EdgeRanking(graph, weight)
    for _ in range(3000):
        if random.random() < 0.2 and graph.border:
            expected = min(graph.border, key=lambda site: (-ranking.rank(site), graph.border[site]))
            assert ranking.best() == expected
            graph.examine(expected)
        else:
            targets = {f"t{random.randrange(300)}" for _ in range(4)}
            page_of(graph, ranking, f"s{random.randrange(12)}", random.random(), random.random(), *sorted(targets))
    assert len(ranking._heap) < 2 * len(graph.border) + 2000

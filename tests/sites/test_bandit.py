from __future__ import annotations

from math import log, sqrt

import pytest

from scenthound.model import Link
from scenthound.sites.bandit import BanditRanking
from scenthound.sites.site_graph import SiteGraph


def links(*targets: str) -> dict[str, Link]:
    return {target: Link(url=f"http://{target}/") for target in targets}


def graph_of(**sites: tuple[float, list[str]]) -> SiteGraph:
    graph = SiteGraph()
    for name, (confidence, targets) in sites.items():
        graph.examine(name)
        graph.confidence[name] = confidence
        graph.link(name, links(*targets), 1, confidence)
    return graph


def test_before_anything_was_drawn_the_edge_weight_decides() -> None:
    graph = graph_of(good=(0.9, ["a"]), bad=(0.1, ["b"]))
    bandit = BanditRanking(graph)
    assert bandit.best() == "a"
    assert bandit.rank("a") == pytest.approx(0.9)


def test_the_value_of_an_arm_by_hand() -> None:
    graph = graph_of(hub=(0.2, ["a", "b", "c"]), shop=(0.8, ["d"]))
    bandit = BanditRanking(graph, k=2.0, e=0.25)
    graph.examine("a")
    bandit.verdict("a", relevant=True)
    # paid 1 of 1 draw, believed 0.2 as much as two: (1 + 2 * 0.2) / 3; one draw in all
    assert bandit.value("hub", ["b", "c"]) == pytest.approx(1.4 / 3 + 0.25 * sqrt(2 * log(2) / 3))
    assert bandit.value("shop", ["d"]) == pytest.approx(0.8 + 0.25 * sqrt(2 * log(2) / 2))


def test_a_hub_whose_links_pay_goes_before_a_relevant_site_whose_links_do_not() -> None:
    graph = graph_of(hub=(0.1, [f"h{n}" for n in range(9)]), shop=(0.9, [f"s{n}" for n in range(9)]))
    bandit = BanditRanking(graph)
    for n in range(5):
        for name, relevant in ((f"h{n}", True), (f"s{n}", False)):
            graph.examine(name)
            bandit.verdict(name, relevant)
    assert bandit.best() == "h5"


def test_a_site_of_the_border_nobody_can_give_is_none() -> None:
    graph = graph_of(hub=(0.5, ["a"]))
    bandit = BanditRanking(graph)
    graph.examine("a")
    assert bandit.best() is None
    bandit.verdict("seed.test", relevant=True)  # nobody led there: nobody is praised
    assert bandit.rank("seed.test") == 0.0

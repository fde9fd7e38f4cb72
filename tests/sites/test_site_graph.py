from __future__ import annotations

import pytest

from scenthound.model import Link
from scenthound.sites.site_graph import SiteGraph


def to(url: str, source: str = "http://w.test/") -> Link:
    return Link(url=url, source=source)


@pytest.fixture
def graph() -> SiteGraph:
    """The document's figure 3: W has confidence 0.6, and links to U from pages with 0.9 and 0.5."""
    graph = SiteGraph()
    graph.confidence["w.test"] = 0.6
    graph.link("w.test", {"u.test": to("http://u.test/a", "http://w.test/1")}, 1, 0.5)
    graph.link("w.test", {"u.test": to("http://u.test/b", "http://w.test/2")}, 2, 0.9)
    return graph


def test_the_three_weights_of_an_edge(graph: SiteGraph) -> None:
    edge = graph.incoming["u.test"]["w.test"]
    assert graph.weight_global("w.test", edge) == 0.6
    assert graph.weight_local("w.test", edge) == pytest.approx(0.7)
    assert graph.weight_combined("w.test", edge) == pytest.approx(0.65)


def test_a_rank_is_the_mean_over_sites_not_over_links(graph: SiteGraph) -> None:
    graph.confidence["v.test"] = 0.1
    graph.link("v.test", {"u.test": to("http://u.test/", "http://v.test/")}, 1, 0.3)
    assert graph.rank("u.test", graph.weight("global")) == pytest.approx((0.6 + 0.1) / 2)
    assert graph.rank("u.test", graph.weight("local")) == pytest.approx((0.7 + 0.3) / 2)
    assert graph.rank("u.test", graph.weight("combined")) == pytest.approx((0.65 + 0.2) / 2)
    assert graph.rank("nobody.test", graph.weight("global")) == 0.0


def test_the_link_of_the_most_confident_page_is_shown(graph: SiteGraph) -> None:
    edge = graph.best_edge("u.test")
    assert edge is not None
    assert (edge.link.source, edge.depth) == ("http://w.test/2", 2)
    assert graph.best_edge("nobody.test") is None


def test_the_border_is_what_is_linked_to_and_not_examined(graph: SiteGraph) -> None:
    graph.examine("x.test")
    graph.link("w.test", {"x.test": to("http://x.test/"), "y.test": to("http://y.test/")}, 1, 0.5)
    assert list(graph.border) == ["u.test", "y.test"]
    graph.examine("u.test")
    assert list(graph.waiting_after("w.test")) == ["y.test"]
    graph.link("w.test", {"u.test": to("http://u.test/")}, 1, 0.5)
    assert "u.test" not in graph.border

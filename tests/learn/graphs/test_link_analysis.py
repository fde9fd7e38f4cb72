from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.graphs.link_analysis import link_scores

EDGES = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (4, 0)]


def test_hubs_and_authorities_are_networkx_s() -> None:
    hubs, authorities = nx.hits(nx.DiGraph(EDGES), max_iter=1000, tol=1e-14)
    assert link_scores(5, EDGES, "hubs") == pytest.approx([hubs[n] for n in range(5)], abs=1e-6)
    assert link_scores(5, EDGES, "authorities") == pytest.approx([authorities[n] for n in range(5)], abs=1e-6)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda e: e[0] != e[1]), unique=True))
def test_pagerank_is_networkx_s(edges: list[tuple[int, int]]) -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(8))
    graph.add_edges_from(edges)
    start = {n: float(n + 1) for n in range(8)}
    wanted = nx.pagerank(graph, personalization=start, tol=1e-12, max_iter=1000)
    found = link_scores(8, edges, "pagerank", list(start.values()))
    assert found == pytest.approx([wanted[n] for n in range(8)], abs=1e-8)
    assert np.isclose(found.sum(), 1.0)


def test_a_hub_of_the_topic_leads_to_its_pages() -> None:
    """Two lists of two pages each; only what the second one links to is relevant."""
    edges = [(0, 2), (0, 3), (1, 4), (1, 5)]
    scores = link_scores(6, edges, "hubs", [0.0, 0.0, 0.0, 0.0, 1.0, 1.0])
    assert (scores[1], scores[0]) == (pytest.approx(1.0), 0.0)


def test_no_links_no_hubs() -> None:
    assert link_scores(3, [], "hubs").tolist() == [0.0, 0.0, 0.0]
    assert link_scores(3, [], "pagerank") == pytest.approx([1 / 3] * 3)

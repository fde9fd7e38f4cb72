"""Ehrig's and Li's numbers on a graph that can be drawn on a napkin.

                 thing                      depth 1
               /       \\
          animal       illness              2
         /      \\          \\
      insect    rodent     fever            3
      /    \\                  \\
  mosquito  louse            dengue         4
      \\______________related___/
"""

from __future__ import annotations

from math import exp, tanh
from random import Random

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.ontology.similarity import MEASURES, ConceptSimilarity, ehrig, li
from scenthound.ontology.thesaurus import Thesaurus
from scenthound.ontology.wordnet import wordnet

NAMES = ["thing", "animal", "illness", "insect", "rodent", "fever", "mosquito", "louse", "dengue", "alone"]
THING, ANIMAL, ILLNESS, INSECT, RODENT, FEVER, MOSQUITO, LOUSE, DENGUE, ALONE = range(10)
BROADER = [
    (ANIMAL, THING),
    (ILLNESS, THING),
    (INSECT, ANIMAL),
    (RODENT, ANIMAL),
    (FEVER, ILLNESS),
    (MOSQUITO, INSECT),
    (LOUSE, INSECT),
    (DENGUE, FEVER),
]


def napkin(related: list[tuple[int, int]] | None = None) -> ConceptSimilarity:
    return ConceptSimilarity(Thesaurus("napkin", [[name] for name in NAMES], BROADER, related or []))


@pytest.mark.parametrize(
    ("a", "b", "length", "depth"),
    [
        (MOSQUITO, MOSQUITO, 0, 4),
        (MOSQUITO, INSECT, 1, 3),
        (MOSQUITO, LOUSE, 2, 3),
        (MOSQUITO, RODENT, 3, 2),
        (MOSQUITO, DENGUE, 6, 1),
        (THING, DENGUE, 3, 1),
    ],
)
def test_ways_by_hand(a: int, b: int, length: int, depth: int) -> None:
    assert list(napkin().ways(a, b)) == [(length, depth)]
    assert list(napkin().ways(b, a)) == [(length, depth)]


def test_no_way() -> None:
    assert list(napkin().ways(ALONE, MOSQUITO)) == []
    assert napkin().best([ALONE], [MOSQUITO, DENGUE], li) == 0.0
    assert napkin().best([], [MOSQUITO], ehrig) == 0.0


def test_related_concepts_are_an_edge_at_the_top_of_a_way() -> None:
    similarities = napkin([(MOSQUITO, DENGUE)])
    assert sorted(similarities.ways(MOSQUITO, DENGUE)) == [(1, 4), (6, 1)]
    assert similarities.best([MOSQUITO], [DENGUE], ehrig) == 0.5
    assert list(similarities.ways(LOUSE, DENGUE)) == [(5 + 1, 1)], "nothing above a louse is related to anything"
    above = napkin([(INSECT, FEVER)])
    for a, b in ((LOUSE, DENGUE), (DENGUE, LOUSE)):
        assert sorted(above.ways(a, b)) == [(3, 3), (6, 1)]


def test_the_formulas() -> None:
    assert [ehrig(length, 9) for length in range(4)] == [1.0, 0.5, 0.25, 0.125]
    assert li(0, 0) == 0.0
    assert li(2, 3) == pytest.approx(exp(-0.4) * tanh(1.8))
    assert li(2, 3) == pytest.approx(0.670320 * 0.946806, abs=1e-6)
    assert li(1, 30) == pytest.approx(exp(-0.2))


def test_the_best_pair_of_senses_counts() -> None:
    similarities = napkin()
    assert similarities.best([RODENT, DENGUE], [FEVER, LOUSE], ehrig) == 0.5
    assert similarities.best([RODENT, DENGUE], [FEVER, LOUSE], li) == pytest.approx(exp(-0.2) * tanh(1.8))


@given(
    size=st.integers(1, 12),
    edges=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=25),
    crossings=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=4),
)
@example(size=4, edges=[(0, 2), (1, 3), (2, 0)], crossings=[(0, 1), (1, 2)])
def test_any_graph(size: int, edges: list[tuple[int, int]], crossings: list[tuple[int, int]]) -> None:
    """Cycles and all: ways are as long as networkx finds them, and similarity is symmetric and at most 1."""
    broader = [(a % size, b % size) for a, b in edges]
    related = [(a % size, b % size) for a, b in crossings]
    thesaurus = Thesaurus("any", [[f"c{number}"] for number in range(size)], broader, related)
    similarities = ConceptSimilarity(thesaurus)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((a, b) for a, b in broader if a != b)
    up = dict(nx.all_pairs_shortest_path_length(graph))
    for a in range(size):
        for b in range(size):
            lengths = [up[a][top] + up[b][top] for top in up[a].keys() & up[b].keys()]
            both = [*related, *((y, x) for x, y in related)]
            lengths += [up[a][x] + 1 + up[b][y] for x, y in both if x != y and x in up[a] and y in up[b]]
            ways = list(similarities.ways(a, b))
            assert min((length for length, _ in ways), default=None) == min(lengths, default=None)
            for measure in (ehrig, li):
                one = similarities.best([a], [b], measure)
                assert 0.0 <= one <= 1.0
                assert one == similarities.best([b], [a], measure)


def test_the_shortest_path_in_the_graph_may_go_down_and_up_again() -> None:
    """A goat is both livestock and a bovid: down and up again leads from one to the other, no way above both does."""
    livestock, bovid, goat = range(3)
    goats = Thesaurus("goats", [["livestock"], ["bovid"], ["goat"]], [(goat, livestock), (goat, bovid)])
    assert list(ConceptSimilarity(goats).ways(livestock, bovid)) == []
    assert list(ConceptSimilarity(goats, "graph").ways(livestock, bovid)) == [(2, 0)]
    assert ConceptSimilarity(goats, "graph").best([livestock], [bovid], ehrig) == 0.25
    assert ConceptSimilarity(goats, "graph").best([livestock], [bovid], li) == 0.0  # nothing is above both: H = 0


def test_what_is_related_is_an_edge_of_the_graph_and_not_of_is_a() -> None:
    related = Thesaurus("napkin", [[name] for name in NAMES], BROADER, [(MOSQUITO, DENGUE)])
    assert list(ConceptSimilarity(related, "graph").ways(MOSQUITO, DENGUE)) == [(1, 1)]
    assert list(ConceptSimilarity(related, "graph").ways(LOUSE, FEVER)) == [(4, 1)]
    assert list(ConceptSimilarity(related, "is-a").ways(MOSQUITO, DENGUE)) == [(6, 1)]
    assert list(ConceptSimilarity(related, "graph").ways(ALONE, DENGUE)) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20), st.integers(0, 9), st.integers(0, 9))
def test_graph_paths_are_networkx_s(edges: list[tuple[int, int]], a: int, b: int) -> None:
    graph = nx.Graph([edge for edge in edges if edge[0] != edge[1]])
    graph.add_nodes_from(range(10))
    similarities = ConceptSimilarity(Thesaurus("any", [[name] for name in NAMES], edges), "graph")
    wanted = [nx.shortest_path_length(graph, a, b)] if nx.has_path(graph, a, b) else []
    assert [length for length, _ in similarities.ways(a, b)] == wanted


def test_measures_by_hand() -> None:
    assert [MEASURES["ehrig-a"](length, 0) for length in range(4)] == [1, 1, 0, 0]
    assert [MEASURES["ehrig-b"](length, 0) for length in range(4)] == [1, 1, 1, 0]
    assert MEASURES["li-printed"](2, 3) == pytest.approx(exp(-0.2 * 2 * tanh(0.6 * 3)))


def test_of_ten_pairs_of_nouns_four_differ() -> None:
    """Pairs drawn at random from WordNet: how many are nearer in the graph than through what is above both."""
    net, chance = wordnet(), Random(3)
    tree, graph = ConceptSimilarity(net), ConceptSimilarity(net, "graph")
    nouns = range(net._ends[0])
    middle = [chance.choice(nouns) for _ in range(20)]
    shorter = pairs = 0
    for b in middle:
        for _ in range(20):
            a = chance.choice(nouns)
            [(through, _)], [(across, _)] = list(tree.ways(a, b)), list(graph.ways(a, b))
            assert across <= through
            shorter, pairs = shorter + (across < through), pairs + 1
    assert 0.3 < shorter / pairs < 0.5

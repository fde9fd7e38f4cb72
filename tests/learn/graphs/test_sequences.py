"""Ways through a graph: the rules of Liu 3.1, and that nothing but the seed decides."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.graphs.hops import hops
from scenthound.learn.graphs.sequences import downhill, walks
from tests.learn.graphs.test_hops import FIGURE, FIGURE_LAYERS, GRAPHS

STATES = hops(10, FIGURE, [0, 5, 7])


def is_valid(way: tuple[int, ...], children: dict[int, list[int]]) -> bool:
    return len(set(way)) == len(way) and all(b in children.get(a, ()) for a, b in pairwise(way))


def test_the_examples_of_the_paper() -> None:
    children = downhill(FIGURE, STATES, FIGURE_LAYERS)
    assert is_valid((9, 7, 3, 4, 1, 0), children)
    assert is_valid((9, 7, 4, 1, 0), children)  # its states are T1 T0 T1 T1 T0
    assert not is_valid((9, 8, 4, 7, 3, 1, 0), children)  # 4 to 7 goes up
    assert not is_valid((9, 7, 4, 7, 4, 1), children)  # a loop


def test_a_way_may_pass_a_target() -> None:
    ways = walks(FIGURE, STATES, 2000, random=Random(1), layers=FIGURE_LAYERS)
    told = {tuple(STATES[page] for page in way) for way in ways}
    assert (1, 0, 1, 1, 0) in told
    down = walks(FIGURE, STATES, 2000, random=Random(1))
    assert all(a >= b for way in down for a, b in pairwise([STATES[page] for page in way]))


@given(GRAPHS, st.integers(0, 3))
def test_every_way_keeps_the_rules(graph: tuple[int, list[tuple[int, int]], set[int]], seed: int) -> None:
    n, edges, targets = graph
    states = hops(n, edges, targets)
    ways = walks(edges, states, 50, random=Random(seed))
    assert len(ways) in (0, 50)
    for way in ways:
        assert 2 <= len(way) <= 10
        assert len(set(way)) == len(way)
        assert all((a, b) in edges and states[a] >= states[b] >= 0 for a, b in pairwise(way))


def test_the_same_seed_draws_the_same() -> None:
    drawn = [walks(FIGURE, STATES, 300, random=Random(seed), layers=FIGURE_LAYERS) for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_lengths_and_starts_are_even_where_nothing_ends_a_way() -> None:
    ring = [(a, (a + step) % 20) for a in range(20) for step in (1, 2, 3)]
    ways = walks(ring, [0] * 20, 9000, random=Random(3))
    lengths, starts = Counter(map(len, ways)), Counter(way[0] for way in ways)
    assert set(lengths) == set(range(2, 11))
    assert all(800 < lengths[length] < 1200 for length in range(2, 11))
    assert all(350 < starts[page] < 550 for page in range(20))


def test_nothing_to_draw_from() -> None:
    assert walks([], [0, 1]) == ()
    assert walks([(0, 1)], [0, -1]) == ()
    assert walks([(0, 0)], [0]) == ()
    assert walks([(1, 0)], [0, 1], 5, shortest=3) == ()  # no way is that long


@pytest.mark.parametrize("longest", [2, 3])
def test_the_longest(longest: int) -> None:
    chain = [(n + 1, n) for n in range(9)]
    ways = walks(chain, range(10), 500, 2, longest, Random(0))
    assert max(map(len, ways)) == longest

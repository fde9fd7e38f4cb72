"""How far it is to a target, against the figure of the paper and against all paths tried."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.graphs.hops import hops, merged
from scenthound.model import Lessons, Page

# Liu, Fig. 5(e): nodes 5 and 7 are like the initial target 0 and became targets, too.
FIGURE = [
    (1, 0), (2, 0), (3, 1), (4, 1), (4, 2), (3, 4), (4, 7), (6, 2), (7, 3), (7, 4), (8, 4), (8, 1), (8, 5), (9, 8),
    (9, 7), (0, 5),
]  # fmt: skip
FIGURE_LAYERS = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4)

GRAPHS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20),
        st.sets(st.integers(0, n - 1)),
    )
)


def test_the_figure_of_the_paper() -> None:
    assert hops(10, FIGURE, [0, 5, 7]) == (0, 1, 1, 2, 1, 0, 2, 0, 1, 1)
    assert hops(10, FIGURE, [0]) == (0, 1, 1, 2, 2, -1, 2, 3, 2, 3)  # 5 leads nowhere


@given(GRAPHS)
def test_against_all_paths(graph: tuple[int, list[tuple[int, int]], set[int]]) -> None:
    n, edges, targets = graph
    far = [[0 if a == b else 99 for b in range(n)] for a in range(n)]
    for source, target in edges:
        far[source][target] = min(far[source][target], 1)
    for through, a, b in product(range(n), repeat=3):
        far[a][b] = min(far[a][b], far[a][through] + far[through][b])
    nearest = [min((far[page][target] for target in targets), default=99) for page in range(n)]
    assert hops(n, edges, targets) == tuple(-1 if distance == 99 else distance for distance in nearest)


def test_lessons_of_two_kinds_are_one_graph() -> None:
    a, b, c, d = (Page(url=f"http://a.test/{name}") for name in "abcd")
    trails = Lessons((a, b, c), ((0, 1), (1, 2)), (2, 1, 0), ((0, 1, 2),))
    graph = Lessons((d, a), ((1, 0),), (0, 1), ((1, 0),))
    both = merged([trails, graph])
    assert both.pages == (a, b, c, d)
    assert both.edges == ((0, 1), (1, 2), (0, 3))
    assert both.states == (1, 1, 0, 0)  # a is one link from d, which only the graph knows
    assert both.sequences == ((0, 1, 2), (0, 3))
    assert merged([trails]) is trails

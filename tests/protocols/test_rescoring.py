from __future__ import annotations

from math import inf, nan

from scenthound.model import Link, Waiting
from scenthound.protocols.rescoring import moves


class Steady:
    least_move = 0.25


def test_a_link_that_hardly_changed_stays_where_it_is() -> None:
    waiting = [Waiting(number, Link(f"http://a.test/{number}"), "a.test", 1.0, number) for number in range(6)]
    scores = [1.0, 1.2, 1.25, 0.75, inf, 0.8]
    assert moves(Steady(), waiting, scores) == [(2, 1.25), (3, 0.75), (4, inf)]
    assert moves(object(), waiting, scores) == list(enumerate(scores))


def test_what_is_no_number_is_for_the_frontier_to_sort_out() -> None:
    ((number, score),) = moves(Steady(), [Waiting(7, Link("http://a.test/"), "a.test", 1.0, 0)], [nan])
    assert number == 7
    assert score != score

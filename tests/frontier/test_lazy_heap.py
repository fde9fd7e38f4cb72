from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from scenthound.frontier.lazy_heap import SORTED, LazyHeap
from scenthound.model import Link, Waiting
from tests.counting import calls_of


def waiting(number: int, priority: float) -> Waiting:
    return Waiting(number, Link(f"http://a.test/{number}"), "a.test", priority, number)


@pytest.mark.parametrize("wanted", [1, 7, 100, 1000], ids=["few: taken out", "some", "most: sorted", "more than all"])
@pytest.mark.parametrize("best", [True, False])
def test_the_first_are_those_that_sorting_all_would_give_whatever_came_and_went(best: bool, wanted: int) -> None:
    draw, links = Random(1), {number: waiting(number, number % 5) for number in range(100)}
    heap = LazyHeap(links, best=best)
    for turn in range(60):
        number = draw.randrange(140)
        if number in links and turn % 3 == 0:
            del links[number]
        else:
            links[number] = replace(links.get(number, waiting(number, 0.0)), priority=float(draw.randrange(8)))
            heap.push(links[number])
        sign = -1 if best else 1
        expected = sorted(links.values(), key=lambda link: (sign * link.priority, -sign * link.order))
        assert heap.first(wanted) == expected[:wanted]
        assert heap.peek() == expected[0]


def test_both_ways_of_taking_are_tried_above() -> None:
    assert 7 * SORTED < 100 < 100 * SORTED


def test_what_is_pushed_costs_nothing_until_somebody_looks() -> None:
    """A learner moves hundreds of links between two looks: they find their places together."""
    links = {number: waiting(number, float(number)) for number in range(2000)}
    heap = LazyHeap(links, best=True)
    heap.first(1000)
    moved = [replace(links[number], priority=number + 0.5) for number in range(0, 2000, 4)]
    links.update({link.id: link for link in moved})
    assert calls_of(lambda: [heap.push(link) for link in moved]) < 8 * len(moved)
    assert [link.id for link in heap.first(5)] == [1999, 1998, 1997, 1996, 1995]

"""What moves all links together is told slowly, what they differ in at once."""

from __future__ import annotations

import pytest

from scenthound.cluster.steady_scale import SECONDS, SteadyScale

LINKS = [(1, 0.5), (2, 0.25), (3, 0.125)]


def moved(by: float) -> list[tuple[int, float]]:
    return [(number, score + by) for number, score in LINKS]


def test_scores_that_stay_are_told_as_they_are() -> None:
    scale = SteadyScale()
    assert [scale.shift(LINKS, now) for now in (0.0, 1.0, 2.0)] == [0.0, 0.0, 0.0]


def test_what_rises_as_a_whole_is_told_as_before_and_rises_slowly() -> None:
    scale = SteadyScale()
    scale.shift(LINKS, 0.0)
    assert scale.shift(moved(2.0), 0.0) == -2.0
    assert scale.shift(moved(2.0), SECONDS) == pytest.approx(-2.0 / 2.718281828)
    assert scale.shift(moved(2.0), 20 * SECONDS) == pytest.approx(0.0, abs=1e-6)


def test_ups_and_downs_even_out() -> None:
    scale = SteadyScale()
    told = [0.5 + by + scale.shift(moved(by), n / 10) for n, by in enumerate([0.0, 1.0, 0.0, 1.0, 0.0])]
    assert max(told) - min(told) < 0.1


def test_a_link_that_alone_is_worth_more_is_told_at_once() -> None:
    scale = SteadyScale()
    scale.shift(LINKS, 0.0)
    assert scale.shift([(1, 9.0), *LINKS[1:]], 0.0) == 0.0


def test_links_that_are_new_move_nothing() -> None:
    scale = SteadyScale()
    scale.shift(LINKS, 0.0)
    assert scale.shift([(9, 5.0), (8, 7.0)], 1.0) == 0.0
    assert scale.shift([(9, 5.0), (8, float("inf"))], 1.0) == 0.0

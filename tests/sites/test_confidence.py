from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judges.auto import Auto
from scenthound.sites.confidence import by_position, by_threshold


def test_by_hand() -> None:
    assert by_threshold(0.3, 0.1) == pytest.approx(log(0.7) / (log(0.7) + log(0.95)))
    assert by_threshold(0.05, 0.1) == pytest.approx(0.5)
    table = {0.0: 0.44, 0.1: 0.67, 0.2: 0.81, 0.4: 0.91}
    assert {given: round(by_threshold(given, 0.1), 2) for given in table} == table


def test_a_probability_is_read_by_the_position_behind_it() -> None:
    table = {0.0: 0.44, 0.01: 0.44, 0.027: 0.5, 0.1: 0.66, 0.5: 0.79, 0.9: 0.86, 0.99: 0.92, 1.0: 0.99}
    scale = Auto.position
    assert {given: round(by_position(scale(given), scale(0.5)), 2) for given in table} == table


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_it_grows_with_the_probability_whatever_the_threshold(one: float, two: float, threshold: float) -> None:
    scale = Auto.position
    low, high = (by_position(scale(each), scale(threshold)) for each in (min(one, two), max(one, two)))
    assert 0 < low <= high < 1


def test_the_ends() -> None:
    assert by_threshold(0.0, 0.1) == by_threshold(0.04, 0.1)  # a silent page says little, not all
    assert by_threshold(1.0, 0.1) > 0.99
    assert by_threshold(0.0, 0.0) == pytest.approx(0.5)
    assert by_threshold(1.0, 1.0) > 0.9


@given(st.floats(-1, 2), st.floats(-1, 2), st.floats(0, 1))
def test_it_is_a_confidence_and_grows_with_relevance(one: float, two: float, threshold: float) -> None:
    low, high = by_threshold(min(one, two), threshold), by_threshold(max(one, two), threshold)
    assert 0 < low <= high < 1

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.sites.confidence import by_threshold


def test_by_hand() -> None:
    assert by_threshold(0.3, 0.1) == pytest.approx(log(0.7) / (log(0.7) + log(0.95)))
    assert by_threshold(0.05, 0.1) == pytest.approx(0.5)
    table = {0.0: 0.44, 0.1: 0.67, 0.2: 0.81, 0.4: 0.91}
    assert {given: round(by_threshold(given, 0.1), 2) for given in table} == table


def test_a_probability_is_read_by_the_threshold_of_its_judge() -> None:
    table = {0.0: 0.44, 0.25: 0.5, 0.5: 0.71, 0.75: 0.83, 0.9: 0.89, 1.0: 0.98}
    assert {given: round(by_threshold(given, 0.5), 2) for given in table} == table


def test_the_ends() -> None:
    assert by_threshold(0.0, 0.1) == by_threshold(0.04, 0.1)  # a silent page says little, not all
    assert by_threshold(1.0, 0.1) > 0.99
    assert by_threshold(0.0, 0.0) == pytest.approx(0.5)
    assert by_threshold(1.0, 1.0) > 0.9


@given(st.floats(-1, 2), st.floats(-1, 2), st.floats(0, 1))
def test_it_is_a_confidence_and_grows_with_relevance(one: float, two: float, threshold: float) -> None:
    low, high = by_threshold(min(one, two), threshold), by_threshold(max(one, two), threshold)
    assert 0 < low <= high < 1

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.revisit.schedule.shared_change_days import LookSpans, SharedChangeDays


def spans(*looks: tuple[int, int, int]) -> LookSpans:
    kinds, first, last = (np.array(column, dtype=np.int64) for column in zip(*looks, strict=True))
    return LookSpans(kinds, first, last)


def test_before_any_look_a_day_brings_what_days_bring() -> None:
    change_days = SharedChangeDays(0.01, 2.0)
    change_days.reach(1, 30)
    assert change_days.passed(spans((0, 0, 10), (0, 5, 6))) == pytest.approx([0.1, 0.01])
    assert len(change_days.passed(LookSpans(*(np.zeros(0, dtype=np.int64),) * 3))) == 0


def test_by_hand() -> None:
    """One look over days 2 and 3 that found a change worth 50: each day is lent 0.01 * 50."""
    change_days = SharedChangeDays(0.01, 2.0)
    change_days.reach(1, 10)
    change_days.lend(spans((0, 2, 4)), np.array([50.0]))
    assert change_days.passed(spans((0, 2, 3))) == pytest.approx([(2 * 0.01 + 0.5) / 3])
    assert change_days.passed(spans((0, 1, 2))) == pytest.approx([0.01])


def test_the_day_that_looks_agree_on_stands_out() -> None:
    change_days = SharedChangeDays(0.01, 1.0)
    change_days.reach(2, 40)
    for first, last in ((0, 21), (5, 22), (12, 23), (18, 24), (20, 26)):
        look = spans((1, first, last))
        change_days.lend(look, 1 / -np.expm1(-change_days.passed(look)))
    days = [float(change_days.passed(spans((1, day, day + 1)))[0]) for day in range(30)]
    assert np.argmax(days) == 20
    assert days[20] > 3 * days[10] > 3 * days[26]
    assert float(change_days.passed(spans((0, 20, 21)))[0]) == 0.01  # another kind knows nothing of it


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(1, 9), st.floats(0, 50)), min_size=1, max_size=9
    )
)
def test_sums_of_steps_are_the_loops_they_stand_for(looks: list[tuple[int, int, int, float]]) -> None:
    change_days = SharedChangeDays(0.02, 1.5)
    change_days.reach(3, 31)
    given_ = spans(*((kind, first, first + length) for kind, first, length, _ in looks))
    change_days.lend(given_, np.array([amount for *_, amount in looks]))
    lent, spanned = np.zeros((3, 31)), np.zeros((3, 31))
    for kind, first, length, amount in looks:
        lent[kind, first : first + length] += 0.02 * amount
        spanned[kind, first : first + length] += 1
    expected = (1.5 * 0.02 + lent) / (1.5 + spanned)
    sums = [expected[kind, first : first + length].sum() for kind, first, length, _ in looks]
    assert change_days.passed(given_) == pytest.approx(sums)


def test_there_is_always_room() -> None:
    change_days = SharedChangeDays(0.01, 1.0)
    change_days.reach(1, 5)
    change_days.lend(spans((0, 1, 3)), np.array([9.0]))
    before = change_days.passed(spans((0, 0, 5)))
    change_days.reach(4, 5000)
    assert change_days.passed(spans((0, 0, 5))) == pytest.approx(before)
    assert change_days.passed(spans((3, 0, 5000))) == pytest.approx([50.0])

"""No share below 0 or above 1, in whatever an experiment shows."""

from __future__ import annotations

import math

import pytest

from scenthound.lab.report.judge_summary import summarise_judges
from scenthound.lab.report.share_intervals import gain, share
from scenthound.lab.report.summary import summarise
from scenthound.lab.statistics import Estimate, mean_with_interval
from tests.lab.judges.small_trial import judge_row
from tests.lab.small import row

FEW = (0.0, 0.0, 0.9)
"""Values of three topics whose interval, by Student, is 0.3 +- 1.29."""


def test_by_hand() -> None:
    found = mean_with_interval(FEW)
    assert (round(found.low, 2), round(found.high, 2)) == (-0.99, 1.59)
    assert share(found) == Estimate(found.mean, 0.0, 1.0, 3, 3)
    assert gain(found) == Estimate(found.mean, found.low, 1.0, 3, 3)
    assert gain(Estimate(-0.9, -1.2, -0.6, 3, 3)) == Estimate(-0.9, -1.0, -0.6, 3, 3)


def test_one_value_alone_has_no_interval_still() -> None:
    alone = share(mean_with_interval([0.5]))
    assert math.isnan(alone.low)
    assert math.isnan(alone.high)


def test_of_strategies() -> None:
    """Shares and their differences are cut; counts of requests are not."""
    rows = [
        row(strategy, f"t{n}", final={"recall-area": value, "requests": 100 * value})
        for strategy, values in (("base", FEW), ("other", FEW[::-1]))
        for n, value in enumerate(values)
    ]
    found = summarise(rows, "base")
    assert (found.of("recall-area", "base").low, found.of("recall-area", "base").high) == (0.0, 1.0)
    assert found.of("requests", "base").low == pytest.approx(-99, abs=1)
    apart = found.comparisons["recall-area"]["other"].difference
    assert (apart.mean, apart.low, apart.high) == (0.0, -1.0, 1.0)
    assert found.comparisons["requests"]["other"].difference.low < -100


def test_of_judges() -> None:
    rows = [
        judge_row(judge, f"t{n}", figures={"f1": value, "ms-a-page": value})
        for judge, values in (("a", FEW), ("b", FEW[::-1]))
        for n, value in enumerate(values)
    ]
    (part,) = summarise_judges(rows, "a").parts
    assert (part.of("f1", "a").low, part.of("f1", "a").high) == (0.0, 1.0)
    assert part.of("ms-a-page", "a").low < 0
    assert part.comparisons["f1"]["b"].difference.low == -1.0

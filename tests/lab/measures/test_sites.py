"""Measures of website crawls and site classifiers, by hand and against scikit-learn where it is there."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.lab.measures.registry import evaluate
from scenthound.lab.measures.sites import f_difference, precision_recall_f, scores
from scenthound.lab.measures.trace import Evidence, Request, Trace
from scenthound.sites.measures import SiteLook

# Site a is held relevant from its second page on, b never, c at once.
LOG = (SiteLook("a", False), SiteLook("a", True), SiteLook("b", False), SiteLook("b", False), SiteLook("c", True))
TRACE = Trace(requests=tuple(Request(str(n)) for n in range(5)))
CALLS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def curve(name: str, log: tuple[SiteLook, ...] = LOG) -> list[float]:
    return evaluate(TRACE, Evidence(looks=log), [name])[name].curve.tolist()


def test_pages_a_relevant_site() -> None:
    assert curve("pprs-rate") == pytest.approx([math.nan, 2, 3, 4, 2.5], nan_ok=True)
    assert curve("pprs-rate-window")[1:] == pytest.approx([2, 3, 4, 2.5])


def test_relevant_sites_among_those_looked_at() -> None:
    assert curve("website-harvest-rate") == pytest.approx([0, 1, 1 / 2, 1 / 2, 2 / 3])


def test_without_looks_they_are_left_out_and_with_too_few_refused() -> None:
    assert "pprs-rate" not in evaluate(TRACE, Evidence())
    with pytest.raises(ValueError, match="5 pages, but looks at 4"):
        curve("pprs-rate", LOG[:4])


def test_a_worked_case_of_precision_recall_and_f() -> None:
    # 3 hits of 4 calls, of 6 that are so: 3/4, 1/2, F = 6/10
    truth = [True] * 6 + [False] * 4
    said = [True] * 3 + [False] * 3 + [True] + [False] * 3
    assert precision_recall_f(truth, said) == pytest.approx((0.75, 0.5, 0.6))


def test_nothing_called_and_nothing_there() -> None:
    precision, recall, f = precision_recall_f([True, False], [False, False])
    assert math.isnan(precision)
    assert (recall, f) == (0, 0)
    assert all(math.isnan(value) for value in precision_recall_f([False], [False]))
    with pytest.raises(ValueError, match="cannot be compared"):
        precision_recall_f([True], [True, False])


@settings(max_examples=25)
@given(CALLS)
def test_f_is_as_scikit_learn_has_it(calls: list[tuple[bool, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truth, said = zip(*calls, strict=True)
    expected = metrics.precision_recall_fscore_support(truth, said, pos_label=True, average="binary", zero_division=0)[
        :3
    ]
    found = [0.0 if math.isnan(value) else value for value in precision_recall_f(truth, said)]
    assert found == pytest.approx(list(expected))


@settings(max_examples=25)
@given(CALLS)
def test_intervals_hold_the_figures_of_some_resample(calls: list[tuple[bool, bool]]) -> None:
    truth, said = ([call[side] for call in calls] for side in (0, 1))
    found = scores(truth, said, [2] * len(calls), resamples=200)
    for estimate in (found.precision, found.recall, found.f):
        if estimate.n:
            assert 0 <= estimate.low <= estimate.high <= 1
    assert (found.pages.mean, found.pages.low, found.pages.high) == (2, 2, 2)


def test_the_interval_of_f_is_that_of_redrawn_sites() -> None:
    """Against the same bootstrap written out: draw sites with replacement, compute F, take the quantiles."""
    random = np.random.default_rng(5)
    truth = random.random(60) < 0.3
    said = np.where(random.random(60) < 0.8, truth, ~truth)
    draws = [random.integers(0, 60, 60) for _ in range(4_000)]
    expected = np.nanquantile([precision_recall_f(truth[draw], said[draw])[2] for draw in draws], [0.025, 0.975])
    found = scores(truth.tolist(), said.tolist(), [1] * 60, resamples=4_000)
    assert [found.f.low, found.f.high] == pytest.approx(expected, abs=0.03)


def test_a_difference_is_paired() -> None:
    truth = [True] * 10 + [False] * 10
    better, worse = truth, [True] * 5 + [False] * 15
    same = f_difference(truth, worse, worse)
    assert (same.mean, same.low, same.high) == (0, 0, 0)
    gain = f_difference(truth, better, worse)
    assert gain.mean == pytest.approx(1 - 2 * 5 / 15)
    assert gain.low > 0

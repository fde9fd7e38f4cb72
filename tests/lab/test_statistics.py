"""Hand-worked cases, scipy and brute force as oracles, and properties that must hold for any numbers."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.lab import statistics
from scenthound.lab.statistics import (
    Comparison,
    Estimate,
    bootstrap_band,
    compare,
    differences,
    holm,
    mean_with_interval,
    wilcoxon,
)

scores = st.lists(st.floats(-1000, 1000), min_size=1, max_size=30)
coarse = st.lists(st.integers(-6, 6).map(lambda n: n / 4), min_size=1, max_size=10)


def test_mean_and_interval_of_equal_values() -> None:
    estimate = mean_with_interval([0.5, 0.5, 0.5])
    assert (estimate.mean, estimate.low, estimate.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 12, 13, 40])
def test_interval_is_scipy_s(n: int) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(5).gamma(2.0, size=n)
    low, high = scipy_stats.t.interval(0.95, n - 1, loc=values.mean(), scale=scipy_stats.sem(values))
    ours = mean_with_interval(values)
    assert (ours.low, ours.high) == (pytest.approx(low), pytest.approx(high))


def test_one_value_has_no_interval() -> None:
    estimate = mean_with_interval([0.5])
    assert (estimate.mean, estimate.n) == (0.5, 1)
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.high)


@pytest.mark.parametrize("draw", ["normal", "uniform", "recall"])
def test_of_twelve_topics_the_interval_covers_and_percentiles_do_not(draw: str) -> None:
    """2,000 experiments of twelve topics each: how often does the interval hold the mean of all such topics?

    `recall`: a beta distribution as lopsided as the recall areas of a learner over the lab's topics.
    """
    chance = np.random.default_rng(11)
    drawn, truth = {
        "normal": (chance.normal(size=(2000, 12)), 0.0),
        "uniform": (chance.random((2000, 12)), 0.5),
        "recall": (chance.beta(1.5, 3.0, (2000, 12)), 1 / 3),
    }[draw]
    ours = [mean_with_interval(values) for values in drawn]
    covered = np.mean([each.low <= truth <= each.high for each in ours])
    assert 0.935 <= covered <= 0.965
    resampled = drawn[:, chance.integers(0, 12, (400, 12))].mean(axis=2)
    low, high = np.quantile(resampled, [0.025, 0.975], axis=1)
    assert np.mean((low <= truth) & (truth <= high)) < 0.935


def test_a_finding_is_what_interval_and_test_agree_on() -> None:
    def compared(low: float, high: float, p: float) -> bool:
        return Comparison(Estimate((low + high) / 2, low, high, 12, 12), 1, 0, 0, p, p).clear

    assert compared(0.01, 0.2, 0.01)
    assert compared(-0.2, -0.01, 0.01)
    assert not compared(-0.01, 0.2, 0.01)
    assert not compared(0.01, 0.2, 0.06)


def test_unmeasured_and_infinite_values_have_no_part_in_the_mean() -> None:
    estimate = mean_with_interval([1.0, math.nan, 3.0, math.inf])
    assert (estimate.mean, estimate.n, estimate.of) == (2.0, 2, 4)


@pytest.mark.parametrize("values", [[], [math.nan], [math.inf, math.inf]])
def test_nothing_to_average_is_nan(values: list[float]) -> None:
    estimate = mean_with_interval(values)
    assert math.isnan(estimate.mean)
    assert math.isnan(estimate.low)
    assert (estimate.n, estimate.of) == (0, len(values))


def test_more_topics_narrow_the_interval() -> None:
    values = np.random.default_rng(0).normal(size=400)
    few, many = mean_with_interval(values[:10]), mean_with_interval(values)
    assert many.high - many.low < (few.high - few.low) / 2


def test_band_is_what_scipy_bootstraps() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(5).gamma(2.0, size=20)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(6)
    ).confidence_interval
    band = bootstrap_band(values[:, None], seed=7, resamples=10_000)
    assert band.low[0] == pytest.approx(theirs.low, abs=0.05)
    assert band.high[0] == pytest.approx(theirs.high, abs=0.05)
    assert band.mean[0] == pytest.approx(values.mean())


def test_band_leaves_out_what_is_not_known_yet() -> None:
    nan = math.nan
    band = bootstrap_band([[nan, nan, 2.0], [nan, 4.0, 6.0]])
    assert np.isnan([band.mean[0], band.low[0], band.high[0]]).all()
    assert (band.mean[1], band.low[1], band.high[1]) == (4.0, 4.0, 4.0)
    assert (band.mean[2], band.low[2], band.high[2]) == (4.0, 2.0, 6.0)


def test_a_long_band_is_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    curves = np.random.default_rng(1).random((6, 50))
    whole = bootstrap_band(curves, resamples=100)
    monkeypatch.setattr(statistics, "_CELLS", 700)
    parts = bootstrap_band(curves, resamples=100)
    assert np.allclose(whole.low, parts.low)
    assert np.allclose(whole.high, parts.high)


def test_differences_are_paired_and_told_apart_to_twelve_decimals() -> None:
    found = differences([0.3, 0.2, math.nan, math.inf, math.inf], [0.2, 0.1, 1.0, math.inf, 5.0])
    assert found.tolist() == [0.1, 0.1, 0.0, math.inf]


def test_differences_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        differences([1.0, 2.0], [1.0])


def test_wins_ties_losses() -> None:
    found = [0.1, 0.2, 0.0, -0.3, math.inf]
    assert statistics.wins_ties_losses(found) == (3, 1, 1)
    assert statistics.wins_ties_losses(found, "lower") == (1, 1, 3)


# Wilcoxon


@pytest.mark.parametrize(
    ("given", "p"),
    [
        ([1, 2, 3, 4, 5], 2 / 32),  # W+ = 15: only all plus and all minus are as extreme
        ([-1, 2, 3, 4, 5], 4 / 32),  # W+ = 14: these, and the patterns with the smallest alone on the other side
        ([1, 1, 1], 2 / 8),  # ranks 2, 2, 2
        ([1, 1, -1], 1.0),  # W+ = 4 of 6: every pattern is at least as far from 3
        ([0, 0, 1, 2, 3, 4, 5], 2 / 32),  # zeros are dropped
        ([0, 0, 0], 1.0),
        ([math.inf, 1, 2, 3, 4], 2 / 32),  # never reached = largest
    ],
)
def test_wilcoxon_by_hand(given: list[float], p: float) -> None:
    assert wilcoxon(given) == pytest.approx(p)


def test_wilcoxon_without_pairs_is_unknown() -> None:
    assert math.isnan(wilcoxon([]))
    assert math.isnan(wilcoxon([math.nan]))


def by_enumeration(given: list[float]) -> float:
    magnitudes = [abs(value) for value in given if value]
    ranks = [
        sum(other < value for other in magnitudes) + (sum(other == value for other in magnitudes) + 1) / 2
        for value in magnitudes
    ]
    middle = sum(ranks) / 2
    signs = [value > 0 for value in given if value]
    seen = abs(sum(itertools.compress(ranks, signs)) - middle)
    patterns = list(itertools.product([False, True], repeat=len(ranks)))
    return sum(abs(sum(itertools.compress(ranks, p)) - middle) >= seen for p in patterns) / len(patterns)


@settings(deadline=None, max_examples=60)
@given(coarse)
def test_wilcoxon_counts_every_pattern_with_ties_and_zeros(given: list[float]) -> None:
    assert wilcoxon(given) == pytest.approx(by_enumeration(given))


@pytest.mark.parametrize("size", [1, 5, 12, 24, 25])
def test_wilcoxon_is_scipys_exact_one_without_ties(size: int) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    for seed in range(5):
        sample = np.random.default_rng(seed).normal(0.3, size=size)
        assert wilcoxon(sample) == pytest.approx(scipy_stats.wilcoxon(sample, method="exact").pvalue)


@pytest.mark.parametrize("size", [26, 60, 400])
def test_wilcoxon_is_scipys_approximate_one_beyond_with_ties_too(size: int) -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    for seed in range(5):
        normal = np.random.default_rng(seed).normal(0.2, size=size)
        for sample in (normal, np.ceil(4 * np.abs(normal)) * np.sign(normal)):
            theirs = scipy_stats.wilcoxon(sample, method="approx", correction=False).pvalue
            assert wilcoxon(sample) == pytest.approx(theirs)


@settings(deadline=None)
@given(st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=40))
def test_wilcoxon_is_a_probability_and_does_not_mind_who_is_the_baseline(given: list[float]) -> None:
    p = wilcoxon(given)
    assert 0 < p <= 1 + 1e-12
    assert wilcoxon([-value for value in given]) == pytest.approx(p)


# Holm


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_holm_does_not_count_what_was_not_tested() -> None:
    corrected = holm([0.02, math.nan, 0.5])
    assert corrected[0] == pytest.approx(0.04)
    assert math.isnan(corrected[1])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_never_lowers_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()
    assert all(c <= min(1, p * len(p_values)) for p, c in zip(sorted(p_values)[:1], sorted(corrected)[:1], strict=True))


# All together


def test_compare_pairs_by_topic_whatever_the_order() -> None:
    base = {f"t{n}": n / 10 for n in range(6)}
    better = {topic: value + 0.1 + 0.01 * n for n, (topic, value) in enumerate(reversed(base.items()))}
    found = compare({"base": base, "better": better, "same": dict(base)}, "base")
    assert set(found) == {"better", "same"}
    assert (found["better"].wins, found["better"].ties, found["better"].losses) == (6, 0, 0)
    assert found["better"].difference.mean == pytest.approx(0.125)
    assert 0.1 <= found["better"].difference.low < 0.125 < found["better"].difference.high <= 0.15
    assert found["better"].p == pytest.approx(2 / 64)
    assert found["better"].p_holm == pytest.approx(4 / 64)
    assert (found["same"].p, found["same"].ties) == (1.0, 6)


def test_compare_uses_the_topics_both_have_and_lower_may_be_better() -> None:
    found = compare({"a": {"x": 10.0, "y": 20.0}, "b": {"y": 15.0, "z": 1.0}}, "a", better="lower")
    assert (found["b"].wins, found["b"].ties, found["b"].losses) == (1, 0, 0)
    assert found["b"].difference.mean == -5.0


def test_a_goal_never_reached_loses_without_spoiling_the_mean() -> None:
    found = compare({"a": {"x": 10.0, "y": 20.0}, "b": {"x": math.inf, "y": 15.0}}, "a", better="lower")["b"]
    assert (found.wins, found.losses) == (1, 1)
    assert (found.difference.mean, found.difference.n, found.difference.of) == (-5.0, 1, 2)

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.revisit.schedule.change_rates import (
    NO_PRIOR,
    UNKNOWN,
    Observation,
    RatePrior,
    _digamma,
    estimate,
    fit_prior,
    fit_priors,
    log_likelihood,
)


def looks_at(rate: float, intervals: np.ndarray, random: np.random.Generator) -> list[Observation]:
    changed = random.random(len(intervals)) < -np.expm1(-rate * intervals)
    return [Observation(float(d), bool(c)) for d, c in zip(intervals, changed, strict=True)]


def test_even_looks_have_a_known_answer() -> None:
    """At even intervals d the likelihood is largest at -log(share unchanged) / d (Cho, Garcia-Molina 2003)."""
    looks = [Observation(2.0, number < 6) for number in range(10)]
    assert estimate(looks, NO_PRIOR).rate == pytest.approx(-math.log(0.4) / 2, rel=1e-6)


def test_the_largest_likelihood_by_another_way() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(3)
    for rate in (0.01, 0.1, 1.0):
        looks = looks_at(rate, random.uniform(0.5, 20, 60), random)
        found = optimize.minimize_scalar(
            lambda x, looks=looks: -float(log_likelihood(looks, np.array([math.exp(x)]))[0]), bounds=(-9, 4),
            options={"xatol": 1e-9},
        )  # fmt: skip
        assert estimate(looks, NO_PRIOR).rate == pytest.approx(math.exp(found.x), rel=1e-3)


def test_the_posterior_mode_by_another_way() -> None:
    grid = np.exp(np.linspace(math.log(1e-4), math.log(50), 200_001))
    looks = [Observation(3.0, True), Observation(10.0, False), Observation(1.0, True, 0.2)]
    prior = RatePrior(0.7, 12.0)
    log_posterior = log_likelihood(looks, grid) + prior.shape * np.log(grid) - prior.per * grid
    assert estimate(looks, prior).rate == pytest.approx(grid[log_posterior.argmax()], rel=1e-3)


def test_counting_would_be_wrong_and_this_is_not() -> None:
    """A page that changes daily, looked at weekly: nearly every look finds one change, of seven."""
    random = np.random.default_rng(5)
    naive, ours = [], []
    for _ in range(200):
        looks = looks_at(0.3, random.uniform(3, 11, 100), random)
        naive.append(sum(look.changed for look in looks) / sum(look.interval for look in looks))
        ours.append(estimate(looks, NO_PRIOR).rate)
    assert np.mean(naive) < 0.15
    assert np.mean(ours) == pytest.approx(0.3, rel=0.05)


def test_intervals_cover_the_truth() -> None:
    random = np.random.default_rng(7)
    prior = RatePrior(2.0, 20.0)
    hits, trials = 0, 400
    for _ in range(trials):
        rate = random.gamma(prior.shape, 1 / prior.per)
        found = estimate(looks_at(rate, random.uniform(1, 30, 25), random), prior)
        hits += found.low <= rate <= found.high
    assert 0.92 <= hits / trials <= 0.98


def test_a_date_of_change_tells_more() -> None:
    """One change a day ago, known to be the last: rate 1 / 1 day; the interval before says nothing."""
    assert estimate([Observation(100.0, True, 1.0)], NO_PRIOR).rate == pytest.approx(1.0, rel=1e-6)
    assert estimate([Observation(100.0, True, 200.0)]) == estimate([Observation(100.0, True)])  # a date that cannot be


def test_no_looks_give_the_prior_and_no_prior_nothing() -> None:
    assert estimate([], RatePrior(2.0, 40.0)).rate == pytest.approx(0.05)
    assert estimate([], NO_PRIOR).rate == 0.0
    never = estimate([Observation(30.0, False)], NO_PRIOR)
    assert never.rate == 0.0
    assert never.high == pytest.approx(0.0999, rel=1e-3)
    assert estimate([Observation(1.0, True)], NO_PRIOR).rate > 100  # always changed: no largest likelihood


@given(
    st.lists(st.tuples(st.floats(0, 1e4), st.booleans(), st.none() | st.floats(-10, 1e5)), max_size=8),
    st.floats(0.01, 50),
    st.floats(0.01, 1e4),
)
def test_any_looks_give_a_rate_within_its_interval(
    looks: list[tuple[float, bool, float | None]], shape: float, per: float
) -> None:
    found = estimate([Observation(*look) for look in looks], RatePrior(shape, per))
    assert 0 < found.low <= found.rate <= found.high < math.inf


def test_more_changes_more_rate() -> None:
    rates = [estimate([Observation(5.0, n < k) for n in range(6)]).rate for k in range(7)]
    assert rates == sorted(rates)
    assert len(set(rates)) == 7


def test_a_prior_is_found_from_many_pages() -> None:
    random = np.random.default_rng(11)
    truth = RatePrior(1.5, 30.0)
    pages = [looks_at(random.gamma(truth.shape, 1 / truth.per), random.uniform(1, 40, 30), random) for _ in range(300)]
    found = fit_prior(pages)
    assert found.mean == pytest.approx(truth.mean, rel=0.15)
    assert found.shape == pytest.approx(truth.shape, rel=0.3)


def test_a_prior_makes_better_estimates_than_none() -> None:
    random = np.random.default_rng(13)
    rates = random.gamma(1.0, 1 / 50, 200)
    pages = [looks_at(rate, random.uniform(5, 40, 4), random) for rate in rates]
    prior = fit_prior(pages)
    with_it = [estimate(page, prior).rate for page in pages]
    without = [estimate(page, NO_PRIOR).rate for page in pages]
    assert np.mean(np.abs(with_it - rates)) < 0.5 * np.mean(np.abs(np.minimum(without, 1.0) - rates))


def test_groups_have_priors_of_their_own_and_small_ones_lean_on_all() -> None:
    random = np.random.default_rng(17)
    fast = [looks_at(0.5, random.uniform(1, 4, 20), random) for _ in range(40)]
    slow = [looks_at(0.005, random.uniform(5, 40, 20), random) for _ in range(40)]
    lone = [looks_at(0.5, random.uniform(1, 4, 20), random)]
    priors = fit_priors({"fast": fast, "slow": slow, "lone": lone, "none": []})
    assert priors["slow"].mean < 0.05 < 0.3 < priors["fast"].mean
    assert priors["slow"].mean < priors["lone"].mean < priors["fast"].mean
    assert fit_prior([]) == UNKNOWN


@pytest.mark.parametrize("x", [0.01, 0.5, 1.0, 3.3, 50.0])
def test_digamma(x: float) -> None:
    special = pytest.importorskip("scipy.special")
    assert _digamma(x) == pytest.approx(special.digamma(x), rel=1e-9)

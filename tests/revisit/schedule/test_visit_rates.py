from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.revisit.schedule.visit_rates import Aim, Objective, allocate, due_first, gain, next_looks, value

OBJECTIVES: list[Objective] = ["freshness", "poisson", "harmonic"]
AIMS: list[Aim] = ["freshness", "harmonic", "age"]
RATES = np.array([0.01, 0.1, 0.5, 2.0, 9.0])
WEIGHTS = np.array([1.0, 0.5, 2.0, 1.0, 1.0])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("budget", [0.5, 3.0, 20.0])
def test_nothing_better_is_found_by_numeric_search(objective: Objective, budget: float) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    ours = allocate(RATES, WEIGHTS, budget, objective)
    assert ours.sum() == pytest.approx(budget)

    def loss(shares: np.ndarray) -> float:
        looks = budget * np.exp(shares) / np.exp(shares).sum()
        return -value(RATES, WEIGHTS, looks, objective)

    starts = [np.zeros(5), np.log(RATES), -np.log(RATES)]
    best = min(optimize.minimize(loss, start, method="Nelder-Mead", options={"maxiter": 4000}).fun for start in starts)
    assert -value(RATES, WEIGHTS, ours, objective) <= best + 1e-6


def test_the_paper_s_example() -> None:
    """Cho, Garcia-Molina 2003: five pages changing 1..5 times a day and five looks: 1.15, 1.36, 1.35, 1.14, 0.00."""
    looks = allocate([1.0, 2.0, 3.0, 4.0, 5.0], 1.0, 5.0)
    assert looks == pytest.approx([1.15, 1.36, 1.35, 1.14, 0.0], abs=0.01)
    assert value([1, 2, 3, 4, 5], 1, looks) > value([1, 2, 3, 4, 5], 1, np.ones(5)) > value(
        [1, 2, 3, 4, 5], 1, np.array([1, 2, 3, 4, 5]) / 3
    )  # fmt: skip


def test_random_looks_by_hand() -> None:
    """f = sqrt(w r / m) - r: with r = 1 and 4, B = 1: sqrt(1/m) + 2 sqrt(1/m) = 6, so f = 1 and 0."""
    assert allocate([1.0, 4.0], 1.0, 1.0, "poisson") == pytest.approx([1.0, 0.0], abs=1e-9)


def test_the_harmonic_objective_gives_up_on_nobody() -> None:
    looks = allocate([0.1, 1000.0], 1.0, 1.0, "harmonic")
    assert looks.min() > 0.05


def test_pages_that_never_change_or_do_not_matter_get_nothing() -> None:
    looks = allocate([0.0, 1.0, 1.0, np.nan], [1.0, 0.0, 1.0, 1.0], 2.0)
    assert looks == pytest.approx([0.0, 0.0, 2.0, 0.0])
    assert allocate([1.0], 1.0, 0.0).sum() == 0
    assert allocate([], [], 1.0).shape == (0,)


def test_a_limit_is_kept() -> None:
    looks = allocate([1.0, 1.0, 0.001], 1.0, 10.0, "freshness", most=2.0)
    assert looks.max() <= 2.0
    assert looks[0] == pytest.approx(2.0)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(1e-4, 50), st.floats(0.01, 10)), min_size=1, max_size=12),
    st.floats(0.01, 100),
    st.sampled_from(OBJECTIVES),
)
def test_the_budget_is_spent_and_the_margins_are_equal(
    pages: list[tuple[float, float]], budget: float, objective: Objective
) -> None:
    rates, weights = np.array(pages).T
    looks = allocate(rates, weights, budget, objective)
    assert looks.min() >= 0
    assert looks.sum() == pytest.approx(budget)
    step = 1e-4 * budget
    now = value(rates, weights, looks, objective)
    for giver in np.flatnonzero(looks > 2 * step):
        for taker in range(len(rates)):
            moved = looks.copy()
            moved[giver] -= step
            moved[taker] += step
            assert value(rates, weights, moved, objective) <= now + 1e-6


@pytest.mark.parametrize("aim", AIMS)
def test_gains_by_integration(aim: Aim) -> None:
    """gain(t) = t c(t) - integral of c."""
    rate, end = 0.7, 3.0
    times = np.linspace(0, end, 20_001)
    if aim == "freshness":
        cost = -np.expm1(-rate * times)
    elif aim == "age":
        cost = times + np.expm1(-rate * times) / rate
    else:
        inner = np.divide(-np.expm1(-rate * times), times, out=np.full_like(times, rate), where=times > 0)
        cost = np.concatenate([[0], np.cumsum((inner[1:] + inner[:-1]) / 2 * np.diff(times))])
    area = ((cost[1:] + cost[:-1]) / 2 * np.diff(times)).sum()
    assert gain(rate, end, aim) == pytest.approx(end * cost[-1] - area, rel=1e-6)


def test_the_harmonic_cost_is_the_mean_penalty_of_a_poisson_process() -> None:
    """E[1 + 1/2 + ... + 1/N] of N ~ Poisson(x) = integral of (1 - exp(-t)) / t up to x: by simulation."""
    random = np.random.default_rng(2)
    x = 2.5
    harmonic = np.concatenate([[0], np.cumsum(1 / np.arange(1, 60))])
    mean = harmonic[random.poisson(x, 200_000)].mean()
    grid = np.linspace(1e-9, x, 100_001)
    ein = (-np.expm1(-grid) / grid).mean() * x
    assert mean == pytest.approx(ein, rel=0.01)


@pytest.mark.parametrize("aim", AIMS)
def test_gains_grow_and_have_no_seam_where_the_series_takes_over(aim: Aim) -> None:
    times = np.exp(np.linspace(-16, 6, 4000))
    gains = gain(1.0, times, aim)
    assert (np.diff(gains) > -1e-12 * gains[1:]).all()
    near = gain(1.0, np.array([0.999e-3, 1.001e-3]), aim)
    power = 3 if aim == "age" else 2
    assert near[1] / near[0] == pytest.approx((1.001 / 0.999) ** power, rel=1e-4)
    assert gain(1.0, [-1.0, 0.0], aim).tolist() == [0.0, 0.0]


def test_asking_the_largest_gain_keeps_the_best_schedule() -> None:
    """Forty looks a day among twenty pages of each rate: each rate gets about what `allocate` gives it."""
    rates = np.repeat([0.05, 0.2, 0.5, 1.0, 3.0, 20.0], 20)
    last, counts, days = -np.random.default_rng(4).random(120), np.zeros(120), 100.0
    for now in np.arange(0.0, days, 1 / 40):
        place = int(np.argmax(gain(rates, now - last)))
        last[place] = now
        counts[place] += 1
    made = (counts / days).reshape(6, 20).mean(axis=1)
    assert made == pytest.approx(allocate(rates, 1.0, 40.0)[::20], abs=0.03)


def test_when_pages_are_due() -> None:
    assert next_looks([10.0, 10.0, 0.0], [0.5, 0.0, 2.0]).tolist() == [12.0, np.inf, 0.5]
    drawn = next_looks(np.zeros(4000), np.full(4000, 0.25), Random(1))
    assert drawn.mean() == pytest.approx(4.0, rel=0.05)
    assert (next_looks([0.0], [1.0], Random(3)) == next_looks([0.0], [1.0], Random(3))).all()


def test_due_first_is_stable_and_leaves_out_what_is_not_due() -> None:
    assert due_first([1.0, 3.0, 3.0, 0.0, np.nan, -1.0], 10) == [1, 2, 0]
    assert due_first([1.0, 3.0], 1) == [1]
    assert due_first([1.0], -1) == due_first([], 3) == []

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from scenthound.learn.ranking.feature_weights import FEWEST, LAMBDA, LEAST_SCALE, LESSONS, NEAR, FeatureWeights


def taught(lessons: int, seed: int = 1) -> tuple[FeatureWeights, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """The second of three features decides."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(lessons, 3))
    outcomes = np.clip(0.5 + 0.3 * features[:, 1] + 0.05 * random.normal(size=lessons), 0, 1)
    weights = FeatureWeights([1.0, 0.2, 0.5])
    for row, outcome in zip(features, outcomes, strict=True):
        weights.add(row, outcome)
    return weights, features, outcomes


def test_with_few_lessons_the_prior_decides() -> None:
    assert taught(FEWEST - 1)[0]().tolist() == [1.0, 0.2, 0.5]


def test_where_all_pages_are_alike_nothing_is_learned() -> None:
    weights = FeatureWeights([1.0, 2.0])
    for number in range(50):
        weights.add(np.array([number, -number]), 0.7)
    assert weights().tolist() == [1.0, 2.0]


def test_it_finds_out_what_decides() -> None:
    few, many = taught(20)[0](), taught(1_000)[0]()
    assert many[1] > few[1] > 0.2
    assert many[1] > 5 * max(many[0], many[2])
    assert (many >= 0).all()


def test_it_is_ridge_regression_around_the_prior() -> None:
    weights, features, outcomes = taught(100)
    around = [slice(max(0, place - NEAR), place + NEAR + 1) for place in range(100)]
    x = features - [features[near].mean(axis=0) for near in around]
    y = outcomes - [outcomes[near].mean() for near in around]
    foretold = x @ weights.prior
    scale = max(foretold @ y / (foretold @ foretold + 10), LEAST_SCALE)
    oracle = Ridge(alpha=LAMBDA, fit_intercept=False).fit(x, y - scale * foretold)
    assert weights() == pytest.approx(np.maximum(0, weights.prior + oracle.coef_ / scale))


def test_a_harvest_that_falls_does_not_speak_against_what_leads() -> None:
    """The better of two links followed at about the same time leads to the better page, but both get worse with time,
    while what is best of those that wait stays so far ahead of them."""
    weights, random = FeatureWeights([0.5, 0.5]), np.random.default_rng(5)
    for number in range(400):
        leading = random.normal()
        outcome = 0.2 * leading + (1.0 if number < 100 else 0.0)
        weights.add(np.array([leading + number / 100, random.normal()]), outcome)
    assert weights()[0] > 2 * weights()[1]


def test_lessons_are_told_in_their_order_when_the_oldest_are_forgotten() -> None:
    weights, features, outcomes = taught(LESSONS + 50)
    again = FeatureWeights([1.0, 0.2, 0.5])
    for row, outcome in zip(features[50:], outcomes[50:], strict=True):
        again.add(row, outcome)
    assert weights._worked_out() == pytest.approx(again._worked_out())


def test_a_weight_that_is_held_stays_and_the_others_are_learned_without_it() -> None:
    _, features, outcomes = taught(100)
    held, alone = FeatureWeights([1.0, 0.2, 0.5], held=[2]), FeatureWeights([1.0, 0.2])
    for row, outcome in zip(features, outcomes, strict=True):
        held.add(row, outcome)
        alone.add(row[:2], outcome)
    assert held() == pytest.approx([*alone(), 0.5])
    assert held()[1] > 0.2


def test_the_last_lessons_are_kept_and_taken_back() -> None:
    weights, *_ = taught(LESSONS + 50)
    other = FeatureWeights([1.0, 0.2, 0.5])
    other.take_back(*weights.kept())
    assert np.array_equal(weights(), other())
    for each in (weights, other):
        each.add(np.array([1.0, 1.0, 1.0]), 0.0)
    assert np.array_equal(weights(), other())


def test_they_are_the_same_whoever_asks_for_them_meanwhile() -> None:
    asked, left_alone = FeatureWeights([1.0, 0.2]), FeatureWeights([1.0, 0.2])
    random = np.random.default_rng(3)
    for number in range(149):  # from 100 on they are worked out after every second lesson
        lesson, outcome = random.normal(size=2), float(random.random())
        asked.add(lesson, outcome)
        left_alone.add(lesson, outcome)
        if number % 3 == 0:
            asked()
    assert np.array_equal(asked(), left_alone())

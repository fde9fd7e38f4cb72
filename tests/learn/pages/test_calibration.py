from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from scenthound.learn.pages.calibration import FLATTEST, calibrated, fit
from scenthound.learn.pages.naive_bayes import NaiveBayes, Terms

SCORES = st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=30)


def test_as_a_general_optimiser_fits_it() -> None:
    scores, labels = [-2.0, -1.0, 0.3, -0.2, 1.0, 2.5], [False, False, False, True, True, True]
    aim = np.where(labels, 4 / 5, 1 / 5)

    def loss(w: np.ndarray) -> float:
        z = w[0] * np.array(scores) + w[1]
        return float(np.logaddexp(0, z).sum() - aim @ z)

    best = minimize(loss, np.zeros(2), tol=1e-12).x
    sigmoid = fit(scores, labels)
    assert (sigmoid.slope, sigmoid.offset) == pytest.approx(tuple(best), abs=1e-4)
    assert sigmoid(0.5) == pytest.approx(1 / (1 + np.exp(-(best[0] * 0.5 + best[1]))), abs=1e-4)


@given(SCORES, st.floats(-1e6, 1e6), st.floats(0, 1e3))
def test_always_a_probability_that_grows_with_the_score(
    seen: list[tuple[float, bool]], score: float, more: float
) -> None:
    sigmoid = fit([value for value, _ in seen], [label for _, label in seen])
    assert sigmoid.slope >= FLATTEST
    assert 0.0 <= sigmoid(score) <= sigmoid(score + more) <= 1.0


def test_a_clean_split_does_not_make_certainty() -> None:
    sigmoid = fit([1.0, 1.1, 0.9, -1.0, -1.1, -0.9], [True] * 3 + [False] * 3)
    assert 0.7 < sigmoid(1.0) < 0.9
    assert 0.1 < sigmoid(-1.0) < 0.3


def test_pages_are_scored_by_models_that_have_not_seen_them() -> None:
    relevant: list[Terms] = [{"bird": 1, f"r{n}": 1} for n in range(8)]
    irrelevant: list[Terms] = [{"rail": 1, f"i{n}": 1} for n in range(8)]
    sizes = []

    def train(good: list[Terms], bad: list[Terms]) -> NaiveBayes:
        sizes.append((len(good), len(bad)))
        return NaiveBayes(good, bad)

    probability = calibrated(train, relevant, irrelevant)  # type: ignore[arg-type]
    assert sizes == [(8, 8), (6, 6), (6, 6), (6, 6), (6, 6)]
    assert probability({"bird": 1}) > 0.7 > 0.3 > probability({"rail": 1})


def test_one_page_of_a_kind_is_enough() -> None:
    probability = calibrated(NaiveBayes, [{"bird": 1}], [{"rail": 1}, {"food": 1}])
    assert probability({"bird": 1}) > 0.5 > probability({"rail": 1})

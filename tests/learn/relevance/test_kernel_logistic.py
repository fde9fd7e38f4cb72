"""Held against scikit-learn, which solves the same problem by another method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.learn.relevance.kernel_logistic import fit, held_out

sklearn = pytest.importorskip("sklearn.linear_model")


def problem(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, d))
    relevant = x[:, 0] + 0.7 * random.normal(size=n) > 0
    relevant[:2] = (True, False)
    return x, relevant, random.uniform(0.2, 3.0, n)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), n=st.integers(4, 40), d=st.integers(1, 60), strength=st.sampled_from([0.1, 3.0, 30.0])
)
def test_it_finds_what_scikit_learn_finds(seed: int, n: int, d: int, strength: float) -> None:
    x, relevant, weights = problem(seed, n, d)
    a, b = fit(x @ x.T, relevant, weights, strength)
    other = sklearn.LogisticRegression(C=strength, tol=1e-8, max_iter=5000).fit(x, relevant, sample_weight=weights)
    assert x @ (x.T @ a) + b == pytest.approx(other.decision_function(x), abs=0.05, rel=0.02)


def test_an_example_does_not_judge_itself() -> None:
    """Labels without meaning: known by heart they look learned, held out they do not."""
    random = np.random.default_rng(1)
    x = random.normal(size=(60, 500))
    relevant = np.arange(60) % 2 == 0
    products, weights = x @ x.T, np.ones(60)
    a, b = fit(products, relevant, weights, 30.0)
    by_heart = products @ a + b
    out = held_out(products, relevant, weights, 30.0, 4)
    assert ((by_heart > 0) == relevant).all()
    assert ((out > 0) == relevant).mean() < 0.75


def test_a_fold_without_one_kind_is_no_error() -> None:
    products = np.eye(3)
    assert held_out(products, np.array([True, False, False]), np.ones(3), 1.0, 2).shape == (3,)

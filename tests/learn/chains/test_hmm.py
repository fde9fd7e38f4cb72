from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.chains.hmm import Hmm, counted


def test_tables_worked_by_hand() -> None:
    states, clusters = np.array([0, 1, 1, 2]), np.array([0, 1, 1, 1])
    made = counted(states, clusters, [(3, 1, 0), (2, 0)], k=3, c=2)
    assert made.pi == pytest.approx([2 / 7, 3 / 7, 2 / 7])  # 1, 2, 1 of 4 pages, each plus 1
    # steps: 2 -> 1, 1 -> 0, 1 -> 0
    assert made.a == pytest.approx(np.array([[1 / 3] * 3, [3 / 5, 1 / 5, 1 / 5], [1 / 4, 2 / 4, 1 / 4]]))
    assert made.b == pytest.approx(np.array([[2 / 3, 1 / 3], [1 / 4, 3 / 4], [1 / 3, 2 / 3]]))


def test_filtering_worked_by_hand() -> None:
    model = Hmm(np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.8, 0.2], [0.3, 0.7]]))
    first = model.filtered(None, 0)
    assert first == pytest.approx([0.4 / 0.55, 0.15 / 0.55])
    second = model.filtered(first, 1)
    expected = first @ model.a  # eq. 5, then scaled
    assert second == pytest.approx(expected * [0.2, 0.7] / (expected @ [0.2, 0.7]))
    assert model.ahead(second) == pytest.approx(second @ model.a)  # eq. 6
    assert model.ahead(second, 2) == pytest.approx(second @ model.a @ model.a)


def test_filtering_is_that_of_hmmlearn() -> None:
    """The last of hmmlearn's smoothed probabilities has seen what the filter has."""
    hmmlearn = pytest.importorskip("hmmlearn.hmm", reason="hmmlearn is the oracle of this test")
    random = np.random.default_rng(3)

    def shares(*shape: int) -> np.ndarray:
        table = random.random(shape)
        return table / table.sum(axis=-1, keepdims=True)

    model = Hmm(shares(5), shares(5, 5), shares(5, 4))
    oracle = hmmlearn.CategoricalHMM(5)
    oracle.startprob_, oracle.transmat_, oracle.emissionprob_, oracle.n_features = model.pi, model.a, model.b, 4
    seen = random.integers(4, size=7)
    seen[0] = 3
    belief = None
    for length in range(1, 8):
        belief = model.filtered(belief, int(seen[length - 1]))
        assert belief == pytest.approx(oracle.predict_proba(seen[:length, None])[-1])


def test_what_cannot_be_is_anything() -> None:
    model = Hmm(np.array([1.0, 0.0]), np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert model.filtered(None, 0) == pytest.approx([0.5, 0.5])

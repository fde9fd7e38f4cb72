"""The MEMM against scikit-learn's multinomial regression, brute force and finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.chains import memm
from scenthound.learn.chains.fitting import penalised
from scenthound.learn.chains.memm import _Likelihood
from scenthound.learn.chains.viterbi import advance
from tests.learn.chain_data import random_chains, random_weights, sequences

pytest.importorskip("sklearn")


@pytest.mark.parametrize("seed", range(3))
def test_likelihood_and_gradient(seed: int) -> None:
    chains = random_chains(seed)
    weights = random_weights(chains, seed)
    likelihood = _Likelihood(chains)
    features = chains.rows @ weights.features
    expected = 0.0
    for rows, labels, times in sequences(chains):
        for t, (row, state) in enumerate(zip(rows, labels, strict=True)):
            scores = features[row] + (weights.transitions[labels[t - 1]] if t else weights.start)
            expected += times * (scores[state] - np.log(np.exp(scores).sum()))
    assert likelihood(weights)[0] == pytest.approx(expected)
    _, gradient = penalised(likelihood, weights, 2.0)
    flat, step = weights.flat(), 1e-5
    for place in range(len(flat)):
        moved = [flat.copy(), flat.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        up, down = (penalised(likelihood, weights.like(one), 2.0)[0] for one in moved)
        assert gradient[place] == pytest.approx((up - down) / (2 * step), abs=1e-5)


def test_training_is_multinomial_regression_with_the_state_before() -> None:
    from sklearn.linear_model import LogisticRegression

    chains, variance = random_chains(4, lengths=(2, 4, 5)), 0.7
    dense = np.asarray(chains.rows.todense())
    examples, labels, times = [], [], []
    for rows, states, weight in sequences(chains):
        for t, (row, state) in enumerate(zip(rows, states, strict=True)):
            before = np.zeros(4)
            before[states[t - 1] if t else 3] = 1.0
            examples.append(np.concatenate([dense[row], before]))
            labels.append(state)
            times.append(weight)
    theirs = LogisticRegression(C=variance, fit_intercept=False, tol=1e-10, max_iter=5000)
    theirs.fit(np.array(examples), labels, sample_weight=times)
    ours = memm.train(chains, variance, 1000).weights
    assert ours.features == pytest.approx(theirs.coef_[:, :4].T, abs=2e-3)
    assert ours.transitions == pytest.approx(theirs.coef_[:, 4:7].T, abs=2e-3)
    assert ours.start == pytest.approx(theirs.coef_[:, 7], abs=2e-3)


def test_a_step_worked_by_hand() -> None:
    chains = random_chains(1, states=2)
    weights = memm.train(chains, 1.0, 5).weights.like(np.zeros(2 * 4 + 4 + 2))
    weights.transitions[:] = np.log([[3.0, 1.0], [1.0, 1.0]])
    weights.start[:] = np.log([1.0, 3.0])
    scores = np.log([[2.0, 1.0]])
    assert memm.start(weights, scores)[0] == pytest.approx([2 / 5, 3 / 5])
    moves = memm.transitions(weights, scores)
    assert moves[0] == pytest.approx(np.array([[6 / 7, 1 / 7], [2 / 3, 1 / 3]]))
    belief = np.array([0.25, 0.75])
    assert advance(belief, moves)[0] == pytest.approx([0.25 * 6 / 7 + 0.75 * 2 / 3, 0.25 / 7 + 0.75 / 3])  # eq. 19
    best = np.array([max(0.25 * 6 / 7, 0.75 * 2 / 3), max(0.25 / 7, 0.75 / 3)])  # eq. 24
    assert advance(belief, moves, best=True)[0] == pytest.approx(best / best.sum())

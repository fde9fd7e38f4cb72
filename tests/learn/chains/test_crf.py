"""The CRF against brute force over all labellings, finite differences, and python-crfsuite."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scenthound.learn.chains import crf, memm
from scenthound.learn.chains.crf import Likelihood, marginals
from scenthound.learn.chains.fitting import Weights, penalised
from scenthound.learn.chains.viterbi import advance
from tests.learn.chain_data import all_scores, random_chains, random_weights, sequences

pytest.importorskip("scipy")


@pytest.mark.parametrize("seed", range(4))
def test_likelihood_is_that_of_brute_force(seed: int) -> None:
    chains = random_chains(seed)
    weights = random_weights(chains, seed)
    expected = 0.0
    for rows, labels, times in sequences(chains):
        scores = all_scores(chains, weights, rows)
        expected += times * (scores[labels] - np.log(np.exp(list(scores.values())).sum()))
    assert Likelihood(chains)(weights)[0] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_gradient_is_that_of_finite_differences(seed: int) -> None:
    chains = random_chains(seed)
    weights = random_weights(chains, seed + 10)
    likelihood = Likelihood(chains)
    _, gradient = penalised(likelihood, weights, 2.0)
    flat, step = weights.flat(), 1e-5
    for place in range(len(flat)):
        moved = [flat.copy(), flat.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        up, down = (penalised(likelihood, weights.like(one), 2.0)[0] for one in moved)
        assert gradient[place] == pytest.approx((up - down) / (2 * step), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_marginals_are_those_of_brute_force(seed: int) -> None:
    chains = random_chains(seed, lengths=(4,))
    weights = random_weights(chains, seed)
    batch = chains.batches[0]
    found = marginals((chains.rows @ weights.features)[batch.rows], weights, batch.weights)
    pairs = np.zeros_like(weights.transitions)
    for n, (rows, _, times) in enumerate(sequences(chains)):
        scores = all_scores(chains, weights, rows)
        z = np.exp(list(scores.values())).sum()
        assert found.log_z[n] == pytest.approx(np.log(z))
        expected = np.zeros_like(found.states[n])
        for path, score in scores.items():
            for t, state in enumerate(path):
                expected[t, state] += np.exp(score) / z
            for a, b in pairwise(path):
                pairs[a, b] += times * np.exp(score) / z
        assert found.states[n] == pytest.approx(expected)
    assert found.pairs == pytest.approx(pairs)


def test_steps_along_a_way_give_the_forward_marginal() -> None:
    """Inference link by link is the marginal of the last place of the sequence so far (Liu eq. 37, 38)."""
    chains = random_chains(5, lengths=(4,))
    weights = random_weights(chains, 5)
    rows = chains.batches[0].rows[0]
    scores = chains.rows @ weights.features
    belief = crf.start(weights, scores[rows[:1]])[0]
    for length in range(2, 5):
        belief = advance(belief, crf.transitions(weights, scores[rows[length - 1 : length]]))[0]
        whole = marginals(scores[rows[:length]][None], weights, np.ones(1))
        assert belief == pytest.approx(whole.states[0, -1])


def test_a_step_worked_by_hand() -> None:
    """Two states. exp of edge plus observation: from T0 (3 * 2, 1 * 1), from T1 (1 * 2, 1 * 1), not made to sum to 1.
    Of (1/4, 3/4), eq. 37 makes (6/4 + 6/4, 1/4 + 3/4) = (3, 1), eq. 38 (3/4, 1/4); eq. 39 takes the better of each:
    (6/4, 3/4). The MEMM, which normalises each state, has other shares for the same weights."""
    weights = random_weights(random_chains(1, states=2), 1)
    weights.transitions[:] = np.log([[3.0, 1.0], [1.0, 1.0]])
    weights.start[:] = np.log([1.0, 3.0])
    scores = np.log([[2.0, 1.0]])
    assert crf.start(weights, scores)[0] == pytest.approx([2 / 5, 3 / 5])
    moves, belief = crf.transitions(weights, scores), np.array([0.25, 0.75])
    assert advance(belief, moves)[0] == pytest.approx([3 / 4, 1 / 4])
    assert advance(belief, moves, best=True)[0] == pytest.approx([2 / 3, 1 / 3])
    assert advance(belief, memm.transitions(weights, scores))[0] == pytest.approx([3 / 14 + 1 / 2, 1 / 28 + 1 / 4])


def test_large_scores_do_not_overflow() -> None:
    chains = random_chains(1)
    weights = random_weights(chains, 1)
    large = weights.like(weights.flat() * 300)
    value, gradient = Likelihood(chains)(large)
    assert np.isfinite(value)
    assert np.isfinite(gradient.flat()).all()


def test_training_is_that_of_crfsuite(tmp_path: Path) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite", reason="python-crfsuite is the oracle of this test")
    chains = random_chains(7, lengths=(2, 3, 5))
    variance = 0.5
    fitted = crf.train(chains, variance, 300)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": 0.0,
            "c2": 1 / (2 * variance),
            "max_iterations": 1000,
            "epsilon": 1e-9,
            "delta": 1e-12,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
        }
    )
    dense = np.asarray(chains.rows.todense())

    def items(rows: list[int]) -> list[dict[str, float]]:
        return [
            {f"f{n}": float(value) for n, value in enumerate(dense[row])} | ({"start": 1.0} if not t else {})
            for t, row in enumerate(rows)
        ]

    for rows, labels, times in sequences(chains):
        for _ in range(int(times)):
            trainer.append(pycrfsuite.ItemSequence(items(rows)), [str(label) for label in labels])
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    likelihood = 0.0
    for rows, labels, times in sequences(chains):
        tagger.set(pycrfsuite.ItemSequence(items(rows)))
        likelihood += times * np.log(tagger.probability([str(label) for label in labels]))
        scores = (chains.rows @ fitted.weights.features)[rows]
        ours = marginals(scores[None], fitted.weights, np.ones(1)).states[0]
        theirs = [[tagger.marginal(str(state), t) for state in range(3)] for t in range(len(rows))]
        assert ours == pytest.approx(np.array(theirs), abs=2e-3)
    tagger.close()
    assert Likelihood(chains)(fitted.weights)[0] == pytest.approx(likelihood, abs=1e-2)


def test_the_curve_rises_and_ends_where_the_gradient_is_nil() -> None:
    chains = random_chains(3)
    fitted = crf.train(chains, 1.0, 200)
    assert all(b >= a - 1e-9 for a, b in zip(fitted.curve, fitted.curve[1:], strict=False))
    _, gradient = penalised(Likelihood(chains), fitted.weights, 1.0)
    assert np.abs(gradient).max() < 1e-2
    assert len(crf.train(chains, 1.0, 3).curve) <= 3


def test_weights_survive_being_flattened() -> None:
    weights = random_weights(random_chains(1), 1)
    again = Weights.zero(4, 3).like(weights.flat())
    assert (again.features == weights.features).all()
    assert (again.transitions == weights.transitions).all()
    assert (again.start == weights.start).all()

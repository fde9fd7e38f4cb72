from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from scenthound.learn.chains import crf, memm
from scenthound.learn.chains.fitting import Weights
from scenthound.learn.chains.viterbi import Steps, advance, best_path


@pytest.mark.parametrize("seed", range(8))
def test_best_path_is_that_of_enumeration(seed: int) -> None:
    random = np.random.default_rng(seed)
    start, moves = random.normal(size=3), random.normal(size=(1 + seed % 5, 3, 3))

    def score(path: tuple[int, ...]) -> float:
        return float(start[path[0]] + sum(moves[t, a, b] for t, (a, b) in enumerate(pairwise(path))))

    best = max(product(range(3), repeat=len(moves) + 1), key=score)
    assert tuple(best_path(start, moves)) == best


def test_a_way_of_one_page() -> None:
    assert best_path(np.array([0.1, 0.7, 0.2]), np.zeros((0, 3, 3))) == [1]


@pytest.mark.parametrize("seed", range(4))
def test_the_last_of_the_steps_is_where_the_best_path_ends(seed: int) -> None:
    random = np.random.default_rng(seed)
    start, moves = random.random(4), random.random((5, 4, 4))
    delta = start / start.sum()
    for step in moves:
        delta = advance(delta, step[None], best=True)[0]
        assert delta.sum() == pytest.approx(1.0)
    assert int(delta.argmax()) == best_path(np.log(start), np.log(moves))[-1]


def test_liu_s_example_sum_and_best_disagree() -> None:
    """The likeliest sequence ends in a, the likeliest last letter is b (Liu 6.1)."""
    # aaa 0.30, abb 0.20, bab 0.25, bbb 0.25, written as states (second, third letter) of a chain over pairs
    start = np.array([0.30, 0.20, 0.25, 0.25])
    ends = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    moves = np.zeros((1, 4, 4))
    moves[0, :, :2] = ends
    assert advance(start, moves)[0][:2] == pytest.approx([0.3, 0.7])
    assert advance(start, moves, best=True)[0].argmax() == 0


def test_nothing_possible_is_everything_alike() -> None:
    assert advance(np.array([1.0, 0.0]), np.zeros((2, 2, 2))) == pytest.approx(np.full((2, 2), 0.5))


@pytest.mark.parametrize("model", [memm, crf])
@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_steps_are_those_of_the_matrices_written_out(model: Any, best: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = Weights(np.zeros((0, 5)), random.normal(size=(5, 5), scale=3), np.zeros(5))
    belief, scores = random.dirichlet(np.ones(5)), random.normal(size=(7, 5), scale=10.0**seed)
    found = Steps(weights.transitions, each=model is memm, best=best)(belief, scores)
    assert found == pytest.approx(advance(belief, model.transitions(weights, scores), best), abs=1e-12)
    assert found.sum(axis=1) == pytest.approx(np.ones(7))


def test_a_step_by_hand() -> None:
    """Two states: e = (1, 1; 3, 1) and r = (1, 2), from beliefs (0.25, 0.75)."""
    transitions, scores = np.log(np.array([[1.0, 1.0], [3.0, 1.0]])), np.log(np.array([[1.0, 2.0]]))
    belief = np.array([0.25, 0.75])
    assert Steps(transitions, each=False)(belief, scores)[0] == pytest.approx(np.array([2.5, 2.0]) / 4.5)
    assert Steps(transitions, each=True)(belief, scores)[0] == pytest.approx([0.25 / 3 + 0.45, 0.5 / 3 + 0.3])
    assert Steps(transitions, each=True, best=True)(belief, scores)[0] == pytest.approx(np.array([0.45, 0.3]) / 0.75)


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("best", [False, True])
def test_a_step_against_all_odds(each: bool, best: bool) -> None:
    """What is seen speaks for a state that nothing leads to: that is no reason to divide by 0."""
    transitions, scores = np.array([[0.0, -2000.0], [0.0, -2000.0]]), np.array([[0.0, 5000.0], [5000.0, 0.0]])
    found = Steps(transitions, each, best)(np.array([0.5, 0.5]), scores)
    assert found == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0]]))

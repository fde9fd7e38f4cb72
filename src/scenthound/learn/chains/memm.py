"""Maximum entropy Markov model: at each place a classifier of the next state, given the last one (Liu 4).

    p(j | i, o_t) = exp(T(i, j) + sum over features f of o_t of w(f, j) * value) / z        (eq. 13, 14)
    p(j | o_1)    = the same with the start's weights in place of T(i, .)
    log p(s | o)  = sum over places of log p(s_t | s_{t-1}, o_t)                             (eq. 15)
    gradient      = seen - expected counts of each feature - w / variance                    (eq. 17)

Since the state before is known in training, every place is an example by itself: this is multinomial regression with
the state before as one more feature, and examples alike are counted once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.learn.chains.fitting import ITERATIONS, Fit, Weights, fit
from scenthound.learn.chains.sequence_batches import Chains

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


def transitions(weights: Weights, scores: Floats) -> Floats:
    """p(j | i, o) for each row of feature scores (n x K): n x K x K."""
    return softmax(weights.transitions[None, :, :] + scores[:, None, :])


def start(weights: Weights, scores: Floats) -> Floats:
    """p(j | o) at the first place, for each row of scores: n x K."""
    return softmax(weights.start + scores)


def softmax(scores: Floats) -> Floats:
    """Over the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def train(chains: Chains, variance: float, iterations: int = ITERATIONS) -> Fit:
    likelihood = _Likelihood(chains)
    return fit(likelihood, Weights.zero(len(chains.columns), chains.states), variance, iterations)


class _Likelihood:
    """Log likelihood and its gradient, over distinct examples (state before, row, state)."""

    def __init__(self, chains: Chains) -> None:
        before, row, state, times = _examples(chains)
        self.states, self.before, self.state, self.times = chains.states, before, state, times
        places = chains.sums[row]
        self.parts, self.places = chains.parts, places
        self.parts_turned, self.places_turned = chains.parts.T.tocsr(), places.T.tocsr()

    def __call__(self, weights: Weights) -> tuple[float, Weights]:
        edges = np.vstack([weights.transitions, weights.start])
        expected = softmax(self.places @ (self.parts @ weights.features) + edges[self.before])
        at = np.arange(len(self.state)), self.state
        value = float(self.times @ np.log(np.maximum(expected[at], 1e-300)))
        missing = -expected * self.times[:, None]
        missing[at] += self.times
        of_edges = np.zeros((self.states + 1, self.states))
        np.add.at(of_edges, self.before, missing)
        return value, Weights(self.parts_turned @ (self.places_turned @ missing), of_edges[:-1], of_edges[-1])


def _examples(chains: Chains) -> tuple[Ints, Ints, Ints, Floats]:
    """State before (the number of states: none), row and state of every place, alike ones once and how often."""
    found, times = [], []
    for batch in chains.batches:
        first = np.full((len(batch.labels), 1), chains.states)
        before = np.hstack([first, batch.labels[:, :-1]])
        found.append(np.stack([before.ravel(), batch.rows.ravel(), batch.labels.ravel()], axis=1))
        times.append(np.repeat(batch.weights, batch.labels.shape[1]))
    distinct, which = np.unique(np.concatenate(found), axis=0, return_inverse=True)
    counted: Floats = np.bincount(which.ravel(), np.concatenate(times), minlength=len(distinct)).astype(np.float64)
    return distinct[:, 0], distinct[:, 1], distinct[:, 2], counted

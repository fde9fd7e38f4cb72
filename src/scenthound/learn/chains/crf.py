"""Linear-chain conditional random field: one distribution over all states of a sequence at once (Liu 5).

    p(s | o) = exp(sum over places of T(s_{t-1}, s_t) + score(s_t, o_t)) / Z(o)              (eq. 26)
    score(j, o_t) = sum over features f of o_t of w(f, j) * value;  the first place has the start's weights for T
    Z(o) by forward vectors, expected counts by forward and backward vectors                 (eq. 33-35)
    gradient = seen - expected counts of each feature - w / variance                         (eq. 36)

Sequences of one length are worked on side by side. Vectors are scaled to sum to 1 at each place, the scales make up Z.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.chains.fitting import ITERATIONS, Fit, Weights, fit
from scenthound.learn.chains.memm import softmax
from scenthound.learn.chains.sequence_batches import Chains, SequenceBatch

Floats = npt.NDArray[np.float64]


def transitions(weights: Weights, scores: Floats) -> Floats:
    """exp(T(i, j) + score(j)) for each row of scores (n x K), up to a factor for each row: n x K x K."""
    return edges(weights)[None, :, :] * _raised(scores)[:, None, :]


def start(weights: Weights, scores: Floats) -> Floats:
    """p(j | o_1) for each row of scores, seen by itself: n x K."""
    return softmax(weights.start + scores)


def edges(weights: Weights) -> Floats:
    """exp(T), up to a factor."""
    table: Floats = np.exp(weights.transitions - weights.transitions.max())
    return table


def _raised(scores: Floats) -> Floats:
    raised: Floats = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised


def train(chains: Chains, variance: float, iterations: int = ITERATIONS) -> Fit:
    return fit(Likelihood(chains), Weights.zero(len(chains.columns), chains.states), variance, iterations)


class Marginals(Struct, frozen=True):
    """Of the sequences of one batch."""

    log_z: Floats  # N
    states: Floats  # N x T x K
    pairs: Floats  # K x K, expected transitions of all sequences together


def marginals(scores: Floats, weights: Weights, times: Floats) -> Marginals:
    """Forward and backward over sequences of one length: `scores` is N x T x K."""
    number, length, states = scores.shape
    highest = scores.max(axis=2, keepdims=True)
    raised, table = np.exp(scores - highest), edges(weights)
    forward, scales = np.empty_like(scores), np.empty((number, length))
    reached = raised[:, 0] * np.exp(weights.start - weights.start.max())
    for t in range(length):
        if t:
            reached = (forward[:, t - 1] @ table) * raised[:, t]
        scales[:, t] = reached.sum(axis=1)
        forward[:, t] = reached / scales[:, t, None]
    backward = np.ones((number, states))
    found, pairs = np.empty_like(scores), np.zeros((states, states))
    for t in range(length - 1, -1, -1):
        found[:, t] = forward[:, t] * backward
        if t:
            ahead = raised[:, t] * backward / scales[:, t, None]
            pairs += table * (forward[:, t - 1].T @ (ahead * times[:, None]))
            backward = ahead @ table.T
    shifts = float(weights.start.max()) + (length - 1) * float(weights.transitions.max())
    return Marginals(np.log(scales).sum(axis=1) + highest.sum(axis=(1, 2)) + shifts, found, pairs)


class Likelihood:
    """Log likelihood of the sequences and its gradient."""

    def __init__(self, chains: Chains) -> None:
        self.chains = chains
        self._parts, self._sums = chains.parts, chains.sums
        self._parts_turned, self._sums_turned = chains.parts.T.tocsr(), chains.sums.T.tocsr()
        self._gathers = [_gather(batch, chains.sums.shape[0]) for batch in chains.batches]
        self._seen = [_one_hot(batch, chains.states) for batch in chains.batches]

    def __call__(self, weights: Weights) -> tuple[float, Weights]:
        of_rows = self._sums @ (self._parts @ weights.features)
        missing = np.zeros_like(of_rows)
        transitions, start, value = np.zeros_like(weights.transitions), np.zeros_like(weights.start), 0.0
        for batch, gather, (seen, steps) in zip(self.chains.batches, self._gathers, self._seen, strict=True):
            scores, times = of_rows[batch.rows], batch.weights
            found = marginals(scores, weights, times)
            value += float(np.einsum("n,ntk,ntk->", times, seen, scores) - times @ found.log_z)
            value += float((steps * weights.transitions).sum() + times @ weights.start[batch.labels[:, 0]])
            apart = (seen - found.states) * times[:, None, None]
            missing += gather @ apart.reshape(-1, apart.shape[2])
            transitions += steps - found.pairs
            start += apart[:, 0].sum(axis=0)
        return value, Weights(self._parts_turned @ (self._sums_turned @ missing), transitions, start)


def _gather(batch: SequenceBatch, rows: int) -> Any:
    """Sparse, rows x places of the batch: adds up what belongs to one row."""
    from scipy.sparse import csr_matrix

    places = batch.rows.ravel()
    return csr_matrix((np.ones(len(places)), (places, np.arange(len(places)))), shape=(rows, len(places)))


def _one_hot(batch: SequenceBatch, states: int) -> tuple[Floats, Floats]:
    """The labels as ones among zeros (N x T x K), and how often each step from state to state was seen (K x K)."""
    labels = batch.labels
    steps = np.zeros((states, states))
    np.add.at(steps, (labels[:, :-1], labels[:, 1:]), np.broadcast_to(batch.weights[:, None], labels[:, 1:].shape))
    return np.eye(states)[labels], steps

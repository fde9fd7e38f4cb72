"""Small chains with random features, for comparing trained models with others and with brute force."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from scenthound.learn.chains.fitting import Weights
from scenthound.learn.chains.sequence_batches import Chains, SequenceBatch


def random_chains(
    seed: int, states: int = 3, features: int = 4, parts: int = 8, lengths: tuple[int, ...] = (1, 2, 4)
) -> Chains:
    random = np.random.default_rng(seed)
    rows = 6
    cells = random.random((parts, features)) * (random.random((parts, features)) < 0.7)
    sums = np.zeros((rows, parts))
    for row in range(rows):
        sums[row, random.choice(parts, size=1 + row % 3, replace=False)] = 1.0
    batches = tuple(
        SequenceBatch(
            rows=random.integers(rows, size=(5, length)),
            labels=random.integers(states, size=(5, length)),
            weights=random.integers(1, 4, size=5).astype(np.float64),
        )
        for length in lengths
    )
    columns = {f"f{n}": n for n in range(features)}
    return Chains(columns, csr_matrix(cells), csr_matrix(sums), batches, states)


def random_weights(chains: Chains, seed: int) -> Weights:
    random = np.random.default_rng(seed)
    zero = Weights.zero(len(chains.columns), chains.states)
    return zero.like(random.normal(size=zero.flat().shape))


def all_scores(chains: Chains, weights: Weights, rows: Any) -> dict[tuple[int, ...], float]:
    """Every labelling of a sequence of rows with its score: T(start) + T(steps) + features, one by one."""
    features = (chains.rows @ weights.features)[rows]
    found = {}
    for path in product(range(chains.states), repeat=len(rows)):
        score = weights.start[path[0]] + sum(features[t, state] for t, state in enumerate(path))
        found[path] = float(score + sum(weights.transitions[a, b] for a, b in pairwise(path)))
    return found


def sequences(chains: Chains) -> list[tuple[list[int], tuple[int, ...], float]]:
    return [
        (rows.tolist(), tuple(labels.tolist()), float(times))
        for batch in chains.batches
        for rows, labels, times in zip(batch.rows, batch.labels, batch.weights, strict=True)
    ]

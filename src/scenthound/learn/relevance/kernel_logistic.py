"""Logistic regression for many features and few examples, by way of the examples' inner products.

    minimise   sum_i s_i log(1 + exp(-y_i f_i))  +  |w|^2 / (2 C)          f = X w + b,  y = +-1,  s: weights

Of w only X'a matters, so with n examples it is a problem of n numbers, whatever the number of words. Newton's method
(iteratively reweighted least squares) solves in each round

    (K + D / C) a + b 1 = z,   1'a = 0          K = X X',  D = 1 / (s p (1 - p)),  z = f + (t - p) / (p (1 - p))

with p the probabilities of the round before and t = 1 for relevant examples, 0 for others.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ROUNDS, ENOUGH = 12, 1e-3
"""Newton's method has the first three digits after five or six; nobody reads the fourth."""

STEEPEST = 12.0
"""Log-odds beyond which an example is settled and no longer moves the fit; keeps the rounds from running away."""


def fit(products: Floats, relevant: Flags, weights: Floats, strength: float) -> tuple[Floats, float]:
    """The a and b of the minimum. `products`: K; `strength`: C, the larger the closer to the examples."""
    n = len(relevant)
    aim = relevant.astype(float)
    a, b = np.zeros(n), 0.0
    system = np.zeros((n + 1, n + 1))
    system[:n, n] = system[n, :n] = 1.0
    diagonal, aims = system.reshape(-1)[: n * (n + 1) : n + 2], np.zeros(n + 1)
    for _ in range(ROUNDS):
        log_odds = np.minimum(np.maximum(products @ a + b, -STEEPEST), STEEPEST)
        p = 1.0 / (1.0 + np.exp(-log_odds))
        spread = p * (1.0 - p)
        system[:n, :n] = products
        diagonal += 1.0 / (strength * weights * spread)
        aims[:n] = log_odds + (aim - p) / spread
        solved = np.linalg.solve(system, aims).astype(np.float64, copy=False)
        change = float(np.abs(solved[:n] - a).max(initial=0.0)) + abs(float(solved[n]) - b)
        a, b = solved[:n], float(solved[n])
        if change < ENOUGH * (1.0 + float(np.abs(a).max(initial=0.0))):
            break
    return a, b


def held_out(products: Floats, relevant: Flags, weights: Floats, strength: float, folds: int) -> Floats:
    """f of each example by a fit to the others: they are dealt into folds, and each is left out once."""
    scores = np.zeros(len(relevant))
    fold = np.empty(len(relevant), int)
    for side in (relevant, ~relevant):
        fold[side] = np.arange(int(side.sum())) % folds
    for number in range(folds):
        out, kept = fold == number, fold != number
        if not out.any() or not relevant[kept].any() or relevant[kept].all():
            continue
        a, b = fit(products[np.ix_(kept, kept)], relevant[kept], weights[kept], strength)
        scores[out] = products[np.ix_(out, kept)] @ a + b
    return scores

"""Logistic regression that learns one example at a time and forgets none of what it learned."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.learn.links.link_features import Floats, Places, Rows


class OnlineLogistic:
    """Expects a number between 0 and 1, given features; taught by stochastic gradient with a rate for each weight.

        p = 1 / (1 + exp(-w . x))                    what is expected
        g = (p - y) * x                              gradient of the cross-entropy, for any y in 0..1
        G += g^2,  w -= rate * g / sqrt(G)           AdaGrad (Duchi, Hazan, Singer 2011), G = 1 at the beginning

    A frequent feature soon learns slowly and a rare one still learns fast, which is what words need. The target may be
    a probability: then p tends to the mean of the targets.
    """

    def __init__(self, size: int, rate: float) -> None:
        self.rate = rate
        self.weights: Floats = np.zeros(size)
        self.squares: Floats = np.ones(size)

    def __call__(self, rows: Rows) -> Floats:
        """What is expected of each row."""
        if not len(rows.starts):
            return np.zeros(0)
        sums: Floats = np.add.reduceat(self.weights[rows.places] * rows.values, rows.starts)
        return 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))

    def learn(self, row: Rows, target: float, among: Places | None = None) -> None:
        """One row, and what came of it. With `among`, only the weights of these places change."""
        # As `self(row)`, of a single row and with few small arrays: this is done once for every page.
        log_odds = float(np.add.reduceat(self.weights.take(row.places) * row.values, row.starts)[0])
        error = 1.0 / (1.0 + float(np.exp(-min(30.0, max(-30.0, log_odds))))) - target
        gradient: Floats = error * row.values
        changed: npt.NDArray[np.bool_] | slice = slice(None) if among is None else np.isin(row.places, among)
        places, gradient = row.places[changed], gradient[changed]
        np.add.at(self.squares, places, gradient * gradient)
        np.add.at(self.weights, places, -self.rate * gradient / np.sqrt(self.squares[places]))

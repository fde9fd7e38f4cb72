"""A neural net small enough to be the brain of one agent among many: taught one lesson at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class SmallNet:
    """One hidden layer.

        value(x) = v . tanh(W x + b) + c

    `first` is W with b as its last column, `second` is v with c as its last number.
    """

    __slots__ = ("first", "second")

    def __init__(self, first: Floats, second: Floats) -> None:
        self.first = first
        self.second = second

    def __call__(self, x: Floats) -> Floats:
        """The value of each row of `x`."""
        values: Floats = self._hidden(x) @ self.second[:-1] + self.second[-1]
        return values

    def learn(self, x: Floats, target: float, rate: float) -> None:
        """One step of gradient descent on (target - value(x))^2 / 2, by back-propagation; `x` is one row."""
        hidden = self._hidden(x)
        error = target - float(hidden @ self.second[:-1] + self.second[-1])
        back = error * self.second[:-1] * (1.0 - hidden**2)
        self.second += rate * error * np.append(hidden, 1.0)
        self.first += rate * np.outer(back, np.append(x, 1.0))

    def _hidden(self, x: Floats) -> Floats:
        hidden: Floats = np.tanh(x @ self.first[:, :-1].T + self.first[:, -1])
        return hidden

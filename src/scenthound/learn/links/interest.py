"""Interest ratios: how much more often than usual something comes true when something else is seen.

    I(C, E) = P(C | E) / P(C)        above 1: E is a good sign; below: a bad one

Counted as it happens, in arrays of fixed size. C may be true in part (a relevance of 0.3): then P is a mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

CAUTION = 1.0
"""Every event is taken to have been seen this often before, with the usual outcome: no ratio is 0 or infinite."""


class RunningMean:
    """How often C is true at all: mean and variance of what was seen so far."""

    def __init__(self) -> None:
        self.n = 0
        self._total = 0.0
        self._squares = 0.0

    def kept(self) -> list[float]:
        return [self.n, self._total, self._squares]

    def take_back(self, kept: Sequence[float]) -> None:
        self.n, self._total, self._squares = int(kept[0]), kept[1], kept[2]

    def saw(self, truth: float) -> None:
        self.n += 1
        self._total += truth
        self._squares += truth * truth

    @property
    def mean(self) -> float:
        return self._total / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        """P(C) * (1 - P(C)) where C is only ever true or false."""
        return max(0.0, self._squares / self.n - self.mean**2) if self.n else 0.0


class InterestRatios:
    """The interest ratios of many events, each at its place in an array."""

    def __init__(self, size: int) -> None:
        self._n: Floats = np.zeros(size)
        self._total: Floats = np.zeros(size)

    def kept(self) -> dict[str, Floats]:
        return {"n": self._n.copy(), "total": self._total.copy()}

    def take_back(self, kept: Mapping[str, Floats]) -> None:
        self._n, self._total = kept["n"].copy(), kept["total"].copy()

    def saw(self, events: Places, truth: float) -> None:
        np.add.at(self._n, events, 1.0)
        np.add.at(self._total, events, truth)

    def log_ratios(self, events: Places, usual: RunningMean, significance: float = 0.0) -> Floats:
        """log I(C, E) of each event; 0 for those too seldom or too ordinary to tell.

        S = |P(C | E) - P(C)| / sqrt(var(C) / n(E)) >= significance
        """
        if usual.mean <= 0.0:
            return np.zeros(len(events))
        n, total = self._n[events], self._total[events]
        logs: Floats = np.log(shrunk(total, n, usual.mean) / usual.mean)
        if significance > 0.0:
            spread = np.sqrt(usual.variance / np.maximum(n, 1.0))
            logs[np.abs(total - n * usual.mean) < significance * spread * n] = 0.0
        logs[n == 0.0] = 0.0
        return logs


def shrunk(total: Floats, n: Floats, mean: float) -> Floats:
    """The mean of n values that sum to `total`, drawn towards the usual mean where they are few."""
    return (total + CAUTION * mean) / (n + CAUTION)

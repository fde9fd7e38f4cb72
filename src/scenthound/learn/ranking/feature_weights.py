"""How much each feature of a link counts on this web, learned from what its links led to.

    w = max(0, w0 + d),  d minimises   sum over lessons of (y - s w0 . x - s d . x)^2 + LAMBDA |s d|^2

    x: features of a link that was followed, each as deviations from the links that waited; y: relevance of its page;
       both less their means over the lessons of that time, `NEAR` before and as many after
    w0: the prior;  s: the scale on which the prior foretells y, by least squares

Ridge regression that shrinks towards the prior in place of 0: with few lessons the prior decides, and a feature that
tells nothing here loses its weight only as lessons say so. Weights stay at 0 or above: each feature was made so that
more of it is better, and where that seems not to hold it is mostly chance. Those of `held` features stay at the prior,
and lessons are about the others.

Lessons are compared with those of their time, since what is followed is always the best that waits, and as a crawl goes
on less of it is relevant: over all lessons it would seem that what is best by the prior is no better than the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

LESSONS = 2_000
"""The last ones are kept."""

NEWS = 50
"""They are worked out anew when there is one lesson more for so many."""

NEAR = 25
"""Lessons before one, and after it, that it is compared with."""

LAMBDA = 150.0
FEWEST = 5
LEAST_SCALE = 0.02
LEAST_DIFFERENCE = 1e-6

Floats = npt.NDArray[np.float64]


class FeatureWeights:
    def __init__(self, prior: Sequence[float], held: Sequence[int] = ()) -> None:
        self.prior: Floats = np.array(prior)
        self._held = list(held)
        self._lessons: Floats = np.zeros((LESSONS, len(self.prior) + 1))
        self.number = 0
        self._weights = self.prior
        self._worked_out_at = 0

    def add(self, features: Floats, outcome: float) -> None:
        lesson = self._lessons[self.number % LESSONS]
        lesson[:-1], lesson[-1] = features, outcome
        self.number += 1
        # Here, and not when somebody asks for them: a crawl that relives its pages asks at other moments.
        if self.number >= self._worked_out_at + max(1, self._worked_out_at // NEWS):
            self._weights, self._worked_out_at = self._worked_out(), self.number

    def __call__(self) -> Floats:
        return self._weights

    def _worked_out(self) -> Floats:
        if self.number < FEWEST:
            return self.prior
        lessons = self._in_order()
        lessons -= _means_around(lessons)
        x, y = lessons[:, :-1], lessons[:, -1]
        if np.ptp(y) < LEAST_DIFFERENCE:
            return self.prior
        x[:, self._held] = 0.0
        foretold = x @ self.prior
        scale = max(float(foretold @ y) / (float(foretold @ foretold) + 10.0), LEAST_SCALE)
        rest = np.linalg.solve(x.T @ x + LAMBDA * np.eye(x.shape[1]), x.T @ (y - scale * foretold))
        learned: Floats = np.maximum(0.0, self.prior + rest / scale)
        return learned

    def _in_order(self) -> Floats:
        """A copy of the lessons, the oldest first."""
        lessons = self._lessons[: self.number]
        return np.roll(lessons, -(self.number % LESSONS) if self.number > LESSONS else 0, axis=0)

    def kept(self) -> tuple[dict[str, Any], dict[str, Any]]:
        arrays = {"lessons": self._lessons[: self.number].copy(), "weights": self._weights.copy()}
        return {"number": self.number, "worked out at": self._worked_out_at}, arrays

    def take_back(self, values: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        self.number, self._worked_out_at = values["number"], values["worked out at"]
        self._weights = arrays["weights"].copy()
        self._lessons[: len(arrays["lessons"])] = arrays["lessons"]


def _means_around(rows: Floats) -> Floats:
    """Of each row, the mean of itself and of those next to it."""
    sums = np.zeros((len(rows) + 1, rows.shape[1]))
    np.cumsum(rows, axis=0, out=sums[1:])
    places = np.arange(len(rows))
    first, end = np.maximum(places - NEAR, 0), np.minimum(places + NEAR + 1, len(rows))
    means: Floats = (sums[end] - sums[first]) / (end - first)[:, None]
    return means

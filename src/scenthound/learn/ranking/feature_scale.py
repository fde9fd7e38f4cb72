"""Mean and spread of each feature over all links that wait, wherever they do.

    m = sum of n_i m_i / sum of n_i        s^2 = sum of n_i (s_i^2 + (m_i - m)^2) / sum of n_i

    i: this learner and the others it hears of;  n_i: links that wait there

A learner that is alone has its own. Several that crawl together must not put each its own links on its own scale: the
best of a poor lot would look as good as the best of all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache

LISTENED_TO = 512
"""Others whose last word counts; of more, those who spoke last."""

STALE = 5_000
"""Words of others after which the last one of somebody who has fallen silent counts no more."""

LOW, HIGH = -4.0, 6.0
"""Deviations beyond which a link is no better or worse."""

Floats = npt.NDArray[np.float64]


class FeatureScale:
    """Measures each feature by how far it is from what waits besides: (x - m) / s."""

    def __init__(self, least_spread: Sequence[float]) -> None:
        """`least_spread`: of each feature, the s below which differences mean nothing."""
        self.own: Floats | None = None  # m and s of one's own links alone, which others are told
        self._others = OtherScales()
        self._least = np.array(least_spread)
        self._scale: Floats = np.array([np.zeros(len(self._least)), np.ones(len(self._least))])

    def __call__(self, features: Floats) -> Floats:
        middle, spread = self._scale
        scaled: Floats = np.minimum(np.maximum((features - middle) / spread, LOW), HIGH)
        return scaled

    def find(self, usual: Floats, waiting: int) -> None:
        """From features of some of the links that wait now, and how many those are in all."""
        self.own = np.array([usual.mean(axis=0), usual.std(axis=0)])
        mean, spread = self._others.merged(waiting, self.own)
        spread = np.maximum(spread, self._least)
        self._scale = np.array([mean, np.where(spread < 1e-6, 1.0, spread)])

    def hear(self, teller: str, waiting: int, scale: Floats) -> None:
        self._others.hear(teller, waiting, scale)

    def kept(self) -> Floats:
        return self._scale.copy()

    def take_back(self, scale: Floats) -> None:
        self._scale = scale.copy()


class OtherScales:
    """What others last said of the links that wait with them."""

    def __init__(self) -> None:
        self._heard = 0
        self._scales: BoundedCache[str, tuple[int, int, Floats]] = BoundedCache(LISTENED_TO)

    def hear(self, teller: str, waiting: int, scale: Floats) -> None:
        self._heard += 1
        self._scales.put(teller, (self._heard, waiting, scale))

    def merged(self, waiting: int, scale: Floats) -> Floats:
        """This scale, of so many links, together with theirs."""
        said = [(n, each) for heard, n, each in self._scales.entries.values() if heard > self._heard - STALE]
        if not said:
            return scale
        numbers = np.array([waiting, *(n for n, _ in said)], np.float64)
        means, spreads = np.array([scale, *(each for _, each in said)]).swapaxes(0, 1)
        shares = (numbers / max(numbers.sum(), 1.0))[:, None]
        mean = (shares * means).sum(axis=0)
        return np.array([mean, np.sqrt((shares * (spreads**2 + (means - mean) ** 2)).sum(axis=0))])

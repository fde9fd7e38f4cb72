"""Mean and spread of each feature over all links that wait, wherever they do.

    m = sum of n_i m_i / sum of n_i        s^2 = sum of n_i (s_i^2 + (m_i - m)^2) / sum of n_i

    i: this learner and the others it hears of;  n_i: links that wait there

A learner that is alone has its own. Several that crawl together must not put each its own links on its own scale: the
best of a poor lot would look as good as the best of all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache

LISTENED_TO = 512
"""Others whose last word counts; of more, those who spoke last."""

STALE = 5_000
"""Words of others after which the last one of somebody who has fallen silent counts no more."""

Floats = npt.NDArray[np.float64]


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

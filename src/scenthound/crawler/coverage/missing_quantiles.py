"""Quantiles of how much is missing, where it is missing in groups: so many groups, of so many pages each.

The number of groups of a kind is Poisson, of a rate that is itself known only as a gamma distribution: together that is
a negative binomial distribution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

MOST_GROUPS = 500
"""Groups of a kind that are told apart. Where there may be more, nobody needs to know how many more."""


class MissingPart(Struct, frozen=True):
    """Groups of one kind that are missing."""

    mean: float  # expected number of groups
    shape: float  # of the gamma distribution: the larger, the surer
    size: float  # pages in a group

    def chances(self) -> npt.NDArray[np.float64]:
        """Of no group, of one, of two ...; what is over the bound counts as the bound."""
        if self.mean <= 0.0:
            return np.ones(1)
        n = np.arange(1, MOST_GROUPS + 1)
        share = self.mean / (self.shape + self.mean)
        first = -self.shape * np.log1p(self.mean / self.shape)
        steps = np.log((self.shape + n - 1) / n * share)
        chances: npt.NDArray[np.float64] = np.exp(np.concatenate([[first], first + np.cumsum(steps)]))
        chances[-1] += max(0.0, 1.0 - chances.sum())
        return chances


def missing_quantiles(parts: tuple[MissingPart, MissingPart], shares: Sequence[float]) -> list[float]:
    """For each share the least number of pages such that with so much chance no more are missing."""
    first, second = (part.chances() for part in parts)
    chances = np.outer(first, second).ravel()
    missing = np.add.outer(parts[0].size * np.arange(len(first)), parts[1].size * np.arange(len(second))).ravel()
    order = np.argsort(missing, kind="stable")
    below = np.cumsum(chances[order])
    places = np.minimum(np.searchsorted(below, np.asarray(shares) - 1e-12), len(order) - 1)
    return [float(missing[order[place]]) for place in places]

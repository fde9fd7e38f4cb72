"""Hidden Markov model of ways to a topic: states are hops to a target, what is seen is the cluster of a page.

    pi_i = (pages in state i + s) / (all pages + s K)                                   Batsakis 2.5
    a_ij = (steps from state i to j + s) / (steps from i + s K)
    b_ic = (pages of state i in cluster c + s) / (pages in state i + s C)

with s = 1 (Laplace): what was never seen is unlikely, not impossible. Then along the way to a page

    alpha(j, t)   = b_j,c(t) * sum over i of alpha(i, t-1) * a_ij, scaled to sum to 1    eq. 5; the first: b_j * pi_j
    alpha(j, t+1) = sum over i of alpha(i, t) * a_ij                                     eq. 6

As printed there is no s, nothing is scaled, and alpha(j, 0) = pi_j: what kind of page a way begins at has no say.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


class Hmm(Struct, frozen=True):
    """The three tables of a model."""

    pi: Floats  # K
    a: Floats  # K x K, from i to j
    b: Floats  # K x C

    def filtered(self, before: Floats | None, cluster: int) -> Floats:
        """The belief about a page, from that about the page before it (none: the way begins) and its cluster."""
        expected = self.pi if before is None else before @ self.a
        seen = expected * self.b[:, cluster]
        total = float(seen.sum())
        return seen / total if total > 0.0 else np.full(len(self.pi), 1.0 / len(self.pi))

    def as_printed(self, before: Floats | None, cluster: int) -> Floats:
        """The same by eq. 5 to the letter: it shrinks with every step, and may become 0."""
        return self.pi if before is None else (before @ self.a) * self.b[:, cluster]

    def ahead(self, belief: Floats, steps: int = 1) -> Floats:
        """The belief about a page so many steps further, of which nothing is seen."""
        for _ in range(steps):
            belief = belief @ self.a
        return belief


def counted(states: Ints, clusters: Ints, ways: Sequence[Sequence[int]], k: int, c: int, smoothing: float = 1.0) -> Hmm:
    """The tables, by counting pages (for pi and b) and steps of the ways (for a)."""
    steps = np.zeros((k, k))
    for way in ways:
        at = states[list(way)]
        np.add.at(steps, (at[:-1], at[1:]), 1.0)
    emissions = np.zeros((k, c))
    np.add.at(emissions, (states, clusters), 1.0)
    return Hmm(
        pi=_shares(np.bincount(states, minlength=k).astype(np.float64)[None, :], smoothing)[0],
        a=_shares(steps, smoothing),
        b=_shares(emissions, smoothing),
    )


def _shares(counts: Floats, smoothing: float) -> Floats:
    raised = counts + smoothing
    sums = raised.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(raised, sums, out=np.zeros_like(raised), where=sums > 0.0)
    return shares

"""The topic at large, by capture and recapture: two crawls that know nothing of each other, and what both found.

    total = (first + 1) * (second + 1) / (both + 1) - 1                                     (Chapman 1951)

The interval is of the logarithm of what neither found, by Seber's variance (1970), as Chao (1987) does it: it never
begins below what is known, and is longer towards more.
"""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import NormalDist

from msgspec import Struct

LEAST_BOTH = 7
"""With fewer pages in common the estimate is biased, and the interval says too little (Robson and Regier 1964)."""


class Recapture(Struct, frozen=True):
    """How many relevant pages there are, by two crawls."""

    first: int  # relevant pages that the one crawl found
    second: int  # and the other
    both: int
    confidence: float
    total: float = 0.0
    low: float = 0.0
    high: float = 0.0
    unknown: str = ""  # why there is no estimate

    @property
    def known(self) -> int:
        """Relevant pages that at least one of them found."""
        return self.first + self.second - self.both

    @property
    def recall(self) -> float:
        """Share of all that the two have together."""
        return self.known / self.total if self.total else 0.0


def recapture(first: set[str], second: set[str], confidence: float = 0.95) -> Recapture:
    """Chapman's estimate, from the relevant pages of each."""
    found, other, both = len(first), len(second), len(first & second)
    if both < LEAST_BOTH:
        unknown = f"only {both} pages were found by both, and it takes {LEAST_BOTH}"
        return Recapture(found, other, both, confidence, unknown=unknown)
    total = (found + 1) * (other + 1) / (both + 1) - 1
    variance = (found + 1) * (other + 1) * (found - both) * (other - both) / ((both + 1) ** 2 * (both + 2))
    known = found + other - both
    unseen = total - known
    if unseen <= 0.0 or variance <= 0.0:
        return Recapture(found, other, both, confidence, total, float(known), max(total, float(known)))
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    factor = exp(z * sqrt(log(1 + variance / unseen**2)))
    return Recapture(found, other, both, confidence, total, known + unseen / factor, known + unseen * factor)

"""What the numbers of a few topics allow to say about strategies.

- A mean over topics comes with Student's t interval. Of twelve topics it covers the mean of all such topics in 94 to 95
  of a hundred experiments, where drawing topics with replacement and taking percentiles covers it in 91 to 93: the test
  of this file simulates both. Bands of curves, which are looked at rather than read off, are percentiles.
- Strategies are compared topic by topic with a baseline: mean difference with its interval, wins / ties / losses, and
  Wilcoxon's signed-rank test, which asks for the sign and order of the differences only. Testing many strategies at
  once, Holm's correction keeps the chance of even one false finding below the level.

A value that is nan was not measured and is left out; an infinite one ("never reached") has no part in means, and
counts as larger than any other in wins, losses and ranks. Randomness comes from a seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

RESAMPLES = 10_000
BAND_RESAMPLES = 2_000  # of curves, which are looked at rather than read off
EXACT_UP_TO = 25
"""Differences up to which Wilcoxon's p-value is counted out; beyond, the normal approximation is close."""

CLEAR = 0.05
"""The level of a finding."""

DIGITS = 12
"""Decimals to which differences are told apart: 0.3 - 0.2 and 0.2 - 0.1 are a tie, whatever binary fractions say."""

_CELLS = 4_000_000  # of a block of resamples, to bound memory


class Estimate(Struct, frozen=True):
    """A mean with its interval. `n` values are in it, of `of` given: the rest were infinite or not measured."""

    mean: float
    low: float
    high: float
    n: int
    of: int


class Band(Struct, frozen=True):
    """A mean curve with the interval of every point."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Comparison(Struct, frozen=True):
    """A strategy against the baseline on the same topics. `difference` is strategy - baseline; wins are its own."""

    difference: Estimate
    wins: int
    ties: int
    losses: int
    p: float  # Wilcoxon, two-sided
    p_holm: float  # the same, corrected for the number of strategies compared

    @property
    def clear(self) -> bool:
        """A difference that interval and test agree on: neither alone is taken for a finding."""
        return self.p_holm < CLEAR and not self.difference.low <= 0.0 <= self.difference.high


def mean_with_interval(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Mean of the finite values, with its t interval: mean +- t(n - 1) * s / sqrt(n). One value alone has none."""
    given = np.asarray(values, dtype=np.float64).ravel()
    finite = given[np.isfinite(given)]
    if not len(finite):
        return Estimate(math.nan, math.nan, math.nan, 0, len(given))
    mean, n = float(finite.mean()), len(finite)
    if n == 1:
        return Estimate(mean, math.nan, math.nan, 1, len(given))
    half = t_quantile(n - 1, level) * float(finite.std(ddof=1)) / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half, n, len(given))


@cache
def t_quantile(freedom: int, level: float) -> float:
    """The t within which, on both sides of 0, Student's distribution has this share."""
    low, high = 0.0, 1e6
    while high - low > 1e-12 * max(1.0, low):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_share(middle, freedom) < level else (low, middle)
    return (low + high) / 2


def _t_share(t: float, freedom: int) -> float:
    """P(|T| < t), which for whole degrees of freedom is a finite sum (Abramowitz, Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = total = (cosine if odd else 1.0) if freedom > 1 else 0.0
    for k in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine**2 * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def bootstrap_band(curves: ArrayLike, *, seed: int = 0, resamples: int = BAND_RESAMPLES, level: float = 0.95) -> Band:
    """Mean and interval at every point of curves given as rows, one a topic; what is not finite is left out."""
    rows = np.atleast_2d(np.asarray(curves, dtype=np.float64))
    known = np.isfinite(rows)
    filled = np.where(known, rows, 0.0)
    count = known.sum(axis=0)
    mean = np.divide(filled.sum(axis=0), count, out=np.full(rows.shape[1], np.nan), where=count > 0)
    low, high = np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    drawn = _draws(len(rows), resamples, seed)
    tails = [(1 - level) / 2, (1 + level) / 2]
    step = max(1, _CELLS // resamples)
    for start in range(0, rows.shape[1], step):
        part = slice(start, start + step)
        low[part], high[part] = _quantiles(drawn, filled[:, part], known[:, part], tails)
    return Band(mean, low, high)


def _draws(topics: int, resamples: int, seed: int) -> NDArray[np.float64]:
    """How often each topic is in each resample: a draw with replacement, written as counts."""
    if not topics:
        return np.zeros((resamples, 0))
    generator = np.random.default_rng(seed)
    return generator.multinomial(topics, np.full(topics, 1 / topics), size=resamples).astype(np.float64)


def _quantiles(
    drawn: NDArray[np.float64], filled: NDArray[np.float64], known: NDArray[np.bool_], tails: list[float]
) -> NDArray[np.float64]:
    """Quantiles of the resampled means at each point, over the resamples that hold a known value there."""
    found: NDArray[np.float64] = np.full((2, filled.shape[1]), np.nan)
    some = known.any(axis=0)
    sizes = drawn @ known[:, some].astype(np.float64)
    means = np.full(sizes.shape, np.nan)
    np.divide(drawn @ filled[:, some], sizes, out=means, where=sizes > 0)
    found[:, some] = np.nanquantile(means, tails, axis=0)
    return found


def differences(values: ArrayLike, baseline: ArrayLike) -> NDArray[np.float64]:
    """values - baseline, pair by pair; pairs not measured on both sides are left out, equal infinities differ by 0."""
    ours, theirs = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if ours.shape != theirs.shape:
        raise ValueError(f"{ours.shape} values cannot be paired with {theirs.shape}")
    measured = ~(np.isnan(ours) | np.isnan(theirs))
    ours, theirs = ours[measured], theirs[measured]
    same = ours == theirs
    apart: NDArray[np.float64] = np.where(same, 0.0, ours - np.where(same, 0.0, theirs))
    return np.round(apart, DIGITS)


def wins_ties_losses(
    differences: ArrayLike, better: Literal["higher", "lower", "neither"] = "higher"
) -> tuple[int, int, int]:
    """How often the difference is in our favour, nil, and against us."""
    signs = np.sign(np.asarray(differences, dtype=np.float64))
    ahead, behind = int((signs > 0).sum()), int((signs < 0).sum())
    ties = int((signs == 0).sum())
    return (behind, ties, ahead) if better == "lower" else (ahead, ties, behind)


def wilcoxon(differences: ArrayLike) -> float:
    """Two-sided p-value of Wilcoxon's signed-rank test; differences of 0 are dropped, ties share their mean rank.

    W+ is the sum of the ranks of the positive differences. If strategy and baseline did equally well, every difference
    could as well have had the other sign: up to 25 of them all 2^n cases are counted, ties included; from there on W+
    is taken as normal, with the variance sum(rank^2) / 4. No difference at all is no evidence: p = 1; no pairs: nan.
    """
    given = np.round(np.asarray(differences, dtype=np.float64).ravel(), DIGITS)
    given = given[~np.isnan(given)]
    if not len(given):
        return math.nan
    given = given[given != 0]
    if not len(given):
        return 1.0
    ranks = _mean_ranks(np.abs(given))
    positive = float(ranks[given > 0].sum())
    if len(given) <= EXACT_UP_TO:
        return _exact_tails(ranks, positive)
    distance = abs(positive - float(ranks.sum()) / 2)
    return math.erfc(distance / math.sqrt(float(ranks @ ranks) / 4) / math.sqrt(2))


def _mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 for the smallest; equal values get the mean of the ranks they take up."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    mean: NDArray[Any] = last - (sizes - 1) / 2
    return np.asarray(mean[group], dtype=np.float64)


def _exact_tails(ranks: NDArray[np.float64], positive: float) -> float:
    """Share of all sign patterns whose W+ is at least as far from the middle as `positive`.

    Mean ranks are multiples of a half, so twice W+ is whole, and its distribution grows rank by rank.
    """
    doubled = np.round(2 * ranks).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    middle = int(doubled.sum())
    far = np.abs(2 * np.arange(len(ways)) - middle) >= abs(4 * positive - middle)
    return float(ways[far].sum() / ways.sum())


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction, in the order given; p-values that are nan stay so and are not counted."""
    p = np.asarray(p_values, dtype=np.float64)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    corrected = p.copy()
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)))
    return [float(value) for value in corrected]


def compare(
    results: Mapping[str, Mapping[str, float]],
    baseline: str,
    *,
    better: Literal["higher", "lower", "neither"] = "higher",
) -> dict[str, Comparison]:
    """Every strategy against the baseline, on the topics both have: `results[strategy][topic]` is a final number."""
    reference = results[baseline]
    found: dict[str, NDArray[np.float64]] = {}
    for name, values in results.items():
        if name != baseline:
            shared = [topic for topic in reference if topic in values]
            found[name] = differences([values[topic] for topic in shared], [reference[topic] for topic in shared])
    p_values = [wilcoxon(given) for given in found.values()]
    return {
        name: Comparison(mean_with_interval(given), *wins_ties_losses(given, better), p, p_holm)
        for (name, given), p, p_holm in zip(found.items(), p_values, holm(p_values), strict=True)
    }

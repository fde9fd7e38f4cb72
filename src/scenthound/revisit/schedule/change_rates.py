"""How often a page changes, from looks at it that came at odd times and saw only whether it had changed.

A page is taken to change at random moments with rate r (a Poisson process). A look after a time d says "changed", with
probability 1 - exp(-r d), or "not changed", with exp(-r d). Counting changes and dividing by time is wrong: ten
changes between two looks are seen as one (Cho, Garcia-Molina 2003). The likelihood knows:

    log L(r) = sum over changed of log(1 - exp(-r d))  -  r * sum over unchanged of d

Where a server says when the page was last modified, a changed page tells more: one change at that moment and none in
the `a` days since, which adds log r - r a instead.

A few looks say little, and a page that changed at both of two looks has no largest likelihood at all. So pages of a
site and kind lend each other a prior, a gamma distribution with shape k and `per` days; the estimate is the mode of
the posterior of log r, the one root of

    k - per * r + sum over changed of r d / (exp(r d) - 1) - r * sum over unchanged of d  =  0

whose left side falls in r, so bisection finds it. With k = per = 0 it is the plain maximum of the likelihood.
The prior itself is fitted to all pages of its group by expectation-maximisation (empirical Bayes).

All times here are days, all rates changes a day.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SLOWEST, FASTEST = 1e-5, 1e3
"""Changes a day between which a rate is looked for: once in three centuries, and every minute and a half."""

_HALVINGS = 45
_ROUNDS = 50
Group = TypeVar("Group", bound=Hashable)
Array = NDArray[np.float64]


class Observation(Struct, frozen=True):
    """One look at a page: `interval` days after the one before. `age`: days since Last-Modified, where it was told."""

    interval: float
    changed: bool
    age: float | None = None


class RatePrior(Struct, frozen=True):
    """A gamma distribution of rates: mean shape / per, and worth as much as `shape` changes seen in `per` days."""

    shape: float = 0.5
    per: float = 50.0

    @property
    def mean(self) -> float:
        return self.shape / self.per if self.per > 0 else math.inf


class RateEstimate(Struct, frozen=True):
    """Changes a day, with a 95 % interval that tells how little is known."""

    rate: float
    low: float
    high: float
    looks: int
    changes: int


UNKNOWN = RatePrior()
NO_PRIOR = RatePrior(0.0, 0.0)


def estimate(observations: Sequence[Observation], prior: RatePrior = UNKNOWN) -> RateEstimate:
    """The most likely rate given the looks and what pages of its kind do.

    Without a prior, a page that never changed has rate 0, and one that always had has no upper limit but `FASTEST`.
    The interval is the normal approximation on the scale of log r.
    """
    changed, score, exposure = _sums(observations)
    shape, per = prior.shape + score, prior.per + exposure
    changes = sum(each.changed for each in observations)
    if shape <= 0 and not len(changed):
        return RateEstimate(0.0, 0.0, math.inf if not observations else _never_seen(per), len(observations), 0)
    rate = _root(changed, shape, per)
    width = 1.96 / math.sqrt(max(_curvature(changed, per, rate), 1e-12))
    low, high = rate * math.exp(-min(width, 50.0)), rate * math.exp(min(width, 50.0))
    return RateEstimate(rate, low, high, len(observations), changes)


def _never_seen(exposure: float) -> float:
    """The rate that would have shown a change in that time with 95 %."""
    return -math.log(0.05) / exposure if exposure > 0 else math.inf


def _sums(observations: Sequence[Observation]) -> tuple[Array, float, float]:
    """Intervals that hold a change at an unknown time; changes at known times; days known to be without a change."""
    unknown, dated, quiet = [], 0, 0.0
    for look in observations:
        interval = max(look.interval, 0.0)
        if not look.changed:
            quiet += interval
        elif look.age is not None and 0.0 <= look.age <= interval:
            dated += 1
            quiet += look.age
        elif interval > 0.0:
            unknown.append(interval)
    return np.array(unknown, dtype=np.float64), float(dated), quiet


def _slope(changed: Array, shape: float, per: float, rate: float) -> float:
    """Of the log posterior, in log r."""
    return shape - per * rate + float(_shrinking(changed * rate).sum())


def _shrinking(x: Array) -> Array:
    """x / (exp(x) - 1), which is 1 at 0 and falls."""
    safe = np.clip(x, 1e-12, 700.0)
    return np.asarray(safe / np.expm1(safe), dtype=np.float64)


def _curvature(changed: Array, per: float, rate: float) -> float:
    """How sharp the peak is in log r: minus the second derivative."""
    x = np.clip(changed * rate, 1e-9, 700.0)
    falling = _shrinking(x)
    return per * rate + float((falling * (falling + x - 1.0)).sum())


def _root(changed: Array, shape: float, per: float) -> float:
    low, high = math.log(SLOWEST), math.log(FASTEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _slope(changed, shape, per, math.exp(middle)) > 0:
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2)


def fit_prior(pages: Sequence[Sequence[Observation]], start: RatePrior = UNKNOWN, weight: float = 2.0) -> RatePrior:
    """The gamma distribution that the rates of these pages seem to come from.

    Each round asks what the rate of each page is likely to be under the present prior, on a grid of rates, and takes
    the gamma distribution with the same mean and mean logarithm. `start` counts as `weight` pages more, so that few
    pages move it little.
    """
    seen = [page for page in pages if page]
    if not seen:
        return start
    grid, likelihoods = _grid(), np.stack([log_likelihood(page, _grid()) for page in seen])
    mean_start, log_start = start.mean, _mean_log(start)
    prior = start
    for _ in range(_ROUNDS):
        logs = likelihoods + prior.shape * np.log(grid) - prior.per * grid  # even steps in log r
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        total = len(seen) + weight
        mean = (float((posterior @ grid).sum()) + weight * mean_start) / total
        mean_log = (float((posterior @ np.log(grid)).sum()) + weight * log_start) / total
        fitted = _gamma_of(mean, mean_log)
        near = abs(fitted.shape - prior.shape) < 1e-4 * prior.shape and abs(fitted.per - prior.per) < 1e-4 * prior.per
        prior = fitted
        if near:
            break
    return prior


def fit_priors(
    groups: Mapping[Group, Sequence[Sequence[Observation]]], start: RatePrior = UNKNOWN
) -> dict[Group, RatePrior]:
    """A prior for each group, drawn towards that of all pages the more, the fewer pages it has."""
    everywhere = fit_prior([page for pages in groups.values() for page in pages], start)
    return {group: fit_prior(pages, everywhere, weight=5.0) for group, pages in groups.items()}


def _grid() -> Array:
    return np.exp(np.linspace(math.log(1e-4), math.log(20.0), 96))


def log_likelihood(observations: Sequence[Observation], rates: Array) -> Array:
    """The log likelihood of the looks at each of the rates."""
    changed, dated, quiet = _sums(observations)
    hit = np.log(-np.expm1(-np.maximum(np.outer(changed, rates), 1e-300))).sum(axis=0) if len(changed) else 0.0
    return np.asarray(hit + dated * np.log(rates) - quiet * rates, dtype=np.float64)


def _mean_log(prior: RatePrior) -> float:
    return _digamma(prior.shape) - math.log(prior.per)


def _gamma_of(mean: float, mean_log: float) -> RatePrior:
    """The gamma distribution of that mean and mean logarithm: log k - digamma(k) = log mean - mean log."""
    gap = max(math.log(mean) - mean_log, 1e-4)
    low, high = math.log(1e-2), math.log(1e4)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        shape = math.exp(middle)
        if math.log(shape) - _digamma(shape) > gap:
            low = middle
        else:
            high = middle
    shape = math.exp((low + high) / 2)
    return RatePrior(shape, shape / mean)


def _digamma(x: float) -> float:
    """The derivative of log gamma: by recurrence up to 10, and from there by its asymptotic series."""
    total = 0.0
    while x < 10.0:
        total -= 1.0 / x
        x += 1.0
    inverse = 1.0 / (x * x)
    return total + math.log(x) - 0.5 / x - inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252))

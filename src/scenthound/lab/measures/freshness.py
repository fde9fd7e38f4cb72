"""How well a collection was kept up to date: from the true changes of each page and the looks at it.

| measure | of a page |
|---|---|
| freshness | share of the time in which the copy was the page as it was |
| age | days since the first change that the copy lacks, over the time; 0 while it is fresh |
| harmonic penalty | 1 + 1/2 + ... + 1/n while n changes are missing, over the time (Kolobov et al. 2019) |
| delay | days from a change to the first look after it; up to the end, where none came |
| wasted | share of looks that found nothing new |

They are no measures of a crawl, which `registry.py` has: a crawl has pages in an order, this has pages in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.lab.statistics import Estimate, mean_with_interval

DAY = 86_400.0
RESAMPLES = 2_000


class KeptPage(Protocol):
    """One page over the time it was kept; unix times. It ends where it is taken away, or with the observation."""

    @property
    def url(self) -> str: ...
    @property
    def born(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def until(self) -> float: ...
    @property
    def changes(self) -> Sequence[float]: ...
    @property
    def looks(self) -> Sequence[float]: ...
    @property
    def useful(self) -> int: ...


class Staleness(Struct, frozen=True):
    """What the measures need to know of one page, in days."""

    kept: float
    stale: float
    aged: float  # integral of the age
    penalty: float  # integral of the harmonic penalty
    delays: tuple[float, ...]

    @property
    def freshness(self) -> float:
        return 1.0 - self.stale / self.kept if self.kept > 0 else float("nan")

    @property
    def age(self) -> float:
        return self.aged / self.kept if self.kept > 0 else float("nan")

    @property
    def harmonic(self) -> float:
        return self.penalty / self.kept if self.kept > 0 else float("nan")


def staleness(page: KeptPage, begin: float | None = None, end: float | None = None) -> Staleness:
    """Of one page, within a stretch of time if one is given; delays are those of changes within it."""
    start = max(page.born, begin if begin is not None else page.born)
    stop = min(page.end, end if end is not None else page.end)
    looks = np.asarray(page.looks, dtype=np.float64)
    stale = aged = penalty = 0.0
    delays: list[float] = []
    missing, since, due = 0, 0.0, -1.0
    for change in page.changes:
        place = int(np.searchsorted(looks, change, "left"))
        seen = float(looks[place]) if place < len(looks) else np.inf
        if seen != due:
            missing, since, due = 0, change, seen
        missing += 1
        here, there = max(change, start), min(seen, stop)
        if there > here:
            penalty += (there - here) / missing
            if missing == 1:
                stale += there - here
                aged += ((there - since) ** 2 - (here - since) ** 2) / 2
        if start <= change and (end is None or change < end):
            delays.append(max(min(seen, page.until) - change, 0.0) / DAY)
    kept = max(stop - start, 0.0)
    return Staleness(kept / DAY, stale / DAY, aged / DAY**2, penalty / DAY, tuple(delays))


class FreshnessAccount(Struct, frozen=True):
    """All measures of a collection, means over pages with 95 % intervals by drawing pages, or groups of them, anew."""

    freshness: Estimate
    age: Estimate
    harmonic: Estimate
    delay: Estimate  # mean over changes
    wasted: Estimate  # of all looks
    requests: int


def account(
    pages: Sequence[KeptPage],
    weights: Sequence[float] | None = None,
    seed: int = 0,
    groups: Sequence[Sequence[str]] | None = None,
) -> FreshnessAccount:
    """`weights` say how much each page counts, in all measures but the share of looks that were wasted.

    `groups`: URLs of pages that change together. Means stay those of pages, but intervals come from drawing groups:
    pages that one commit changed are one observation, and not many.
    """
    found = [staleness(page) for page in pages]
    weight = np.ones(len(pages)) if weights is None else np.asarray(weights, dtype=np.float64)
    looks = np.array([len(page.looks) for page in pages], dtype=np.float64)
    idle = np.array([len(page.looks) - page.useful for page in pages], dtype=np.float64)
    kept = np.array([each.kept > 0 for each in found])
    group_of = {url: number for number, group in enumerate(groups or ()) for url in group}
    drawn = np.array([group_of.get(page.url, len(group_of) + place) for place, page in enumerate(pages)])

    def over_groups(above: NDArray[np.float64], below: NDArray[np.float64]) -> Estimate:
        groups_drawn = np.unique(drawn)
        return ratio(np.bincount(drawn, above)[groups_drawn], np.bincount(drawn, below)[groups_drawn], seed)

    def over_pages(values: list[float]) -> Estimate:
        if weights is None and groups is None:
            return mean_with_interval(values)
        return over_groups(np.where(kept, np.nan_to_num(values) * weight, 0.0), np.where(kept, weight, 0.0))

    return FreshnessAccount(
        freshness=over_pages([each.freshness for each in found]),
        age=over_pages([each.age for each in found]),
        harmonic=over_pages([each.harmonic for each in found]),
        delay=over_groups(
            weight * np.array([sum(each.delays) for each in found]),
            weight * np.array([len(each.delays) for each in found], dtype=np.float64),
        ),
        wasted=over_groups(idle, looks),
        requests=int(looks.sum()),
    )


def ratio(above: NDArray[np.float64], below: NDArray[np.float64], seed: int = 0) -> Estimate:
    """Sum over sum, with its percentile bootstrap interval: pages are drawn with all they have."""
    n = len(above)
    if not n or below.sum() <= 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0, n)
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=RESAMPLES)
    sums = drawn @ below
    some = sums > 0
    low, high = np.quantile((drawn @ above)[some] / sums[some], [0.025, 0.975])
    return Estimate(float(above.sum() / below.sum()), float(low), float(high), n, n)


def by_stretch(pages: Sequence[KeptPage], begin: float, end: float, parts: int) -> list[float]:
    """Mean freshness in each of so many equal parts of the time: does a policy win in all years, or in one?"""
    means = []
    for start, stop in pairwise(np.linspace(begin, end, parts + 1).tolist()):
        values = [each.freshness for page in pages if (each := staleness(page, start, stop)).kept > 0]
        means.append(float(np.mean(values)) if values else float("nan"))
    return means

"""What a crawl for sites took: pages per relevant site, and how much of what it saw was relevant (Ester 3.3, 4.2).

    pprs(s) = pages fetched in the last w / relevant sites found in them
    website harvest rate = relevant sites found / sites looked at

A `Log` is a crawl as the measures see it: page by page, which site it was of, and whether that site was then held to
be relevant. A site is *found* at the page from which on it was held so until the end: what is taken back later is
no find. Where the truth is known, a site that is not relevant is none either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from itertools import accumulate
from math import inf

from msgspec import Struct


class SiteLook(Struct, frozen=True):
    """One page of a crawl."""

    site: str
    relevant: bool  # is the site held to be, after this page?


Log = Sequence[SiteLook]


def found_at(log: Log, truth: Collection[str] | None = None) -> dict[str, int]:
    """Relevant site -> how many pages had been fetched when it was found, that page included."""
    since: dict[str, int] = {}
    for number, look in enumerate(log, 1):
        if not look.relevant:
            since.pop(look.site, None)
        elif look.site not in since and (truth is None or look.site in truth):
            since[look.site] = number
    return since


def found_curve(log: Log, truth: Collection[str] | None = None) -> list[int]:
    """How many relevant sites had been found after each page; the first entry is for no page."""
    steps = [0] * (len(log) + 1)
    for number in found_at(log, truth).values():
        steps[number] += 1
    return list(accumulate(steps))


def pprs(log: Log, truth: Collection[str] | None = None) -> float:
    """Pages per relevant site over the whole crawl; infinite where none was found."""
    found = len(found_at(log, truth))
    return len(log) / found if found else inf


def pprs_curve(log: Log, window: int, truth: Collection[str] | None = None) -> list[float]:
    """The pprs-rate over the last `window` pages after each page (over all of them at the beginning).

    Half a find is counted for a window without one, so that the rate is large there and not infinite.
    """
    found = found_curve(log, truth)
    rates = []
    for end in range(1, len(found)):
        start = max(0, end - window)
        rates.append((end - start) / max(0.5, found[end] - found[start]))
    return rates


class SiteFinds:
    """The pprs-rate while a crawl goes on: which sites are held relevant now, and how many were, page by page."""

    def __init__(self, window: int) -> None:
        self.relevant: set[str] = set()
        self._before: deque[int] = deque([0], maxlen=window + 1)

    def add(self, site: str, relevant: bool) -> None:
        """After each page: whose it was, and what its site is held to be."""
        (self.relevant.add if relevant else self.relevant.discard)(site)
        self._before.append(len(self.relevant))

    def rate(self) -> float:
        """Pages per relevant site over the last window, where half a find counts for none; 0 until it is full."""
        if len(self._before) < (self._before.maxlen or 0):
            return 0.0
        return (len(self._before) - 1) / max(0.5, self._before[-1] - self._before[0])


def harvest(log: Log, truth: Collection[str] | None = None) -> float:
    """Website harvest rate: of the sites looked at, the share that was found relevant."""
    sites = {look.site for look in log}
    return len(found_at(log, truth)) / len(sites) if sites else 0.0


def pages_per_site(log: Log) -> float:
    sites = {look.site for look in log}
    return len(log) / len(sites) if sites else 0.0


class SiteAccuracy(Struct, frozen=True):
    """The list against the truth. Recall is of the relevant sites that were looked at, and of all there are."""

    precision: float
    recall: float
    reach: float

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def accuracy(log: Log, truth: Collection[str]) -> SiteAccuracy:
    right = set(truth)
    said, seen = set(found_at(log)), {look.site for look in log}
    hits, looked_at = len(said & right), len(seen & right)
    return SiteAccuracy(
        precision=hits / len(said) if said else 1.0,
        recall=hits / looked_at if looked_at else 1.0,
        reach=hits / len(right) if right else 1.0,
    )

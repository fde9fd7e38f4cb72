"""Lets a policy keep a collection fresh over the years, on a budget, and writes down when it looked at what.

A page is known from its first version on. Once a day the policy is asked for as many pages as the budget has by then,
requests per page and month of the pages that are there; what it is told of a page is what its own looks showed. So two
policies have the same requests on the same days, and differ in what they do with them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scenthound.lab.freshness.page_histories import PageLife
from scenthound.revisit.schedule.page_history import DAY, PageHistory, Sighting
from scenthound.revisit.schedule.policies import Policy

MONTH = 365.25 / 12  # days


class LookRecord(NamedTuple):
    """What is left of a page when all is over: its true changes, and the looks at it."""

    url: str
    born: float
    end: float  # of the page, or of the replay
    until: float  # the end of the replay
    changes: list[float]  # being taken away is the last
    looks: list[float]
    useful: int  # looks that found something new


class RevisitReplay:
    """One policy over all lives. `all_bytes`: every version counts as new, noise included."""

    def __init__(self, lives: Sequence[PageLife], policy: Policy, per_month: float, *, all_bytes: bool = True) -> None:
        self.lives = {life.url: life for life in lives}
        self.policy, self.per_month, self.all_bytes = policy, per_month, all_bytes
        self.begin = min(life.born for life in lives)
        self.end = max(life.versions[-1].at for life in lives)
        self._times = {life.url: [version.at for version in life.versions] for life in lives}
        self._newest = {life.url: self._last_new(life) for life in lives}
        self._held: dict[str, int] = {}
        self._backward = dict.fromkeys(self.lives, 0)
        self._useful = dict.fromkeys(self.lives, 0)
        self.pages: dict[str, PageHistory] = {}

    def _last_new(self, life: PageLife) -> list[int]:
        """Of each version, the last one up to it that said something new: copies of equal number are as good."""
        newest, found = 0, []
        for number, version in enumerate(life.versions):
            if self.all_bytes or version.new or version.gone:
                newest = number
            found.append(newest)
        return found

    def run(self, told: Callable[[float], None] = lambda share: None) -> list[LookRecord]:
        """Day by day; `told` hears how far it is, 0..1."""
        saved = 0.0
        coming = sorted(self.lives.values(), key=lambda life: (life.born, life.url))
        removals = sorted(life.removed for life in coming if life.removed is not None)
        now, days = self.begin, 0
        while now < self.end:
            now += DAY
            while len(self.pages) < len(coming) and coming[len(self.pages)].born <= now:
                life = coming[len(self.pages)]
                self.pages[life.url] = PageHistory(life.url, life.born)
                self._hold(life, 0)
            there = len(self.pages) - bisect_right(removals, now)
            saved += there * self.per_month / MONTH
            saved = min(saved, float(there))  # what a policy does not want today it may have tomorrow
            if saved >= 1.0:
                urls = self.policy.due(list(self.pages.values()), now, int(saved))
                self._look(urls, now)
                saved -= len(urls)
            days += 1
            if days % 30 == 0:
                told(min(1.0, (now - self.begin) / (self.end - self.begin)))
        return [self._record(life) for life in self.lives.values()]

    def _look(self, urls: Sequence[str], now: float) -> None:
        for url in urls:
            life, page = self.lives[url], self.pages[url]
            number = bisect_right(self._times[url], now) - 1
            changed = self._newest[url][number] != self._newest[url][self._held[url]]
            page.sightings.append(Sighting(now, changed))
            self._useful[url] += changed
            if number != self._held[url]:
                self._hold(life, number)

    def _hold(self, life: PageLife, number: int) -> None:
        """A version is what we have now: its links are counted, those of the one before no longer."""
        version, page = life.versions[number], self.pages[life.url]
        if life.url in self._held:
            for url in life.versions[self._held[life.url]].targets:
                self._count(url, -1)
        for url in version.targets:
            self._count(url, 1)
        self._held[life.url] = number
        page.gone, page.forward, page.relevance = version.gone, version.forward, version.relevance
        page.backward = self._backward[life.url]

    def _count(self, url: str, step: int) -> None:
        if url not in self.lives:  # of the site, and not of the part that is replayed
            return
        self._backward[url] += step
        if url in self.pages:
            self.pages[url].backward = self._backward[url]

    def _record(self, life: PageLife) -> LookRecord:
        newest = self._newest[life.url]
        changes = [v.at for number, v in enumerate(life.versions) if number and newest[number] == number]
        looks = [look.at for look in self.pages[life.url].sightings] if life.url in self.pages else []
        return LookRecord(
            life.url, life.born, life.removed or self.end, self.end, changes, looks, self._useful[life.url]
        )

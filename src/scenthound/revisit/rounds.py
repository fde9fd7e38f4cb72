"""A round of looks, and rounds without end.

1. The pages that are due are chosen from what is stored about them, and nothing else (`schedule.due_pages`).
2. They go into the frontier of an ordinary crawl, above all links that wait (`revisit_digest`).
3. When they are through, a share of the requests goes to links that wait: new pages are part of keeping up.
4. Every look is stored as it is made. Whatever ends a round, the next one starts from what is known by then.

Between rounds the folder is free: one may crawl, or teach, or read meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler.budget import Budget, Ending
from scenthound.crawler.engine import Crawl
from scenthound.errors import LibraryBusy
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.library import open_library
from scenthound.model import Step
from scenthound.protocols.crawl import Clock, Fetcher, Progress
from scenthound.protocols.library import Library
from scenthound.protocols.records import WatchedPage
from scenthound.revisit.recrawl import recrawling
from scenthound.revisit.revisit_digest import LOOK_AGAIN, RevisitDigest
from scenthound.revisit.schedule.due_pages import choose, count_links, counts_links

MOST_DUE = 20_000
"""Pages in the frontier at a time: they are in memory only."""

BUSY = 60.0
"""Seconds until a round is tried again while a crawl has the folder."""

WEEK = 7 * 86_400.0


class RevisitOptions(Struct, frozen=True):
    """What a round may cost, and how it chooses. 0 stands for no limit."""

    requests: int = 0
    seconds: float = 0.0
    policy: str = "learned"
    discover: float = 0.1  # share of requests, or of time, for links that wait
    images: bool = False  # look at the images of pages too
    every: float = 0.0  # seconds from one round to the next; 0: there is only this one
    now: bool = False  # also pages that were looked at a moment ago
    urls: tuple[str, ...] = ()  # these pages and no others, whenever they were looked at

    @property
    def for_new(self) -> int:
        return int(self.requests * self.discover)


class RevisitRound(Struct):
    """What came of a round. Not frozen: it is filled in as the round goes on."""

    due: int = 0
    requests: int = 0
    looks: Counter[str] = field(default_factory=Counter)
    found: int = 0  # new pages
    found_relevant: int = 0
    changed_relevant: int = 0
    not_modified: int = 0
    bytes: int = 0
    began: float = 0.0
    seconds: float = 0.0
    ending: Ending | None = None

    def __call__(self, step: Step) -> None:
        """Each step as it is recorded."""
        check, visit = step.check, step.visit
        if check is None:
            self.found += visit is not None
            self.found_relevant += visit is not None and visit.relevant and not step.duplicate_of
        elif check.outcome != "nothing":
            self.looks[check.outcome] += 1
            self.not_modified += check.status == 304
            self.changed_relevant += check.outcome == "changed" and visit is not None and visit.relevant


class Revisits:
    """Rounds over one library. `stop` ends the round that is under way at a clean point, and the wait for the next."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        options: RevisitOptions,
        *,
        make_fetcher: Callable[[], Fetcher] | None = None,
        clock: Clock = time.time,
        observers: Sequence[Callable[[Step], None]] = (),
        progress: Progress | None = None,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.config = for_looking(config)
        self.folder = folder
        self.options = options
        self.clock = clock
        self.observers = list(observers)
        self.due: list[WatchedPage] = []
        self._progress = progress
        self._make_fetcher = make_fetcher or (lambda: fetcher_for(config, clock=clock))
        self._sleep = sleep or self._wait
        self._crawl: Crawl | None = None
        self._woken = asyncio.Event()

    def stopped(self) -> bool:
        return self._woken.is_set()

    def stop(self, *, now: bool = False) -> None:
        self._woken.set()
        if self._crawl is not None:
            self._crawl.stop(now=now)

    async def round(self, requests: int | None = None) -> RevisitRound:
        """One round; `requests` in the place of what was wished for, where part of that is spent."""
        options = self.options if requests is None else replace(self.options, requests=requests)
        outcome = RevisitRound(began=self.clock())
        async with recrawling(
            self.config,
            self.folder,
            fetcher=self._make_fetcher(),
            images=options.images,
            clock=self.clock,
            observers=[outcome, *self.observers],
        ) as (crawl, looks):
            self._crawl = crawl
            try:
                if self.stopped():
                    crawl.stop()
                options = budgeted(options, looks.history)
                self.due = due_now(looks.history, options, self.clock(), self._progress)
                outcome.due = len(self.due)
                outcome.ending = await self._look(crawl, looks, options, outcome.began)
                if outcome.ending != "stopped" and options.discover > 0:
                    outcome.ending = await self._discover(crawl, options, outcome.began)
            finally:
                self._crawl = None
                outcome.requests, outcome.bytes = crawl.tally.requests, crawl.tally.bytes
                outcome.seconds = self.clock() - outcome.began
        return outcome

    async def _look(self, crawl: Crawl, looks: RevisitDigest, options: RevisitOptions, began: float) -> Ending:
        """At the pages that are due, and at nothing else."""
        requests, seconds = options.requests - options.for_new, options.seconds * (1 - options.discover)
        ending: Ending = "frontier empty"
        for start in range(0, len(self.due), MOST_DUE):
            looks.look_again(self.due[start : start + MOST_DUE])
            minutes = self._minutes_left(began + seconds) if options.seconds else 0.0
            ending = await crawl.run(Budget(requests=requests, minutes=minutes, least=LOOK_AGAIN))
            if ending != "frontier empty":
                break
        return ending

    async def _discover(self, crawl: Crawl, options: RevisitOptions, began: float) -> Ending:
        """Follows links that wait, with the share of the budget that is kept for them."""
        spent = crawl.tally.requests
        requests = min(options.requests, spent + options.for_new)
        if options.requests and requests <= spent:
            return "requests"
        minutes = self._minutes_left(began + options.seconds) if options.seconds else 0.0
        return await crawl.run(Budget(requests=requests, minutes=minutes))

    def _minutes_left(self, until: float) -> float:
        return max((until - self.clock()) / 60, 1e-6)

    # Without end

    async def keep_on(self, report: Callable[[RevisitRound, float], None], rounds: float = inf) -> None:
        """A round every `options.every` seconds. `report` hears of each, and when the next one is."""
        made = 0
        while made < rounds and not self.stopped():
            when, requests = self._next()
            while (left := when - self.clock()) > 0 and not self.stopped():
                await self._sleep(left)
            if self.stopped():
                return
            try:
                outcome = await self.round(requests)
            except LibraryBusy:
                if not made:
                    raise  # somebody should hear of it
                await self._sleep(BUSY)
                continue
            made += 1
            report(outcome, outcome.began + self.options.every)

    def _next(self) -> tuple[float, int]:
        with open_library(self.folder, write=False) as history:
            return next_round(history, budgeted(self.options, history), self.clock())

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), min(seconds, 60.0))


def for_looking(config: Config) -> Config:
    """The settings of a crawl, with the budgets of a round in the place of its own."""
    crawl = replace(config.crawl, pages=0, requests=0, minutes=0.0, parsers=0)
    if crawl.frontier_limit:
        crawl = replace(crawl, frontier_limit=crawl.frontier_limit + MOST_DUE)
    return replace(config, crawl=crawl)


def budgeted(options: RevisitOptions, history: Library) -> RevisitOptions:
    """A round of many that was given no limit: each page is looked at once a week, on average."""
    if options.requests or options.seconds or not options.every:
        return options
    weekly = history.counts().fetched * options.every / WEEK
    return replace(options, requests=max(10, round(weekly / (1 - min(options.discover, 0.9)))))


def due_now(
    history: Library, options: RevisitOptions, now: float, progress: Progress | None = None
) -> list[WatchedPage]:
    """The pages a round looks at, in order: no more than it may ask for. `progress` hears how many were read."""
    pages, whole = [], history.counts().fetched if progress is not None else 0
    wanted = set(options.urls)
    for page in history.watched():
        if wanted and page.url not in wanted:
            continue
        pages.append(page)
        if progress is not None:
            progress(len(pages), whole)
    if wanted:
        return pages
    links = count_links(history) if counts_links(options.policy) else None
    most = options.requests - options.for_new if options.requests else len(pages)
    return choose(pages, now, options.policy, most, links, rested=not options.now)


def next_round(history: Library, options: RevisitOptions, now: float) -> tuple[float, int]:
    """When the next round begins and how many requests it has, from the looks that were stored.

    A round that was killed goes on at once with the requests it had left.
    """
    lately = [look.at for look in history.looks(since=now - options.every)]
    if not lately:
        return now, options.requests
    runs = history.runs()
    left = options.requests - len(lately)
    if runs and runs[-1].ended_at is None and (left > 0 or not options.requests):
        return now, max(left, 0)
    return min(lately) + options.every, options.requests

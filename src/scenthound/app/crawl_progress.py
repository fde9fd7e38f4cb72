"""What a person wants to see of a running crawl, gathered from its events.

It is called between two pages, so it only counts; whoever shows it does the work, a few times a second at most.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter, deque
from typing import TYPE_CHECKING

from msgspec import Struct

from scenthound import urls
from scenthound.app.events import Event, Refused, RequestFailed, Visited
from scenthound.model import reason_kind
from scenthound.protocols.crawl import Clock

if TYPE_CHECKING:
    from scenthound.crawler.engine import Crawl

RECENT_PAGES = 100
RATE_SECONDS = 10.0
PACE_SECONDS = 120.0
"""What is left is guessed by the pages of this time: the rate of a few seconds would have the guess jump about."""


class ArrivedPage(Struct, frozen=True):
    """One line of what just happened."""

    url: str
    title: str = ""
    relevance: float = 0.0
    relevant: bool = False
    repeats: bool = False  # a page that was there already
    trouble: str = ""  # why there is no page


class Curve:
    """How many of the pages were relevant, page group by page group, in bounded memory.

    When there are too many groups, neighbours are joined and every later group is twice as large.
    """

    def __init__(self, most: int = 128) -> None:
        self._most = most
        self._size = 1
        self._hits = 0
        self._pages = 0
        self.values: list[float] = []

    def add(self, relevant: bool) -> None:
        self._hits += relevant
        self._pages += 1
        if self._pages < self._size:
            return
        self.values.append(self._hits / self._pages)
        self._hits = self._pages = 0
        if len(self.values) == self._most:
            pairs = zip(self.values[::2], self.values[1::2], strict=True)
            self.values = [(first + second) / 2 for first, second in pairs]
            self._size *= 2


class CrawlProgress:
    """A listener to a crawl. `attach` tells it which one; before that it shows zeros."""

    def __init__(self, best: int = 12, last: int = 20, clock: Clock = time.monotonic) -> None:
        self.crawl: Crawl | None = None
        self.clock = clock
        self.started = clock()
        self.curve = Curve()
        self.last: deque[ArrivedPage] = deque(maxlen=last)
        self.hosts: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()  # failures by kind
        self.refused = 0
        self.arrived = 0  # answers told of in `last`, those before included
        self.pages = 0  # of this run; the crawl's tally counts the library's
        self._recent: deque[bool] = deque(maxlen=RECENT_PAGES)
        self._best: list[tuple[float, int, ArrivedPage]] = []
        self._best_size = best
        self.newest: deque[ArrivedPage] = deque(maxlen=best)  # relevant pages, the last one last
        self._pace: deque[tuple[float, int]] = deque([(self.started, 0)])

    def attach(self, crawl: Crawl) -> None:
        if self.crawl is None:  # one that goes on with another topic language began when it first did
            self.started = self.clock()
            self._pace = deque([(self.started, 0)])
        self.crawl = crawl

    def __call__(self, event: Event) -> None:
        if isinstance(event, Visited):
            self._visited(event)
        elif isinstance(event, RequestFailed):
            self.troubles[reason_kind(event.reason)] += 1
            self.arrived += 1
            self.last.append(ArrivedPage(url=event.url, trouble=event.reason))
        elif isinstance(event, Refused):
            self.refused += 1

    def _visited(self, event: Visited) -> None:
        relevant = event.relevant and not event.duplicate_of
        seen = ArrivedPage(
            url=event.url,
            title=event.title,
            relevance=event.relevance,
            relevant=relevant,
            repeats=bool(event.duplicate_of),
        )
        self.pages += 1
        self.arrived += 1
        self.hosts[urls.host(event.url)] += 1
        self.curve.add(relevant)
        self._recent.append(relevant)
        self.last.append(seen)
        if relevant:
            self.newest.append(seen)
            # The page number breaks ties, so that of equals the first one found stays.
            entry = (event.relevance, -self.pages, seen)
            if len(self._best) < self._best_size:
                heapq.heappush(self._best, entry)
            elif entry > self._best[0]:
                heapq.heapreplace(self._best, entry)

    @property
    def best(self) -> list[ArrivedPage]:
        return [seen for _, _, seen in sorted(self._best, key=lambda entry: entry[:2], reverse=True)]

    @property
    def recent(self) -> float:
        """Harvest ratio of the last hundred pages."""
        return sum(self._recent) / len(self._recent) if self._recent else 0.0

    @property
    def elapsed(self) -> float:
        return self.clock() - self.started

    def rate(self) -> float:
        """Pages per second over the last ten seconds; to be asked a few times a second."""
        now = self.clock()
        if self.crawl is not None and self.crawl.paused:
            self._pace.clear()  # a rest says nothing of how fast it goes on
        self._pace.append((now, self.pages))
        while len(self._pace) > 2 and now - self._pace[1][0] > PACE_SECONDS:
            self._pace.popleft()
        young = (sample for sample in reversed(self._pace) if now - sample[0] >= RATE_SECONDS)
        return self._pages_a_second(next(young, self._pace[0]))

    def _pages_a_second(self, since: tuple[float, int]) -> float:
        then, before = since
        return (self.pages - before) / (now - then) if (now := self.clock()) > then else 0.0

    def seconds_left(self) -> float | None:
        """Until the first budget is used up, as far as one can tell; None in a pause, and where there is no budget."""
        if self.crawl is None or self.crawl.paused:
            return None
        budget, tally, pace = self.crawl.config.crawl, self.crawl.tally, self._pages_a_second(self._pace[0])
        guesses = [self.crawl.time_left] if budget.minutes else []
        if budget.pages and pace:
            guesses.append((budget.pages - tally.pages) / pace)
        return max(0.0, min(guesses)) if guesses else None

"""What one run of a crawl may spend, and what the crawl has spent so far."""

from __future__ import annotations

from math import inf
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound.config import CrawlSection
from scenthound.crawler.script_figures import ScriptFigures

Ending = Literal[
    "pages",
    "requests",
    "minutes",
    "coverage reached",
    "harvest fell",
    "nothing relevant",
    "frontier empty",
    "stopped",
    "language",
    "sites",
    "pprs-rate",
    "imported",
]
"""Why a run ended. `coverage reached`, `harvest fell`, `nothing relevant`: as `until` wanted it. `stopped`: by
somebody. `language`: to go on at once, with a topic in the language of its pages. `sites`: as many relevant ones as
were wanted are found. `pprs-rate`: the next ones would take too many pages. `imported`: what others had collected
is taken in."""

LIMITS = ("pages", "requests", "minutes")


def stop_reason(ending: str) -> str:
    """The kind of reason: all limits are one."""
    return "limit" if ending in LIMITS else ending


class Tally(Struct):
    """What a crawl has done so far, for budgets and for whoever watches."""

    pages: int = 0
    relevant: int = 0
    requests: int = 0  # for pages; robots.txt files are not counted
    bytes: int = 0
    failed: int = 0
    duplicates: int = 0
    looks: int = 0  # at pages that were stored before
    scripts: ScriptFigures = field(default_factory=ScriptFigures)  # of this run


class Budget(Struct, frozen=True):
    """What a run may cost. 0 stands for no limit; pages and requests of earlier runs count."""

    pages: int = 0
    requests: int = 0
    minutes: float = 0.0
    least: float = -inf  # links of a lower priority wait on, however free their hosts are
    thrifty: bool = False  # pages are worth more than time: see `page_thrift`

    @classmethod
    def of(cls, settings: CrawlSection) -> Budget:
        return cls(
            pages=settings.pages, requests=settings.requests, minutes=settings.minutes, thrifty=not settings.minutes
        )

    def changed(self, to: Budget) -> Budget:
        """Another budget for the same run. Who spends a part of what others share has no say in what is left of it."""
        return replace(to, least=self.least, thrifty=self.thrifty and to.thrifty)

    def deadline(self, now: float) -> float:
        return now + 60 * self.minutes if self.minutes else inf

    def used_up(self, tally: Tally) -> Ending | None:
        """What there is no more of."""
        if self.pages and tally.pages >= self.pages:
            return "pages"
        if self.requests and tally.requests >= self.requests:
            return "requests"
        return None

    def thrifty_left(self, tally: Tally) -> float:
        """How many pages are left to be spent with care; infinite where time is what is short."""
        if not self.thrifty:
            return inf
        pages = self.pages - tally.pages if self.pages else inf
        return min(pages, self.requests - tally.requests if self.requests else inf)

    def room(self, tally: Tally, busy: int, wanted: int) -> int:
        """How many of the requests `wanted` may be made, while `busy` others are under way."""
        if self.pages:
            wanted = min(wanted, self.pages - tally.pages - busy)
        if self.requests:
            wanted = min(wanted, self.requests - tally.requests - busy)
        return wanted

"""One host: its queue, how fast it may be asked, and what its robots.txt says.

How long a host rests after an answer, in seconds:

    rest = max(delay, crawl_delay, 2 * pace) * caution

| symbol | meaning |
|---|---|
| `delay` | the operator's setting |
| `crawl_delay` | what robots.txt asks for, `max_crawl_delay` at most |
| `pace` | smoothed time the host takes to answer: a new answer counts a quarter |
| `usual` | the same over a longer time: a new answer counts a sixty-fourth |
| `caution` | from 1 to 64: doubled by trouble, half more with a slow answer, a tenth less with any other |

Trouble is a 429, a 503, no answer and whatever else may pass if asked again. Answers are slow while `pace` is 1.5 times
`usual`; that alone brings `caution` to 4 at most.
Three answers in a row that take twice their usual time make a `pace` of 1.58 times that: so soon the load falls. What
`pace` and `caution` add ends at `max_crawl_delay`, and counts only where the operator set a delay at all: with none, as
in replay, there is no server to spare.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from scenthound.config import PolitenessSection
from scenthound.model import Waiting
from scenthound.protocols.crawl import RobotsRules

Key = tuple[float, int, int]
"""(-priority, order, id) of a link: the smaller goes first."""

NOTHING: Key = (inf, 0, 0)
ROBOTS_REQUEST: Key = (-inf, 0, 0)

SLOWNESS = 2.0
SMOOTHING, LONG_SMOOTHING = 0.25, 1 / 64
SLOWED = 1.5  # times the usual pace
MOST_CAUTION, MOST_OF_SLOWNESS, RECOVERY = 64.0, 4.0, 0.9


class HostManners(NamedTuple):
    """How a host is treated just now."""

    waiting: int = 0  # links
    state: str = "ready"  # asked: a request is under way; rests: between two; held: its robots.txt cannot be read
    seconds: float = 0.0  # until it may be asked again


class HostState:
    """What the frontier knows about one host; there may be a hundred thousand of them."""

    __slots__ = (
        "advertised",
        "asking",
        "caution",
        "crawl_delay",
        "ended",
        "floor",
        "held",
        "live",
        "name",
        "near",
        "number",
        "out",
        "pace",
        "pages",
        "proved",
        "queue",
        "raised",
        "rest",
        "robots_requests",
        "rules",
        "stored",
        "until",
        "usual",
        "wakes",
    )

    def __init__(self, name: str, number: int, delay: float, ended: float = -inf) -> None:
        self.name = name
        self.number = number
        self.near = False  # a start page is on it, or links to it
        # Links: `queue` is a heap over those in memory, stale items included. A link that is only in the store
        # has a key of at least `floor`, unless it rose there: then `raised`, a heap, has a key it is not before.
        self.queue: list[Key] = []
        self.live = 0
        self.floor = NOTHING
        self.raised: list[Key] | None = None
        self.stored = 0
        # Requests: under way, pages ended, when the last one ended, how long to rest then, and rest asked for by name.
        self.out = 0
        self.pages = 0
        self.ended = ended
        self.rest = delay
        self.until = -inf
        self.pace = 0.0
        self.usual = 0.0
        self.caution = 1.0
        # robots.txt: `asking` from the start of its request until its rules came; `proved` once they let a link go out.
        self.rules: RobotsRules | None = None
        self.crawl_delay = 0.0
        self.asking = False
        self.proved = False
        self.robots_requests: list[Waiting] | None = None
        self.held: float | None = None  # until when its links wait, because its robots.txt cannot be read
        # Where `HostSchedule` has it: under which key it stands in line, or when its rest ends.
        self.advertised: Key | None = None
        self.wakes: float | None = None

    @property
    def store_key(self) -> Key:
        """No link that is in the store only comes before this."""
        return min(self.raised[0], self.floor) if self.raised else self.floor

    @property
    def free_at(self) -> float:
        return max(self.ended + self.rest, self.until)

    def manners(self, now: float) -> HostManners:
        if self.held is not None:
            state, until = "held", self.held
        else:
            state, until = (
                ("asked", now) if self.out else ("rests", self.free_at) if self.free_at > now else ("ready", now)
            )
        return HostManners(self.live + self.stored, state, max(0.0, until - now))

    def answered(self, took: float, struggling: bool, politeness: PolitenessSection) -> None:
        """Learn from a request that ended: `took` seconds (0 = not known), `struggling` = to be tried again."""
        if 0 < took < inf:
            self.pace += (took - self.pace) * (SMOOTHING if self.pace else 1.0)
            self.usual += (took - self.usual) * (LONG_SMOOTHING if self.usual else 1.0)
        if struggling:
            self.caution = min(2 * self.caution, MOST_CAUTION)
        elif self.pace >= SLOWED * self.usual > 0:
            self.caution = max(self.caution, min(SLOWED * self.caution, MOST_OF_SLOWNESS))
        else:
            self.caution = max(RECOVERY * self.caution, 1.0)
        self.set_rest(politeness)

    def obey(self, rules: RobotsRules, politeness: PolitenessSection) -> None:
        self.rules, self.asking, self.proved, self.held = rules, False, False, None
        self.ask_for_delay(rules.delay or 0.0, politeness)

    def ask_for_delay(self, seconds: float, politeness: PolitenessSection) -> None:
        """Rest at least so long between requests, as robots.txt wishes; up to what we grant."""
        self.crawl_delay = min(seconds, politeness.max_crawl_delay) if seconds > 0 else 0.0
        self.set_rest(politeness)

    def set_rest(self, politeness: PolitenessSection) -> None:
        least = max(politeness.delay, self.crawl_delay)
        adapted = max(least, SLOWNESS * self.pace) * self.caution if politeness.delay > 0 else 0.0
        self.rest = max(least, min(adapted, politeness.max_crawl_delay))

    def refusal(self, url: str) -> str | None:
        """Why the URL may not be asked for, by what robots.txt says; rules that fail to answer deny it."""
        try:
            if self.rules is not None and self.rules.allows(url):
                return None
        except Exception:
            return "robots"
        return getattr(self.rules, "unreachable", "") or "robots"

    def outdated(self, now: float) -> bool:
        """Whether robots.txt must be asked for. Rules let one link go before they expire, lest we ask for ever."""
        return self.rules is None or (self.proved and not now < self.rules.expires)

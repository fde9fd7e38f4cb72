"""The hosts that were met: who may be asked now, who rests, and whose robots.txt is to be read first.

`now` is the latest time anybody spoke of. A host stands in line (`HostSchedule`) while it has a link or robots request
to give, is asked by fewer than the connections allowed, and has rested; `settle` puts it where it belongs after any
change.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf, isfinite

from scenthound import urls
from scenthound.config import PolitenessSection
from scenthound.frontier.host_schedule import HostSchedule
from scenthound.frontier.host_state import NOTHING, ROBOTS_REQUEST, HostState, Key
from scenthound.frontier.memory_queue import MemoryQueue
from scenthound.model import Link, Waiting
from scenthound.protocols.crawl import RobotsRules

FEW_RULES = 200
"""So many rules of a robots.txt, as nearly all have, are not worth counting."""

MOST_RULES = 200_000
"""Rules of other files that are held at a time: some 130 MB at worst."""


class HostTable:
    """Hosts by name, in line or at rest. `host_pages`: so many pages of each, 0 for no limit."""

    def __init__(self, politeness: PolitenessSection, memory_queue: MemoryQueue, host_pages: int) -> None:
        self.by_name: dict[str, HostState] = {}
        self.now = -inf
        self.began = -inf  # when hosts of which nothing else is known were last asked
        self.busy = 0  # hosts with a request under way
        self.leased = 0
        self._politeness = politeness
        self._memory_queue = memory_queue
        self._host_pages = host_pages
        self._schedule = HostSchedule()
        self._later: list[tuple[float, int, Waiting]] = []  # robots requests to be tried again
        self._tried = 0
        self._held: list[tuple[float, int, HostState]] = []
        self._heavy: dict[str, int] = {}  # hosts with many rules -> how many; those whose rules came first are first

    def __len__(self) -> int:
        return len(self.by_name)

    def get(self, name: str) -> HostState:
        host = self.by_name.get(name)
        if host is None:
            delay = max(self._politeness.delay, 0.0)
            host = self.by_name[name] = HostState(name, len(self.by_name), delay, self.began)
        return host

    # In line

    def settle(self, host: HostState) -> None:
        """Put the host in line, to rest, or, while it has nothing to give or is busy, nowhere."""
        key = NOTHING
        if host.out < max(self._politeness.connections, 1):
            left = self._host_pages - host.pages
            if host.robots_requests:
                key = ROBOTS_REQUEST
            elif not host.asking and (not self._host_pages or left <= 0 or host.out < left):
                key = self._memory_queue.first(host)
        self._schedule.settle(host, key, self.now)

    def improve(self, host: HostState, link: Waiting) -> None:
        """Settle a host that has a better link than before; most do not."""
        if host.wakes is None and (host.advertised is None or -link.priority <= host.advertised[0]):
            self.settle(host)

    def bring_near(self, host: HostState) -> None:
        """A start page is on this host, or links to it."""
        if not host.near:
            host.near, host.advertised = True, None
            self.settle(host)

    def next(self, least: float, far: float = -inf) -> tuple[HostState, Key] | None:
        """The first in line, and the key it stood there with. It leaves the line: the caller settles it again."""
        return self._schedule.next(least, far)

    def next_time(self, now: float, least: float, far: float = -inf) -> float | None:
        """When somebody is in line: now, later, or, as far as time alone can bring that about, never.

        Nobody waits only for a host that is held.
        """
        self.advance(now)
        if self._schedule.any(least, far):
            return now
        times = (
            self._schedule.first_rested(),
            self._memory_queue.first_alarm(),
            self._later[0][0] if self._later else None,
        )
        return min((time for time in times if time is not None), default=None)

    def advance(self, now: float) -> None:
        """Let time pass: wake links and robots requests, and end the rests that are over."""
        self.now = now = max(self.now, now)
        for link in self._memory_queue.awake(now):
            host = self.by_name[link.host]
            self._memory_queue.wake(host, link)
            self.settle(host)
        while self._later and self._later[0][0] <= now:
            self.ask_robots(heappop(self._later)[2])
        while self._held and self._held[0][0] <= now:
            self._let_go(*heappop(self._held))
        for host in self._schedule.rested(now):
            self.settle(host)

    # Requests

    def begin(self, host: HostState) -> None:
        """A request to the host begins."""
        self.busy += not host.out
        self.leased += 1
        host.out += 1

    def end(self, host: HostState) -> None:
        """One of its requests is over: its rest begins."""
        host.out -= 1
        host.ended = self.now
        self.busy -= not host.out
        self.leased -= 1

    def rest(self, name: str, until: float) -> None:
        if isfinite(until):
            host = self.get(name)
            host.until = max(host.until, until)
            self.settle(host)

    # Robots

    def ask_robots(self, lease: Waiting) -> None:
        """Have the robots request made before all other requests to its host."""
        host = self.get(lease.host)
        host.robots_requests = [*(host.robots_requests or ()), lease]
        self.settle(host)

    def ask_robots_later(self, lease: Waiting) -> None:
        heappush(self._later, (lease.not_before, self._tried, lease))
        self._tried += 1

    def hold(self, name: str, until: float) -> None:
        """Let the host's links wait: its robots.txt cannot be read, and is asked for again after `until`."""
        host = self.get(name)
        host.asking, host.held = True, until
        heappush(self._held, (until, host.number, host))
        self.settle(host)

    def _let_go(self, until: float, number: int, host: HostState) -> None:
        if host.held == until:
            host.held, host.asking, host.rules = None, False, None
            self.settle(host)

    def held(self) -> dict[str, int]:
        """The hosts that are held, each with how many links wait for it."""
        return {name: host.live + host.stored for name, host in self.by_name.items() if host.held is not None}

    def rules(self, name: str, rules: RobotsRules) -> None:
        if self._politeness.robots:
            host = self.get(name)
            host.obey(rules, self._politeness)
            self._bound_rules(name, getattr(rules, "weight", 0))
            self.settle(host)

    def _bound_rules(self, name: str, weight: int) -> None:
        """Forgets the rules that came first, where there are too many. They are asked for again when there is need."""
        self._heavy.pop(name, None)
        if weight <= FEW_RULES:
            return
        self._heavy[name] = weight
        while sum(self._heavy.values()) > MOST_RULES and len(self._heavy) > 1:
            first = next(iter(self._heavy))
            del self._heavy[first]
            self.by_name[first].rules = None


def robots_lease(link: Link, owner: str, hops: int = 0) -> Waiting:
    """The request for a robots.txt, made for the host `owner`."""
    return Waiting(
        id=urls.fingerprint(link.url),
        link=link,
        host=urls.host(link.url),
        priority=inf,
        order=-1,
        memory=owner.encode(),
        hops=hops,
    )

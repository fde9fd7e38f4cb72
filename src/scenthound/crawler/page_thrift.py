"""A budget of pages is not spent on a host because the host is free.

Hosts are asked side by side, each for the best link it has. Where a crawl may fetch any number of pages in its time,
that costs nothing. Where pages are counted, a poor link of an idle host takes the place of a better one that is found
later. So a host far from the start is asked only while

    priority of its best link >= priority of the n-th best link that can be asked soon,    n = SHARE * pages left

Start pages and the hosts they link to were chosen by somebody, and are asked whenever they are free. Links of hosts
that rest for long do not count among the best: nobody waits for them.
"""

from __future__ import annotations

from math import inf

from scenthound.crawler.budget import Budget, Tally
from scenthound.model import Waiting
from scenthound.protocols.crawl import Frontier

SHARE = 0.1
"""Of the pages left: most of them will be links that nobody has found yet."""

SOON = 5.0
"""Seconds that a host may rest and still be waited for."""


class PageThrift:
    """Takes from a frontier what a budget can afford. `on`: else all that is free."""

    def __init__(self, frontier: Frontier, on: bool = True) -> None:
        self.frontier = frontier
        self._on = on
        self._far = -inf  # the least that a link far from the start must promise
        self._looked_at = -1  # requests that were made when that was found out
        self._rank = 0  # which link it was

    def take(self, room: int, now: float, budget: Budget, tally: Tally, idle: bool) -> list[Waiting]:
        """Up to so many leases. `idle`: nothing is under way, so whatever is free goes if there is nothing better."""
        left = budget.thrifty_left(tally) if self._on else inf
        if not self._looked_at <= tally.requests <= self._looked_at + self._rank // 10:
            self._look(left, now, tally)
        leases = self.frontier.take(room, now, budget.least, self._far)
        if leases or not idle or self._far == -inf:
            return leases
        self._look(left, now, tally)  # what was so good has gone, or is ranked lower by now
        if self.next_time(now, budget.least) is None:
            self._far = -inf
        return self.frontier.take(room, now, budget.least, self._far)

    def next_time(self, now: float, least: float) -> float | None:
        """When there may be something to take; None: not by time alone."""
        return self.frontier.next_time(now, least, self._far)

    def _look(self, left: float, now: float, tally: Tally) -> None:
        self._looked_at = tally.requests
        self._rank = 0 if left == inf else max(1, int(SHARE * left))
        self._far = self._priority(self._rank, now) if self._rank else -inf

    def _priority(self, rank: int, now: float) -> float:
        """That of the link of this rank among those that can be asked soon; where they are fewer, none is too low."""
        waiting, looked_at, soon = len(self.frontier), rank, dict[str, bool]()
        while True:
            best, found = self.frontier.best(looked_at), 0
            for link in best:
                if link.host not in soon:
                    soon[link.host] = self.frontier.asked_soon(link.host, now, SOON)
                found += soon[link.host] and link.not_before <= now + SOON
                if found == rank:
                    return link.priority
            if len(best) < looked_at or looked_at >= waiting:
                return -inf
            looked_at *= 4

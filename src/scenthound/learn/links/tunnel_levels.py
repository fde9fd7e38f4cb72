"""The levels of links that wait in a table (Aastha 4.6.1), worked out when they are asked for.

In the document every failure walks through the table, and raises the level of each link that has the level of the one
that failed and is scored no better. Here a failure is written down, and the level of a link follows from the failures
since it was put in:

    level(link) rises by one at the first failure, since the link has its level, that has this level
                and a score of at least the link's own; and so on from there

A table is best first, so what failed while a link waited was mostly no worse than it: the first failure looked at is
mostly the one, and a question costs a few steps whatever waits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

KEPT = 1000
"""Failures of each level that are remembered at least; it bounds what a question can cost."""


class TunnelPlace(NamedTuple):
    """Where a link waits."""

    table: int
    level: int  # when it was put in
    score: float
    since: int  # failures of the table before that


class TunnelFailures:
    """The failures of one table, by level, in the order in which they happened."""

    def __init__(self) -> None:
        self.count = 0
        self.grown = 0  # relevant pages whose links came into the table, which happens in the published form alone
        self._by_level: dict[int, list[tuple[int, float]]] = {}

    def add(self, level: int, score: float) -> None:
        self.count += 1
        at = self._by_level.setdefault(level, [])
        at.append((self.count, score))
        if len(at) > 2 * KEPT:
            del at[:KEPT]

    def kept(self) -> list[tuple[int, int, float]]:
        """Level, number and score of each failure that is remembered."""
        return [(level, *failure) for level, at in self._by_level.items() for failure in at]

    def take_back(self, count: int, kept: Iterable[tuple[int, int, float]]) -> None:
        self.count = count
        for level, number, score in kept:
            self._by_level.setdefault(level, []).append((number, score))

    def level(self, place: TunnelPlace, patience: int, most: int) -> int:
        """The level of a link by now, or `most` + 1 where it has none any more.

        `patience`: how many failures raise it by one; 0 = none does.
        """
        level, since = place.level, place.since
        while level <= most and (risen := self._risen(level, place.score, since, patience)):
            level, since = level + 1, risen
        return level

    def _risen(self, level: int, score: float, since: int, patience: int) -> int:
        """The number of the failure at which a link of this level and score rose; 0 if it did not."""
        at, left = self._by_level.get(level, []), patience
        for index in range(bisect_right(at, since, key=itemgetter(0)), len(at)):
            number, failed = at[index]
            if failed >= score:
                left -= 1
                if left == 0:
                    return number
        return 0

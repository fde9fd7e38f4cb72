"""Whose turn is it? Hosts that may be asked stand in line by their best link; the others rest until their time.

There are two lines: hosts near the start, and far from it, who may have to promise more. Lines and rests are heaps that
are cleaned lazily: an item counts only while it is the host's latest word (`HostState.advertised`, `HostState.wakes`),
so moving a host is one push, whatever is left of it elsewhere.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import inf

from scenthound.frontier.host_state import NOTHING, HostState, Key


class Line:
    """Hosts by the key of their best link."""

    def __init__(self) -> None:
        self._heap: list[tuple[Key, int, HostState]] = []
        self._bound = 1024

    def join(self, key: Key, host: HostState) -> None:
        heappush(self._heap, (key, host.number, host))
        if len(self._heap) > self._bound:
            self._heap = [item for item in self._heap if item[2].advertised is item[0]]
            heapify(self._heap)
            self._bound = 2 * len(self._heap) + 1024

    def head(self, least: float) -> Key:
        """The key of the first; NOTHING if its link has less than the least priority: then so have all behind it."""
        heap = self._heap
        while heap and heap[0][2].advertised is not heap[0][0]:
            heappop(heap)
        return heap[0][0] if heap and heap[0][0][0] <= -least else NOTHING

    def leave(self) -> tuple[HostState, Key]:
        """The first, of which `head` spoke. It leaves the line: the caller settles it again."""
        key, _, host = heappop(self._heap)
        host.advertised = None
        return host, key


class HostSchedule:
    """`least`: the least priority to be asked for. `far`: the same for hosts that are not near the start."""

    def __init__(self) -> None:
        self._near, self._far = Line(), Line()
        self._resting: list[tuple[float, int, HostState]] = []

    def settle(self, host: HostState, key: Key, now: float) -> None:
        """Put the host where it belongs, `key` being its best link; NOTHING takes it out of line and rest."""
        if key == NOTHING:
            host.advertised = host.wakes = None
        elif (free_at := host.free_at) > now:
            host.advertised = None
            if host.wakes != free_at:
                host.wakes = free_at
                heappush(self._resting, (free_at, host.number, host))
        else:
            host.wakes = None
            if host.advertised is None or key < host.advertised:
                host.advertised = key
                (self._near if host.near else self._far).join(key, host)

    def rested(self, now: float) -> list[HostState]:
        """The hosts whose rest is over: the caller settles them."""
        over = []
        while self._resting and self._resting[0][0] <= now:
            wakes, _, host = heappop(self._resting)
            if host.wakes == wakes:
                host.wakes = None
                over.append(host)
        return over

    def next(self, least: float = -inf, far: float = -inf) -> tuple[HostState, Key] | None:
        """The first in line, and the key it stood there with. It leaves the line: the caller settles it again."""
        near, away = self._near.head(least), self._far.head(max(least, far))
        if near == away == NOTHING:
            return None
        return (self._near if near <= away else self._far).leave()

    def any(self, least: float = -inf, far: float = -inf) -> bool:
        return self._near.head(least) != NOTHING or self._far.head(max(least, far)) != NOTHING

    def first_rested(self) -> float | None:
        """When the next rest ends."""
        while self._resting and self._resting[0][2].wakes != self._resting[0][0]:
            heappop(self._resting)
        return self._resting[0][0] if self._resting else None

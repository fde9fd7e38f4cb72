"""Whose turn is it? Hosts that may be asked stand in line by their best link; the others rest until their time.

Both are heaps that are cleaned lazily: an item counts only while it is the host's latest word (`HostState.advertised`,
`HostState.wakes`), so moving a host is one push, whatever is left of it elsewhere.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import inf

from scenthound.frontier.host_state import NOTHING, HostState, Key


class HostSchedule:
    def __init__(self) -> None:
        self._line: list[tuple[Key, int, HostState]] = []
        self._resting: list[tuple[float, int, HostState]] = []
        self._bound = 1024

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
                heappush(self._line, (key, host.number, host))
                if len(self._line) > self._bound:
                    self._sweep()

    def rested(self, now: float) -> list[HostState]:
        """The hosts whose rest is over: the caller settles them."""
        over = []
        while self._resting and self._resting[0][0] <= now:
            wakes, _, host = heappop(self._resting)
            if host.wakes == wakes:
                host.wakes = None
                over.append(host)
        return over

    def next(self, least: float = -inf) -> tuple[HostState, Key] | None:
        """The first in line, and the key it stood there with. It leaves the line: the caller settles it again.

        None if its best link has less than the least priority: then so have all behind it.
        """
        if not self.any(least):
            return None
        key, _, host = heappop(self._line)
        host.advertised = None
        return host, key

    def any(self, least: float = -inf) -> bool:
        while self._line and self._line[0][2].advertised is not self._line[0][0]:
            heappop(self._line)
        return bool(self._line) and self._line[0][0][0] <= -least

    def first_rested(self) -> float | None:
        """When the next rest ends."""
        while self._resting and self._resting[0][2].wakes != self._resting[0][0]:
            heappop(self._resting)
        return self._resting[0][0] if self._resting else None

    def _sweep(self) -> None:
        self._line = [item for item in self._line if item[2].advertised is item[0]]
        heapify(self._line)
        self._bound = 2 * len(self._line) + 1024

"""The links in memory over all hosts, in one order: for the best of them, or for the worst."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from scenthound.frontier.host_state import Key
from scenthound.model import Waiting

SORTED = 8
"""Up to so many times as many items as are asked for, sorting them all is quicker than taking out one by one."""


class LazyHeap:
    """A heap over `links`, told of every change by `push` and cleaned lazily. Best first, or worst first."""

    def __init__(self, links: Mapping[int, Waiting], best: bool) -> None:
        self._links = links
        self._sign = -1 if best else 1
        self._heap: list[Key] = []
        self._pushed: list[Key] = []  # since somebody looked
        self._sweep()

    def push(self, link: Waiting) -> None:
        """O(1): it finds its place when somebody looks, and together with others."""
        self._pushed.append(self._key(link))
        if len(self._heap) + len(self._pushed) > self._bound:
            self._sweep()

    def peek(self) -> Waiting | None:
        heap = self._whole_heap()
        while heap:
            link = self._links.get(heap[0][2])
            if link is not None and self._key(link) == heap[0]:
                return link
            heappop(heap)
        return None

    def first(self, n: int) -> list[Waiting]:
        """The first n, in order: O(n log size), and less where they are a good part of all."""
        if len(self._heap) + len(self._pushed) <= SORTED * n:
            return self._first_sorted(n)
        heap, known = self._whole_heap(), self._links
        found: dict[Key, Waiting] = {}
        while heap and len(found) < n:
            key = heappop(heap)
            link = known.get(key[2])
            # A priority that went and came back has left two equal items, which count as one.
            if link is not None and self._key(link) == key:
                found[key] = link
        for key in found:
            heappush(heap, key)
        return list(found.values())

    def _first_sorted(self, n: int) -> list[Waiting]:
        """A sorted list is a heap as well. What was sorted the last time still is, and sorting makes use of that: what
        was pushed since stands behind it."""
        heap, known, sign = self._heap, self._links, self._sign
        heap += self._pushed
        self._pushed.clear()
        heap.sort()
        found: list[Waiting] = []
        keys: list[Key] = []
        read = 0
        for key in heap:
            if len(found) >= n:
                break
            read += 1
            link = known.get(key[2])
            if link is None or key[0] != sign * link.priority or key[1] != -sign * link.order:
                continue
            if not keys or keys[-1] != key:
                found.append(link)
                keys.append(key)
        heap[:read] = keys  # what is stale goes
        return found

    def _whole_heap(self) -> list[Key]:
        for key in self._pushed:
            heappush(self._heap, key)
        self._pushed.clear()
        return self._heap

    def _key(self, link: Waiting) -> Key:
        return self._sign * link.priority, -self._sign * link.order, link.id

    def _sweep(self) -> None:
        self._heap = [self._key(link) for link in self._links.values()]
        heapify(self._heap)
        self._pushed = []
        self._bound = 2 * len(self._heap) + 1024

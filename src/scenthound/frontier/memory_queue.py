"""The waiting links within reach: the best of every host in memory; the rest in the store.

Every waiting link is in the store, whether it is in memory or not: the engine records each row `put`, `done` and
`rescore` speak of before it calls `take` again, and only `take` reads the store. So making room writes nothing.

What a host's `store_key` promises: a link that is in the store only comes no sooner than that. While the best link of
memory is no later it is the host's best, and the store need not be asked. A new link that comes later than what was
cleared away, the `floor`, is left in the store at once. A link that rises in the store, because it was found again with
a better priority, is remembered by that until it is fetched from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from heapq import heapify, heappop, heappush, merge, nsmallest
from math import isfinite, isnan
from operator import itemgetter

from msgspec.structs import replace

from scenthound.frontier.fingerprints import FORGOTTEN, OVER, WAITS, FingerprintTable, Note
from scenthound.frontier.host_state import NOTHING, HostState, Key
from scenthound.frontier.lazy_heap import LazyHeap
from scenthound.model import Waiting
from scenthound.protocols.library import FrontierStore
from scenthound.protocols.records import HostQueue

LEAST_READ, MOST_READ = 4, 256
"""Rows read from the store at a time: a host's share in memory, within these."""

MOST_RAISED = 256
"""Beyond so many risen links of a host its floor is lowered under them all: one read brings many."""

LONGEST_REST = 86_400.0
"""Seconds for which a host rests at most because of what is stored: a clock that was wrong may have written more."""


class MemoryQueue:
    """Links in memory over a store. Without a store, or with a limit on all waiting links, nothing is cleared away."""

    def __init__(self, store: FrontierStore | None, room: int, limit: int) -> None:
        self.links: dict[int, Waiting] = {}
        self.seen = FingerprintTable()
        self.leased: set[int] = set()
        self.stored = 0
        self._store = store
        self._room = room
        self._clears = store is not None and not limit
        self._asleep: set[int] = set()
        self._alarms: list[tuple[float, int]] = []
        self._best: LazyHeap | None = None
        self.worst = LazyHeap(self.links, best=False) if limit else None

    def __len__(self) -> int:
        return len(self.links) + self.stored

    # Coming in

    def admit(self, host: HostState, link: Waiting, again: bool = False) -> None:
        """Take in a new link, or a forgotten one again: in memory, or left in the store if it comes late there."""
        in_memory = (-link.priority, link.order, link.id) < host.floor
        note = WAITS if in_memory else (link.priority, link.depth)
        if again:
            self.seen.add(link.id, note)
        else:
            self.seen.add_new(link.id, note)
        if in_memory:
            self.lay(host, link)
        else:
            host.stored += 1
            self.stored += 1

    def lay(self, host: HostState, link: Waiting, asleep: bool = False) -> None:
        """Lay the link in memory; asleep, it comes up at its `not_before`."""
        self.links[link.id] = link
        for ranking in (self._best, self.worst):
            if ranking is not None:
                ranking.push(link)
        if asleep:
            self._asleep.add(link.id)
            heappush(self._alarms, (link.not_before, link.id))
        else:
            host.live += 1
            heappush(host.queue, (-link.priority, link.order, link.id))

    def replace(self, host: HostState, old: Waiting, new: Waiting) -> None:
        """The same link, with another priority or another way to it."""
        self.links[new.id] = new
        if new.priority == old.priority:
            return
        for ranking in (self._best, self.worst):
            if ranking is not None:
                ranking.push(new)
        if new.id not in self._asleep:
            heappush(host.queue, (-new.priority, new.order, new.id))
            if len(host.queue) > 2 * host.live + 16:
                host.queue = self._current(host)
                heapify(host.queue)

    def rise(self, host: HostState, number: int, priority: float, exactly: bool) -> bool:
        """A link in the store waits with this priority now, or with less. True if the host's best may have changed."""
        if exactly:
            key = (-priority, -1, number)
            rises = key < host.floor
            if rises:
                host.raised = host.raised or []
                heappush(host.raised, key)
                if len(host.raised) > MOST_RAISED:
                    host.floor, host.raised = host.raised[0], None
        else:
            # A mean of equal numbers may come out a hair above them.
            key = (-priority - 1e-9 * abs(priority), -1, 0)
            rises = key < host.floor
            host.floor = min(host.floor, key)
        return rises

    def rank_again(self, priorities: Iterable[tuple[int, float]], hosts: Mapping[str, HostState]) -> None:
        """Other priorities for any of the links, those in the store among them, which knows of it already."""
        for number, priority in priorities:
            if (old := self.links.get(number)) is not None:
                self.replace(hosts[old.host], old, replace(old, priority=priority))
            elif (note := self.seen.note(number)) is not None and isfinite(note[0]):
                self.seen.add(number, (priority, note[1]))
        for queue in self._store.queues() if self._store is not None else ():
            if (host := hosts.get(queue.host)) is not None and host.stored:
                host.floor, host.raised = (-queue.best, -1, 0), None

    # Going out

    def first(self, host: HostState) -> Key:
        """A key no later than that of the host's best link; exactly that, if it is the head of the queue."""
        queue, links, asleep = host.queue, self.links, self._asleep
        while queue:
            negative, order, number = head = queue[0]
            link = links.get(number)
            if link is not None and link.priority == -negative and link.order == order and number not in asleep:
                return min(head, host.store_key) if host.raised else min(head, host.floor)
            heappop(queue)
        return host.store_key

    def reach(self, host: HostState, now: float, share: int) -> Waiting | None:
        """The host's best link that may go now, brought from the store if it is there."""
        while self.first(host) != NOTHING:
            if host.queue and host.queue[0] <= host.store_key:
                return self.links[host.queue[0][2]]
            self._read(host, now, min(max(share, LEAST_READ), MOST_READ))
        return None

    def remove(self, host: HostState, link: Waiting) -> None:
        """Out of memory. What is left of the link in heaps is stale and goes when met."""
        del self.links[link.id]
        if link.id in self._asleep:
            self._asleep.discard(link.id)
        else:
            host.live -= 1

    def lease(self, host: HostState, link: Waiting) -> None:
        self.remove(host, link)
        self.leased.add(link.id)

    def refuse(self, host: HostState, link: Waiting, note: Note = OVER) -> None:
        self.remove(host, link)
        self.seen.add(link.id, note)

    def over_limit(self, limit: int) -> Waiting | None:
        """The worst of the waiting links, while there are more than `limit`."""
        return self.worst.peek() if self.worst is not None and len(self.links) > limit else None

    def best(self, n: int) -> list[Waiting]:
        if self._best is None:
            self._best = LazyHeap(self.links, best=True)
        return self._best.first(n)

    def top(self, n: int, hosts: Iterable[HostState], without: Set[int] = frozenset()) -> list[Waiting]:
        """The n best links in memory that wait for nothing but their host's turn, best first.

        For who looks now and then: unlike `best` it leaves nothing behind that every link to come would have to be
        told of. The n hosts with the best heads have them all, and a bit more where some are left out.
        """
        heads = ((host.queue[0], host) for host in hosts if self.first(host) != NOTHING and host.queue)
        leading = nsmallest(n + len(without), heads, key=itemgetter(0))
        found: list[Waiting] = []
        for _, _, number in merge(*(self._in_order(host.queue) for _, host in leading)):
            if number not in without and (not found or found[-1].id != number):
                found.append(self.links[number])
            if len(found) == n:
                break
        return found

    def _in_order(self, queue: Sequence[Key]) -> Iterator[Key]:
        """A host's queue, which is a heap, as it would be emptied; stale items left out."""
        near = [(queue[0], 0)]
        while near:
            key, place = heappop(near)
            link = self.links.get(key[2])
            if link is not None and (-link.priority, link.order) == key[:2] and key[2] not in self._asleep:
                yield key
            for below in range(2 * place + 1, min(2 * place + 3, len(queue))):
                heappush(near, (queue[below], below))

    def draw(self, start: int, priority: float, hosts: Mapping[str, HostState]) -> Waiting | None:
        """Give another priority to the waiting link that comes first from a fingerprint on, wherever it waits."""
        number = self.seen.first_waiting(start, self.leased)
        if number is None:
            return None
        old = self.links.get(number)
        if old is None:
            assert self._store is not None, "what waits is in memory or in the store"
            old = self._store.leases([number])[0]
            host = hosts[old.host]
            host.stored -= 1
            self.stored -= 1
            self.seen.add(number, WAITS)
            row = replace(old, priority=priority, rule=None)
            self.lay(host, row)
        else:
            row = replace(old, priority=priority)
            self.replace(hosts[old.host], old, row)
        return row

    # Sleep

    def awake(self, now: float) -> list[Waiting]:
        """The links whose sleep is over; each is back in its host's queue after `wake`."""
        up = []
        while self._alarms and self._alarms[0][0] <= now:
            _, number = heappop(self._alarms)
            if number in self._asleep and (link := self.links[number]).not_before <= now:
                self._asleep.discard(number)
                up.append(link)
        return up

    def wake(self, host: HostState, link: Waiting) -> None:
        host.live += 1
        heappush(host.queue, (-link.priority, link.order, link.id))

    def first_alarm(self) -> float | None:
        return self._alarms[0][0] if self._alarms else None

    # Between memory and store

    def expect(self, host: HostState, queue: HostQueue) -> None:
        """All of the host's links are in the store, as after a restart."""
        host.floor = (-queue.best, -1, 0)
        host.stored = queue.waiting
        self.stored += queue.waiting

    def load(self, host: HostState, now: float) -> None:
        """All of a host's links, where memory must hold everything."""
        self._read(host, now, host.stored + 1)

    def fill(self, hosts: Sequence[HostState], now: float) -> None:
        """Bring links from the store as if they had just been found: all where they fit, else as many as `clear`
        leaves."""
        sizes = [host.stored for host in hosts]
        length = max(sizes, default=0) if sum(sizes) <= self._room else _level(sizes, self._room * 3 // 4)
        for host in hosts:
            if host.stored and length:
                self._read(host, now, min(length, host.stored) + (host.stored <= length))

    def clear(self, hosts: Iterable[HostState]) -> None:
        """Make room when memory is over-full: down to three quarters, the longest queues cut to one length.

        With more hosts than room, the hosts whose best link comes last keep nothing in memory. Links that sleep
        stay, and are not counted: each stands for a request made moments ago.
        """
        if not self._clears or len(self.links) - len(self._asleep) <= self._room:
            return
        holders = [host for host in hosts if host.live]
        room = self._room * 3 // 4
        length = _level([host.live for host in holders], room)
        for host in holders:
            if host.live > max(length, 1):
                self._cut(host, max(length, 1))
        if length == 0:
            holders.sort(key=self.first)
            for host in holders[room:]:
                self._cut(host, 0)

    def _cut(self, host: HostState, length: int) -> None:
        queue = sorted(self._current(host))
        host.queue, gone = queue[:length], queue[length:]
        host.live = length
        host.floor = min(host.floor, gone[0])
        host.stored += len(gone)
        self.stored += len(gone)
        for _, _, number in gone:
            link = self.links.pop(number)
            self.seen.add(number, (link.priority, link.depth))

    def _current(self, host: HostState) -> list[Key]:
        """The queue without what is stale or doubled."""
        links, asleep = self.links, self._asleep
        return [
            key
            for key in set(host.queue)
            if (link := links.get(key[2])) is not None
            and link.priority == -key[0]
            and link.order == key[1]
            and key[2] not in asleep
        ]

    def _read(self, host: HostState, now: float, wanted: int) -> None:
        """Bring some of the host's best links from the store, and set the floor under them.

        The store also holds what is leased, in memory, or over and not yet recorded so: when it gives nothing
        else, more is asked for.
        """
        assert self._store is not None, "only a store can have set a floor"
        limit = wanted + host.out
        while True:
            rows = self._store.waiting(host.name, limit)
            fresh = self._only_stored(rows)
            last = (-rows[-1].priority, rows[-1].order, rows[-1].id) if len(rows) == limit else NOTHING
            if fresh or last > host.store_key:
                break
            limit *= 4
        for row in fresh:
            self.lay(host, row, asleep=row.not_before > now)
            if row.not_before > now:  # as before a restart: nobody knows any more whether its host wanted the pause
                host.until = max(host.until, min(row.not_before, now + LONGEST_REST))
        left = max(host.stored - len(fresh), 0) if last != NOTHING else 0
        self.stored += left - host.stored
        host.stored = left
        host.floor = max(host.floor, last) if left else NOTHING
        if host.raised:
            host.raised = self._still_raised(host.raised, last) if left else None

    def _still_raised(self, raised: list[Key], last: Key) -> list[Key]:
        """What rose and was not among the rows read, the `last` of which is given.

        One that should have been there has sunk again. One as good as the last row was found after it.
        """
        return sorted(
            max(key, (last[0], last[1] + 1, key[2])) for key in raised if key[0] >= last[0] and key[2] not in self.links
        )

    def _only_stored(self, rows: Sequence[Waiting]) -> list[Waiting]:
        """Those of the store's rows that wait nowhere else."""
        rows = [row for row in rows if row.id not in self.links and row.id not in self.leased]
        fresh = []
        for row, note in zip(rows, self.seen.notes([row.id for row in rows]), strict=True):
            if note is None:
                self.seen.add_new(row.id)
            if note is None or not (isnan(note[0]) or note[0] == FORGOTTEN):
                fresh.append(row)
        return fresh


def _level(sizes: list[int], room: int) -> int:
    """The greatest length to which all queues must be cut so that together they fit into the room."""
    sizes.sort()
    for index, size in enumerate(sizes):
        left = len(sizes) - index
        if size * left > room:
            return max(room, 0) // left
        room -= size
    return sizes[-1] if sizes else 0

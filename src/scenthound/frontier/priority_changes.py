"""New priorities for links that wait: a strategy has learned something, or a person steers the crawl."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from scenthound.frontier.found_again import finite
from scenthound.frontier.host_table import HostTable
from scenthound.frontier.memory_queue import MemoryQueue
from scenthound.frontier.random_draw import stays_first
from scenthound.model import Link, Waiting
from scenthound.protocols.crawl import Steers


class PriorityChanges:
    """Moves links in memory; `fixed` are those whose priority is what it is, whoever speaks of them meanwhile."""

    def __init__(self, memory_queue: MemoryQueue, hosts: HostTable, fixed: set[int]) -> None:
        self._memory_queue = memory_queue
        self._hosts = hosts
        self._fixed = fixed
        self._steering: Steers | None = None
        self._unshifted: dict[int, float] = {}  # what shifted links had: taking it off again would round

    # A person's rules

    @property
    def steered(self) -> bool:
        return self._steering is not None

    def shift(self, link: Link) -> float:
        """What a person's rules add to the priority of a link that is found. What a person named stays as it is."""
        return self._steering.shift(link.url) if self._steering is not None and link.kind != "seed" else 0.0

    def refuses(self, url: str) -> str | None:
        return self._steering.refuses(url) if self._steering is not None else None

    def strikes(self, url: str) -> str | None:
        return self._steering.strikes(url) if self._steering is not None else None

    def steer_by(self, steering: Steers | None, *, anew: bool) -> list[Waiting]:
        """From here on these rules shift priorities and refuse links. `anew`: links wait as the strategy ranked
        them."""
        before, self._steering = None if anew else self._steering, steering
        known, self._unshifted = {} if anew else self._unshifted, {}
        moved = []
        for link in self._memory_queue.links.values():
            if link.link.kind == "seed":
                continue
            was = before.shift(link.link.url) if before is not None else 0.0
            now = steering.shift(link.link.url) if steering is not None else 0.0
            own = known.get(link.id, link.priority)
            own = own if own + was == link.priority else link.priority - was
            if now:
                self._unshifted[link.id] = own
            if was != now:
                moved.append((link.id, own + now))
        return self._move(moved)

    # A strategy's word

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]:
        """New priorities for links in memory, whatever the merge rule; returns the rows that changed."""
        if self._steering is not None:
            links, shift = self._memory_queue.links, self._steering.shift
            priorities = [
                (number, score + shift(links[number].link.url)) for number, score in priorities if number in links
            ]
        return self._move(priorities)

    def rank_again(self, priorities: Iterable[tuple[int, float]]) -> None:
        """New priorities for links in memory and in the store, where they are recorded already, as all else is."""
        others = ((number, finite(priority)) for number, priority in priorities if number not in self._fixed)
        self._memory_queue.rank_again(others, self._hosts.by_name)
        for host in self._hosts.by_name.values():
            self._hosts.settle(host)

    def _move(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]:
        rows = []
        for number, priority in priorities:
            old, priority = self._memory_queue.links.get(number), finite(priority)
            if old is None or number in self._fixed or stays_first(old.priority):
                continue
            if priority != old.priority:
                row = replace(old, priority=priority)
                host = self._hosts.by_name[old.host]
                self._memory_queue.replace(host, old, row)
                self._hosts.improve(host, row)
                rows.append(row)
        return rows

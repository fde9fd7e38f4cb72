"""Links that come in: new ones get a place, of those that wait the better word counts, what is over stays over."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isnan

from scenthound import urls
from scenthound.frontier.fingerprints import FORGOTTEN, OVER, UNKNOWN, Note
from scenthound.frontier.found_again import BOUND, finite, merge, merge_note
from scenthound.frontier.host_table import HostTable
from scenthound.frontier.memory_queue import MemoryQueue
from scenthound.frontier.priority_changes import PriorityChanges
from scenthound.frontier.random_draw import stays_first
from scenthound.merge_rules import prevails
from scenthound.model import MergeRule, Ranked, Refusal, Waiting

NEAR = 1
"""Links from a start page to a host that is near, at most."""


def report(refused: dict[int, Refusal], link: Waiting, reason: str, *, for_good: bool = True) -> None:
    """Notes that a link is not asked for after all; the engine asks for these notes."""
    refused[link.id] = Refusal(link.id, link.link, link.host, reason, link.depth, for_good)


class LinkIntake:
    """Takes in what pages show. `next_order` counts the links that nobody had seen.

    | parameter | meaning |
    |---|---|
    | `rule` | what a link found again waits with |
    | `limit`, `host_pages` | how many links may wait, and how many leases of a host may end; 0 = any number |
    | `again` | links that were done with and wait once more: no page changes what they wait with |
    | `refused` | where refusals are noted |
    """

    def __init__(
        self,
        memory_queue: MemoryQueue,
        hosts: HostTable,
        priorities: PriorityChanges,
        *,
        rule: MergeRule,
        limit: int,
        host_pages: int,
        again: set[int],
        refused: dict[int, Refusal],
    ) -> None:
        self.next_order = 0
        self._memory_queue = memory_queue
        self._hosts = hosts
        self._priorities = priorities
        self._rule = rule
        self._limit = limit
        self._host_pages = host_pages
        self._again = again
        self._refused = refused

    def take_in(self, ranked: Sequence[Ranked], depth: int, hops: int) -> list[Waiting]:
        """The rows to record."""
        memory_queue, rule = self._memory_queue, self._rule
        rows: list[Waiting] = []
        elsewhere: list[int] = []
        once = self._once(ranked)
        links, leased, common = memory_queue.links, memory_queue.leased, rule == "max"
        for number, (new, priority) in once.items():
            old = links.get(number)
            if old is None:
                if number not in leased:
                    elsewhere.append(number)
            elif common and priority <= old.priority and depth >= old.depth:
                continue  # nothing new, as with most links of most pages: not worth a call
            elif number in self._again or stays_first(old.priority):
                continue
            elif (row := merge(old, new, priority, depth, hops, rule)) is not None:
                host = self._hosts.by_name[old.host]
                memory_queue.replace(host, old, row)
                self._hosts.improve(host, row)
                rows.append(row)
        for number, note in zip(elsewhere, memory_queue.seen.notes(elsewhere), strict=True):
            new, priority = once[number]
            if note is not None and common and priority <= note[0] < UNKNOWN and depth >= note[1]:
                continue  # nothing new here, either
            if note is None or note[0] == FORGOTTEN:
                row = self._admit(number, new, priority, depth, hops, again=note is not None)
            elif isnan(note[0]) or stays_first(note[0]):
                continue
            else:
                row = self._found_in_store(number, note, new, priority, depth, hops)
            if row is not None:
                rows.append(row)
        return rows

    def _once(self, ranked: Sequence[Ranked]) -> dict[int, tuple[Ranked, float]]:
        once: dict[int, tuple[Ranked, float]] = {}
        steered = self._priorities.steered
        for new, number in zip(ranked, urls.fingerprints([new.link.url for new in ranked]), strict=True):
            priority = float(new.priority)
            if steered:
                priority += self._priorities.shift(new.link)
            if not -BOUND <= priority <= BOUND:
                priority = finite(priority)
            if number not in once or prevails(priority, once[number][1], self._rule):
                once[number] = new, priority
        return once

    def _admit(self, number: int, new: Ranked, priority: float, depth: int, hops: int, again: bool) -> Waiting | None:
        worst = self._memory_queue.worst.peek() if again and self._memory_queue.worst is not None else None
        if worst is not None and len(self._memory_queue) >= self._limit and priority <= worst.priority:
            return None
        host = self._hosts.get(urls.host(new.link.url))
        link = Waiting(number, new.link, host.name, priority, self.next_order, depth, new.memory, hops=hops)
        self.next_order += 1
        if self._host_pages and host.pages >= self._host_pages:
            self._memory_queue.seen.add(number, OVER)
            report(self._refused, link, "host limit")
            return None
        if again:
            self._refused.pop(number, None)
        self._memory_queue.admit(host, link, again)
        if depth <= NEAR:
            self._hosts.bring_near(host)
        self._hosts.improve(host, link)
        return link

    def _found_in_store(
        self, number: int, note: Note, new: Ranked, priority: float, depth: int, hops: int
    ) -> Waiting | None:
        """A row the library merges into the one it has; `order` is not looked at there."""
        after = merge_note(note, priority, depth, self._rule)
        if after == note and isfinite(note[0]) and self._rule != "last":
            return None
        host = self._hosts.get(urls.host(new.link.url))
        self._memory_queue.seen.add(number, after)
        if self._rule != "min" and self._memory_queue.rise(host, number, priority, exactly=self._rule != "mean"):
            self._hosts.settle(host)
        return Waiting(
            number, new.link, host.name, priority, self.next_order, depth, new.memory, hops=hops, rule=self._rule
        )

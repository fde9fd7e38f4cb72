"""The frontier of a worker: what belongs to its shards waits here, all else goes to its owner through the library."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.cluster.steady_scale import SteadyScale
from scenthound.fetch.robots import WHILE
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.shards import shard_of
from scenthound.merge_rules import prevails
from scenthound.model import Link, MergeRule, Ranked, Refusal, Waiting
from scenthound.protocols.crawl import RobotsRules

MOST_SENT = 200_000
LOOKED_AT = 512  # links that are best by priority, at most, for what could be asked now
SOON = 1.0  # seconds until a host may be asked
A_HOST = 2  # links of a host that count as worth something at least, and no more than its delay lets through soon


class ShardFrontier:
    """`protocols.Frontier`. Hands out nothing once the leases of the shards may be over."""

    def __init__(
        self,
        inside: PoliteFrontier,
        shards: Collection[int],
        rule: MergeRule,
        *,
        delay: float,
        holds: Callable[[], bool],
    ) -> None:
        """`delay`: seconds between two requests to a host; without any, one host may be worth all there is to spend."""
        self.inside = inside
        self._shards = frozenset(shards)
        self._rule = rule
        self._a_host = max(A_HOST, int(SOON / delay)) if delay else LOOKED_AT
        self._holds = holds
        self._now = 0.0
        self._scale = SteadyScale()
        self._sent: BoundedCache[int, float] = BoundedCache(MOST_SENT)

    def owns(self, url: str) -> bool:
        return shard_of(urls.host(url)) in self._shards

    # In

    def put(self, ranked: Sequence[Ranked], depth: int, hops: int = 0) -> list[Waiting]:
        ours = [new for new in ranked if self.owns(new.link.url)]
        rows = self.inside.put(ours, depth, hops)
        if len(ours) < len(ranked):
            rows += self._sent_elsewhere([new for new in ranked if not self.owns(new.link.url)], depth, hops)
        return rows

    def _sent_elsewhere(self, ranked: Sequence[Ranked], depth: int, hops: int) -> list[Waiting]:
        """Rows for the library to merge with what it has; one that says nothing better than the last is left out."""
        rows: dict[int, Waiting] = {}
        for new in ranked:
            number, priority = urls.fingerprint(new.link.url), float(new.priority)
            sent = self._sent.get(number)
            if sent is not None and self._rule != "mean" and not prevails(priority, sent, self._rule):
                continue
            self._sent.put(number, priority)
            host = urls.host(new.link.url)
            rows[number] = Waiting(
                number,
                new.link,
                host,
                priority,
                self.inside.next_order(),
                depth,
                new.memory,
                hops=hops,
                rule=self._rule,
            )
        return list(rows.values())

    def receive(self, rows: Sequence[Waiting]) -> None:
        """Links that other workers found. They are stored: nothing is to be recorded."""
        for row in rows:
            if row.link.kind != "robots":
                self.inside.put([Ranked(row.link, row.priority, row.memory)], row.depth, row.hops)

    def next_order(self) -> int:
        return self.inside.next_order()

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]:
        return self.inside.rescore(priorities)

    def best(self, n: int) -> list[Waiting]:
        return self.inside.best(n)

    def worth(self, now: float, most: int = 64) -> list[float]:
        """The priorities of the best links that could be asked about now, on a scale that others can compare with."""
        best, found = self._at_hand(2 * most, now, most)
        if len(found) < most <= len(best):  # hosts that rest have the best ones: look further, which costs more
            best, found = self._at_hand(LOOKED_AT, now, most)
        shift = self._scale.shift(((link.id, link.priority) for link in best), now)
        if not found and self.inside.next_time(now) is not None:
            return [-inf]  # something waits, in the store or for its host: worth less than anything at hand
        return [priority + shift for priority in found]

    def _at_hand(self, looked_at: int, now: float, most: int) -> tuple[list[Waiting], list[float]]:
        """The best so many by priority, and those of them that could be asked now."""
        hosts: dict[str, int] = {}
        found: list[float] = []
        best = self.inside.best(looked_at)
        for link in best:
            times = hosts.get(link.host)
            if times is None:
                times = 0 if self.inside.asked_soon(link.host, now, SOON) else self._a_host
            if times < self._a_host:
                found.append(link.priority)
            hosts[link.host] = times + 1
            if len(found) == most:
                break
        return best, found

    # Out

    def take(self, n: int, now: float, least: float = -inf, far: float = -inf) -> list[Waiting]:
        self._now = now
        return self.inside.take(n, now, least, far) if self._holds() else []

    def next_time(self, now: float, least: float = -inf, far: float = -inf) -> float | None:
        return self.inside.next_time(now, least, far)

    def asked_soon(self, name: str, now: float, seconds: float) -> bool:
        return self.inside.asked_soon(name, now, seconds)

    def done(
        self,
        lease: Waiting,
        now: float,
        retry: Waiting | None = None,
        slow: float = 0.0,
        struggles: bool = False,
        page: bool = True,
    ) -> None:
        self.inside.done(lease, now, retry, slow, struggles, page)

    def give_back(self, lease: Waiting, now: float) -> None:
        self.inside.give_back(lease, now)

    def leased(self) -> int:
        return self.inside.leased()

    def tell_change(self, waiter: Callable[[], None]) -> None:
        self.inside.tell_change(waiter)

    # Hosts

    def rest(self, host: str, until: float) -> None:
        self.inside.rest(host, until)

    def robots_request(self, link: Link, owner: str, hops: int = 0) -> None:
        """A robots.txt on another worker's host is not ours to ask for: the host that points there is held."""
        if self.owns(link.url):
            self.inside.robots_request(link, owner, hops)
        else:
            self.inside.hold(owner, self._now + WHILE)

    def rules(self, host: str, rules: RobotsRules) -> None:
        self.inside.rules(host, rules)

    def hold(self, host: str, until: float) -> None:
        self.inside.hold(host, until)

    def held(self) -> dict[str, int]:
        return self.inside.held()

    def refused(self) -> list[Refusal]:
        return self.inside.refused()

    def __len__(self) -> int:
        return len(self.inside)

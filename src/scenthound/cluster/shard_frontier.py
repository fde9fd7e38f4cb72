"""The frontier of a worker: what belongs to its shards waits here, all else goes to its owner through the library."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import astuple

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.cluster.steady_scale import SteadyScale
from scenthound.config import PolitenessSection
from scenthound.crawler.page_thrift import SOON
from scenthound.fetch.robots import WHILE
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.shards import shard_of
from scenthound.merge_rules import prevails
from scenthound.model import Link, MergeRule, Ranked, Refusal, Waiting
from scenthound.protocols.crawl import RobotsRules
from scenthound.protocols.shards import RANKS, Allotment, Worth

MOST_SENT = 200_000
AT_HAND = 64  # links that could be asked now, at most, that a worker speaks of
LOOKED_AT = RANKS[-1]  # links that are best by priority, at most, for what could be asked now
NOW = 1.0  # seconds until a host may be asked
ROUNDING = 1e-12
A_HOST = 2  # links of a host that could be asked now at least, and no more than its delay lets through


class _HostNow(Struct):
    """What may be asked of a host."""

    near: bool
    soon: bool
    room: int  # requests now, one after the other
    at_once: int  # beside each other


class ShardFrontier:
    """`protocols.Frontier`. Hands out nothing once the leases of the shards may be over."""

    def __init__(
        self,
        inside: PoliteFrontier,
        shards: Collection[int],
        rule: MergeRule,
        politeness: PolitenessSection,
        *,
        holds: Callable[[], bool],
    ) -> None:
        self.inside = inside
        self._shards = frozenset(shards)
        self._rule = rule
        self._delay = politeness.delay
        self._a_host = max(A_HOST, int(NOW / self._delay)) if self._delay else LOOKED_AT
        self._at_once = self._a_host if self._delay else politeness.connections
        self._holds = holds
        self._now = 0.0
        self._scale = SteadyScale()
        self._shift = 0.0  # from priorities here to what others are told
        self._allotment = Allotment()
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

    def worth(self, now: float) -> Worth:
        """What waits here, on a scale that others can compare with."""
        best = self.inside.best(min(LOOKED_AT, max(2 * AT_HAND, self._allotment.rank)))
        worth = self._worth_of(best, now)
        if len(worth.at_hand) < AT_HAND and 2 * AT_HAND <= len(best) < LOOKED_AT:
            best = self.inside.best(LOOKED_AT)  # hosts that rest have the best ones: look further, which costs more
            worth = self._worth_of(best, now)
        self._shift = shift = self._scale.shift(((link.id, link.priority) for link in best), now)
        waiting, at_hand, far, near = ([priority + shift for priority in each] for each in astuple(worth)[:-1])
        if not at_hand and self.inside.next_time(now) is not None:
            # Something waits: in the store, which promises so much, or for its host, which is worth less than anything.
            at_hand = far = [self.inside.promised(now, NOW) + shift]
        return Worth(waiting, at_hand, far, near, worth.paced)

    def _worth_of(self, best: Sequence[Waiting], now: float) -> Worth:
        """By the priorities that links have here."""
        hosts: dict[str, _HostNow] = {}
        soon: list[float] = []
        at_hand: list[float] = []
        far: list[float] = []
        near: list[float] = []
        for link in best:
            host = hosts.get(link.host) or hosts.setdefault(link.host, self._host_now(link.host, now))
            if host.soon and link.not_before <= now + SOON:
                soon.append(link.priority)
            if not host.room or link.not_before > now + NOW:
                continue
            host.room -= 1
            if len(far) + len(near) < AT_HAND:
                (near if host.near else far).append(link.priority)
            if host.at_once and len(at_hand) < AT_HAND:
                host.at_once -= 1
                at_hand.append(link.priority)
        waiting = [soon[rank - 1] for rank in RANKS if rank <= len(soon)]
        return Worth(waiting, at_hand, far, near, paced=bool(self._delay))

    def _host_now(self, name: str, now: float) -> _HostNow:
        room = self._a_host if self.inside.asked_soon(name, now, NOW) else 0
        return _HostNow(self.inside.is_near(name), self.inside.asked_soon(name, now, SOON), room, self._at_once)

    def spend(self, allotment: Allotment) -> None:
        """From here on only links are handed out that are as good as others' are, or of hosts near the start."""
        self._allotment = allotment

    def _least(self, far: float) -> float:
        """By the priorities that links have here: those it was allotted for must pass, whatever rounding does."""
        least, shift = self._allotment.least, self._shift
        return max(far, least - shift - ROUNDING * (abs(least) + abs(shift)))

    # Out

    def take(self, n: int, now: float, least: float = -inf, far: float = -inf) -> list[Waiting]:
        self._now = now
        return self.inside.take(n, now, least, self._least(far)) if self._holds() else []

    def next_time(self, now: float, least: float = -inf, far: float = -inf) -> float | None:
        return self.inside.next_time(now, least, self._least(far))

    def is_dry(self, now: float) -> bool:
        """Whether nothing is under way here, and nothing could be for a while."""
        return not self.leased() and ((when := self.next_time(now)) is None or when > now + NOW)

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

"""The frontier: best first among the hosts that may be asked now.

What the engine promises in return:

- Every row that `put` and `rescore` return, every retry given to `done` and every refusal that `refused` reports is
  recorded in the library before the next `take`; only `take` reads the store.
- Each lease ends with one `done` or `give_back`. After a robots request (a lease whose `link.kind` is "robots", made
  for the host named in `memory`) `rules` or `hold` is called for that host sooner or later: until then the host yields
  no link.
- `now` does not go backwards. Where it does, time stands still here until it has caught up: late, never impolite.

`take` may return nothing although `next_time` said "now", when all it met was refused, or the store had to be read:
it stops after a thousand refusals so that they can be recorded. Asking again goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import PolitenessSection
from scenthound.frontier.fingerprints import LOST, OVER, WAITS
from scenthound.frontier.found_again import finite
from scenthound.frontier.host_state import HostManners, HostState, Key
from scenthound.frontier.host_table import HostTable, robots_lease
from scenthound.frontier.link_intake import LinkIntake, report
from scenthound.frontier.memory_queue import MemoryQueue
from scenthound.frontier.priority_changes import PriorityChanges
from scenthound.frontier.random_draw import DRAWN
from scenthound.frontier.side_requests import SideRequests
from scenthound.model import Link, MergeRule, Ranked, Refusal, Waiting
from scenthound.protocols.crawl import RobotsRules, Steers
from scenthound.protocols.library import FrontierStore

REFUSALS_A_TAKE = 1000

IN_MEMORY = 20_000
"""Waiting links that are held in memory, at one to two kilobytes each. The others cost eighteen bytes."""


class PoliteFrontier:
    """Waiting links in one order, hosts in peace. Synchronous, without clock or chance: same calls, same leases.

    | parameter | meaning |
    |---|---|
    | `store` | where the links beyond `in_memory` are; None keeps all in memory |
    | `host_pages` | when so many pages of a host have come, its other links are refused ("host limit"); 0 = never |
    | `limit` | the worst links over so many are forgotten ("frontier limit"); 0 = none. All of them stay in memory |
    | `in_memory` | about how many waiting links are held in memory |
    | `merge` | what a link found again waits with |
    | `denies` | says of a URL whose turn has come why it is refused after all, or None |
    | `gives_up` | says the same of a waiting link, as the strategy sees it; found again, it may come back |

    `side_requests` lets whoever has a lease ask for what its page needs besides, with the same manners.

    A forgotten link that is found again with a priority good enough comes in anew. A priority that is not a number
    counts as the lowest there is. `len()` is the number of waiting links, in memory and in the store.
    """

    def __init__(
        self,
        store: FrontierStore | None = None,
        politeness: PolitenessSection | None = None,
        *,
        host_pages: int = 0,
        limit: int = 0,
        in_memory: int = IN_MEMORY,
        merge: MergeRule = "max",
        denies: Callable[[str], str | None] | None = None,
        gives_up: Callable[[Waiting], str | None] | None = None,
    ) -> None:
        self._politeness = politeness or PolitenessSection()
        self._host_pages = host_pages
        self._limit = limit
        self._in_memory = in_memory
        self._denies = denies
        self._gives_up = gives_up
        self._memory_queue = MemoryQueue(store, in_memory, limit)
        self._hosts = HostTable(self._politeness, self._memory_queue, host_pages)
        self.side_requests = SideRequests(self._hosts, self._politeness)
        self._refused: dict[int, Refusal] = {}
        self._again: set[int] = set()
        self._waiters: dict[Callable[[], None], None] = {}
        self._priorities = PriorityChanges(self._memory_queue, self._hosts, self._again)
        self._intake = LinkIntake(
            self._memory_queue,
            self._hosts,
            self._priorities,
            rule=merge,
            limit=limit,
            host_pages=host_pages,
            again=self._again,
            refused=self._refused,
        )

    @classmethod
    def resume(
        cls,
        store: FrontierStore,
        now: float,
        politeness: PolitenessSection | None = None,
        *,
        host_pages: int = 0,
        limit: int = 0,
        in_memory: int = IN_MEMORY,
        merge: MergeRule = "max",
        pages: Mapping[str, int] | None = None,
        delays: Mapping[str, float] | None = None,
        near: Iterable[str] = (),
        denies: Callable[[str], str | None] | None = None,
        gives_up: Callable[[Waiting], str | None] | None = None,
        filled: bool = False,
    ) -> PoliteFrontier:
        """The frontier as the store remembers it.

        `pages`: how many pages of a host have come, for `host_pages`. `delays`: what robots.txt files asked for.
        `near`: hosts of start pages; which hosts those link to, nobody knows any more.
        `filled`: memory is filled at once, for those who ask for the `best` and would have them from before.
        Nobody knows when a host was last asked, so each rests its full delay from `now`; on a new store none was.
        """
        self = cls(
            store,
            politeness,
            host_pages=host_pages,
            limit=limit,
            in_memory=in_memory,
            merge=merge,
            denies=denies,
            gives_up=gives_up,
        )
        self._hosts.now = now
        self._intake.next_order = store.next_order()
        self._memory_queue.seen.load(store.known())
        if len(self._memory_queue.seen):
            self._hosts.began = now
        for name, count in (pages or {}).items():
            self._hosts.get(name).pages = count
        for name, delay in (delays or {}).items():
            self._hosts.get(name).ask_for_delay(delay, self._politeness)
        for name in near:
            self._hosts.get(name).near = True
        for queue in store.queues():
            host = self._hosts.get(queue.host)
            self._memory_queue.expect(host, queue)
            if limit:
                self._memory_queue.load(host, now)
            self._hosts.settle(host)
        if filled and not limit:
            hosts = list(self._hosts.by_name.values())
            self._memory_queue.fill(hosts, now)
            for host in hosts:
                self._hosts.settle(host)
        self._forget_worst()
        return self

    def __len__(self) -> int:
        return len(self._memory_queue)

    def hosts(self) -> int:
        """How many hosts were met."""
        return len(self._hosts)

    def busy(self) -> int:
        """How many hosts have a request under way."""
        return self._hosts.busy

    def manners(self, name: str, now: float) -> HostManners:
        """How a host is treated just now."""
        host = self._hosts.by_name.get(name)
        return HostManners() if host is None else host.manners(now)

    def asked_soon(self, name: str, now: float, seconds: float) -> bool:
        """Whether the host is asked, or may be within so many seconds."""
        manners = self.manners(name, now)
        return manners.state != "held" and manners.seconds <= seconds

    def is_near(self, name: str) -> bool:
        """Whether a start page is on this host, or links to it."""
        host = self._hosts.by_name.get(name)
        return host is not None and host.near

    def bring_near(self, name: str) -> None:
        """A start page is on this host."""
        self._hosts.bring_near(self._hosts.get(name))

    # In

    def put(self, ranked: Sequence[Ranked], depth: int, hops: int = 0) -> list[Waiting]:
        """Take in links found at `depth`; returns the rows to record. A link named twice counts once, at its best."""
        rows = self._intake.take_in(ranked, depth, hops)
        lost = self._forget_worst()
        self._memory_queue.clear(self._hosts.by_name.values())
        if rows:
            self._changed()
        return [row for row in rows if row.id not in lost] if lost else rows

    def next_order(self) -> int:
        """The number that the next link gets that nobody had seen: rows with a lower one are of links that waited."""
        return self._intake.next_order

    def again(self, links: Sequence[Waiting]) -> None:
        """Take in links that were done with, to be asked once more. Nothing is recorded: to the library they are done.

        Their priority is what it is, whoever finds them meanwhile, and no limit but robots.txt holds them back.
        """
        for link in links:
            if link.id not in self._memory_queue.links and link.id not in self._memory_queue.leased:
                host = self._hosts.get(link.host)
                self._again.add(link.id)
                self._memory_queue.seen.add(link.id, WAITS)
                self._memory_queue.lay(host, link)
                self._hosts.settle(host)

    def steer_by(self, steering: Steers | None, *, anew: bool = False) -> list[Waiting]:
        """From here on a person's rules shift priorities and refuse links; returns the rows that changed.

        Of links that wait, those in memory are moved at once. `anew`: they wait as the strategy ranked them.
        """
        rows = self._priorities.steer_by(steering, anew=anew)
        self._changed()
        return rows

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]:
        """New priorities for links in memory, whatever the merge rule; returns the rows that changed."""
        return self._priorities.rescore(priorities)

    def draw(self, start: int) -> Waiting | None:
        """Let the waiting link be next whose fingerprint comes first from `start` on; returns the row to record.

        As fingerprints are spread evenly, a random start makes it a random link of all that wait.
        """
        row = self._memory_queue.draw(start, DRAWN, self._hosts.by_name)
        if row is not None:
            self._hosts.settle(self._hosts.by_name[row.host])
            self._changed()
        return row

    def rank_again(self, priorities: Iterable[tuple[int, float]]) -> None:
        """New priorities for links in memory and in the store, where they are recorded already, as all else is."""
        self._priorities.rank_again(priorities)
        self._changed()

    def best(self, n: int) -> list[Waiting]:
        """The n best links in memory, best first."""
        best = self._memory_queue.best(n + len(self._again))
        return [link for link in best if link.id not in self._again][:n]

    def promised(self, now: float, seconds: float) -> float:
        """What the best link may be worth that is in the store alone and whose host may be asked so soon."""
        hosts = (host for host in self._hosts.by_name.values() if host.stored)
        return max((-host.store_key[0] for host in hosts if self.asked_soon(host.name, now, seconds)), default=-inf)

    def top(self, n: int) -> list[Waiting]:
        """The same as `best`, for who looks seldom, and without links whose own time has not come."""
        return self._memory_queue.top(n, self._hosts.by_name.values(), self._again)

    # Out

    def take(self, n: int, now: float, least: float = -inf, far: float = -inf) -> list[Waiting]:
        """Up to n leases, best first. Links under the `least` priority wait on, however free their hosts are.

        `far`: the same for hosts that no start page is on or links to.
        """
        self._hosts.advance(now)
        leases: list[Waiting] = []
        most = len(self._refused) + REFUSALS_A_TAKE
        while len(leases) < n and len(self._refused) < most and (turn := self._hosts.next(least, far)) is not None:
            host, key = turn
            lease = self._turn(host, key)
            if lease is not None:
                self._hosts.begin(host)
                leases.append(lease)
            self._hosts.settle(host)
        self._memory_queue.clear(self._hosts.by_name.values())
        return leases

    def _turn(self, host: HostState, key: Key) -> Waiting | None:
        """What the host gives that stood in line with `key`; None if it has less to give, or had to refuse it."""
        if host.robots_requests:
            return host.robots_requests.pop(0)
        link = self._memory_queue.reach(host, self._hosts.now, self._in_memory // (2 * len(self._hosts)))
        if link is None or host.queue[0] > key or host.free_at > self._hosts.now:
            return None
        if self._politeness.robots and host.outdated(self._hosts.now):
            host.asking = True
            return robots_lease(Link(url=urls.origin(link.link.url) + "/robots.txt", kind="robots"), host.name)
        if (reason := self._denial(host, link)) is not None:
            self._memory_queue.refuse(host, link)
            report(self._refused, link, reason)
            return None
        gives_up = self._gives_up if link.id not in self._again else None
        if gives_up is not None and (reason := gives_up(link)) is not None:
            self._memory_queue.refuse(host, link, LOST)
            report(self._refused, link, reason, for_good=False)
            return None
        host.proved = True
        self._memory_queue.lease(host, link)
        return link

    def _denial(self, host: HostState, link: Waiting) -> str | None:
        again = link.id in self._again
        if self._host_pages and host.pages >= self._host_pages and not again:
            return "host limit"
        if self._politeness.robots and (reason := host.refusal(link.link.url)) is not None:
            return reason
        if link.link.kind == "seed" and not again:
            return self._priorities.strikes(link.link.url)  # what a person named is asked for, unless it was struck
        if again:
            return None
        if (reason := self._priorities.refuses(link.link.url)) is not None or self._denies is None:
            return reason
        return self._denies(link.link.url)

    def done(
        self,
        lease: Waiting,
        now: float,
        retry: Waiting | None = None,
        slow: float = 0.0,
        struggles: bool = False,
        page: bool = True,
    ) -> None:
        """End a lease. `retry` puts the link back to wait until its `not_before`; `slow`: seconds the answer took.

        A host that `struggles`, as any whose link is to be tried again, is asked less often for a while. What brought
        no `page` does not count for `host_pages`.
        """
        host, robots_request = self._end(lease, now), lease.link.kind == "robots"
        host.answered(slow, struggles or retry is not None, self._politeness)
        if robots_request and retry is not None:
            self._hosts.ask_robots_later(retry)
        elif retry is not None:
            retry = replace(retry, priority=finite(retry.priority), order=lease.order)
            self._memory_queue.lay(host, retry, asleep=retry.not_before > self._hosts.now)
            self._forget_worst()
        elif not robots_request:
            host.pages += page and lease.id not in self._again
            self._again.discard(lease.id)
            self._memory_queue.seen.add(lease.id, OVER)
        self._hosts.settle(host)

    def give_back(self, lease: Waiting, now: float) -> None:
        """End a lease whose request was given up: it waits as before, and its host rests as after any request."""
        host = self._end(lease, now)
        if lease.link.kind == "robots":
            self._hosts.ask_robots(lease)
        else:
            self._memory_queue.lay(host, lease)
            self._forget_worst()
        self._hosts.settle(host)

    def _end(self, lease: Waiting, now: float) -> HostState:
        self._hosts.now = max(self._hosts.now, now)
        host, leased = self._hosts.by_name[lease.host], self._memory_queue.leased
        if not host.out or not (lease.link.kind == "robots" or lease.id in leased):
            raise ValueError(f"no lease is out on {lease.link.url}")
        leased.discard(lease.id)
        self._hosts.end(host)
        self._changed()
        return host

    def leased(self) -> int:
        """How many leases are out, robots requests among them."""
        return self._hosts.leased

    def tell_change(self, waiter: Callable[[], None]) -> None:
        """Call it once, when next a lease ends or links come in. It must not take at once: more may come with them."""
        self._waiters[waiter] = None

    def _changed(self) -> None:
        if self._waiters:
            waiters, self._waiters = self._waiters, {}
            for tell in waiters:
                tell()

    def next_time(self, now: float, least: float = -inf, far: float = -inf) -> float | None:
        """The earliest time at which `take` could give something: `now`, a later time, or None.

        None: nothing waits that time alone would bring. Leases may still be out, and their end bring more.
        """
        return self._hosts.next_time(now, least, far)

    # Hosts

    def rest(self, host: str, until: float) -> None:
        """Ask the host nothing before `until`, as its Retry-After wishes."""
        self._hosts.rest(host, until)

    def robots_request(self, link: Link, owner: str, hops: int = 0) -> None:
        """Fetch a robots.txt that lies on another host, or under another name, for the host `owner`."""
        self._hosts.ask_robots(robots_lease(link, owner, hops))

    def rules(self, host: str, rules: RobotsRules) -> None:
        """What the host's robots.txt says, until it expires."""
        self._hosts.rules(host, rules)

    def hold(self, host: str, until: float) -> None:
        """Let the host's links wait: its robots.txt could not be read. After `until` it is asked for again.

        `next_time` does not speak of that time: a crawl that has nothing else to do is over.
        """
        self._hosts.hold(host, until)

    def held(self) -> dict[str, int]:
        """The hosts that are held, each with how many links wait for it."""
        return self._hosts.held()

    def refused(self) -> list[Refusal]:
        """What was refused since last asked."""
        refusals = list(self._refused.values())
        self._refused.clear()
        return refusals

    # Refusals

    def _forget_worst(self) -> set[int]:
        lost = set()
        while (link := self._memory_queue.over_limit(self._limit)) is not None:
            self._memory_queue.refuse(self._hosts.by_name[link.host], link, LOST)
            report(self._refused, link, "frontier limit", for_good=False)
            lost.add(link.id)
        return lost

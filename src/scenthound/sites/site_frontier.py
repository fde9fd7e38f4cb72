"""A frontier of sites around a frontier of links: only what belongs to a site under way waits to be fetched.

At most `active` sites are under way. When one is over, or has nothing left that waits or is being fetched, the best of
the border is begun: its homepage is put in, and if that brings nothing, the page that was linked to. Whose turn it is
among the links that wait, robots and politeness are the business of the frontier inside.

Links of a site that is over are not taken out at once. The frontier inside asks about each when its turn comes
(`denies`), refuses it and says why, as it does with robots.

Seeds are all begun at once, whatever `active` says: the user wants to know what they are.

A site is begun by a `take` or `next_time`, not by a page, so the row of its homepage is not among those that `put`
returns. `announce` gets it, and must record it before it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Link, Ranked, Refusal, Waiting
from scenthound.protocols.crawl import RobotsRules
from scenthound.protocols.library import FrontierStore
from scenthound.sites.definition import homepage
from scenthound.sites.site_crawl import SiteCrawl

Announce = Callable[[Sequence[Waiting]], None]


class SiteProgress:
    """What of one site waits or is being fetched, and what else to try if it brings no page."""

    __slots__ = ("hosts", "out", "waiting", "ways")

    def __init__(self) -> None:
        self.waiting: set[int] = set()
        self.hosts: set[str] = set()
        self.out = 0
        self.ways: list[tuple[Ranked, int]] = []

    def waits(self, row: Waiting) -> None:
        self.waiting.add(row.id)
        self.hosts.add(row.host)


class SiteFrontier:
    """`protocols.Frontier` of a website crawl. `inside` was told to ask `sites.denies`."""

    def __init__(self, inside: PoliteFrontier, sites: SiteCrawl, announce: Announce) -> None:
        self.inside = inside
        self.sites = sites
        self._announce = announce
        self._open: dict[str, SiteProgress] = {}
        self._held: set[str] = set()  # hosts

    def resume(self, store: FrontierStore) -> SiteFrontier:
        """Finds the sites that were under way when the crawl ended, by the links of theirs that wait."""
        for queue in store.queues():
            for row in store.waiting(queue.host, queue.waiting):
                name = self.sites.site_of(row.link.url)
                self.sites.begin(name, row.memory)
                if self.sites.over(name) is None:
                    self._open.setdefault(name, SiteProgress()).waits(row)
        return self

    def under_way(self) -> list[str]:
        """The sites that are being looked at."""
        return list(self._open)

    # In

    def put(self, ranked: Sequence[Ranked], depth: int, hops: int = 0) -> list[Waiting]:
        admitted = [new for entry in ranked if (new := self.sites.admit(entry)) is not None]
        rows = self.inside.put(admitted, depth, hops)
        self._note(rows)
        if fronts := [front for new in admitted if (front := self._front(new)) is not None]:
            more = self.inside.put(fronts, depth, hops)
            self._note(more)
            rows += more
        return rows

    def next_order(self) -> int:
        return self.inside.next_order()

    def _front(self, new: Ranked) -> Ranked | None:
        """The homepage of the site of a seed that is none, right behind the seed."""
        if new.link.kind != "seed":
            return None
        front = homepage(self.sites.site_of(new.link.url), new.link.url)
        return Ranked(Link(front, source=new.link.url), new.priority - 1, new.memory) if front != new.link.url else None

    def _note(self, rows: Sequence[Waiting]) -> None:
        for row in rows:
            if row.host not in self._held:
                self._open.setdefault(self.sites.site_of(row.link.url), SiteProgress()).waits(row)

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]:
        return self.inside.rescore(priorities)

    def best(self, n: int) -> list[Waiting]:
        return self.inside.best(n)

    # Out

    def take(self, n: int, now: float, least: float = -inf, far: float = -inf) -> list[Waiting]:
        """`far` has no say: a site that is open was chosen, and is asked whenever it is free."""
        self._begin_sites()
        leases = self.inside.take(n, now, least)
        for lease in leases:
            if lease.link.kind != "robots" and (progress := self._progress(lease.link)) is not None:
                progress.waiting.discard(lease.id)
                progress.out += 1
        return leases

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
        self._ended(lease, waits=retry is not None)

    def give_back(self, lease: Waiting, now: float) -> None:
        self.inside.give_back(lease, now)
        self._ended(lease, waits=True)

    def _ended(self, lease: Waiting, waits: bool) -> None:
        progress = self._progress(lease.link)
        if progress is None or lease.link.kind == "robots":
            return
        progress.out = max(0, progress.out - 1)
        if waits:
            progress.waits(lease)

    def leased(self) -> int:
        return self.inside.leased()

    def tell_change(self, waiter: Callable[[], None]) -> None:
        self.inside.tell_change(waiter)

    def next_time(self, now: float, least: float = -inf, far: float = -inf) -> float | None:
        self._begin_sites()
        return self.inside.next_time(now, least)

    def asked_soon(self, name: str, now: float, seconds: float) -> bool:
        return self.inside.asked_soon(name, now, seconds)

    def refused(self) -> list[Refusal]:
        refusals = self.inside.refused()
        for refusal in refusals:
            if (progress := self._progress(refusal.link)) is not None:
                progress.waiting.discard(refusal.id)
        return refusals

    def _begin_sites(self) -> None:
        """Closes what has ended, and begins the next sites in the places that are free."""
        for name, progress in list(self._open.items()):
            if progress.out or (progress.waiting and self.sites.over(name) is None):
                continue
            if self.sites.over(name) is not None or not self._enter(name, progress):
                del self._open[name]
        while len(self._open) < self.sites.rules.active and (begun := self.sites.next_site()) is not None:
            progress = SiteProgress()
            progress.ways = self.sites.entrances(begun)
            if self._enter(begun, progress):
                self._open[begun] = progress

    def _enter(self, name: str, progress: SiteProgress) -> bool:
        """Puts in the next entrance of a site that has shown no page yet. False: there is none."""
        while progress.ways and not self.sites.sites[name].pages:
            way, depth = progress.ways.pop(0)
            if rows := self.inside.put([way], depth):
                for row in rows:
                    progress.waits(row)
                self._announce(rows)
                return True
        return False

    def _progress(self, link: Link) -> SiteProgress | None:
        return self._open.get(self.sites.site_of(link.url))

    # Hosts

    def rest(self, host: str, until: float) -> None:
        self.inside.rest(host, until)

    def robots_request(self, link: Link, owner: str, hops: int = 0) -> None:
        self.inside.robots_request(link, owner, hops)

    def rules(self, host: str, rules: RobotsRules) -> None:
        self._held.discard(host)
        self.inside.rules(host, rules)

    def hold(self, host: str, until: float) -> None:
        """Sites all of whose links wait for hosts that cannot be asked give their places to others."""
        self.inside.hold(host, until)
        self._held.add(host)
        for name, progress in list(self._open.items()):
            if not progress.out and progress.hosts <= self._held:
                del self._open[name]

    def held(self) -> dict[str, int]:
        return self.inside.held()

    def __len__(self) -> int:
        return len(self.inside)

"""A crawl that somebody else drives: judges the pages it is shown, ranks what is to be followed, says what is next.

It is put together as any crawl, with a library behind it; only the engine is not ours. So the order of things is told
from outside: `follow` and `start` take links in, `take` leases one, and each lease ends with one of `came`, `moved`,
`again` and `failed`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

from msgspec.structs import replace

from scenthound import urls
from scenthound.blas_threads import one_blas_thread
from scenthound.bounded_cache import BoundedCache
from scenthound.config import Config
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.assemble import page_crawl_parts, replay_visits
from scenthound.crawler.crawl_parts import noted_run, put_together
from scenthound.crawler.engine import SEED_PRIORITY
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.present_judge import present_context
from scenthound.model import Failed, Link, Ranked, Response, Step, Visit, Waiting
from scenthound.protocols.crawl import Clock, HearsMisses, Learns
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library

REMEMBERED_PAGES = 256
"""The last pages, whose links may still be asked for."""


class RankedPage(NamedTuple):
    visit: Visit
    links: dict[str, Ranked]  # by URL


class Nobody:
    """In the place of a fetcher: requests are made by whoever drives the crawl."""

    parallel = 1

    async def __call__(self, link: Link) -> Response | Failed:
        raise NotImplementedError("requests are made elsewhere")

    async def close(self) -> None:
        pass


class TopicFocus:
    """`library` stays open, and is the caller's to close."""

    def __init__(self, config: Config, library: Library, clock: Clock = time.time) -> None:
        self._run = ExitStack()
        self._run.enter_context(one_blas_thread())
        parts = page_crawl_parts(config, present_context(config, library, ExamplePages()))
        replay_visits(parts, library, config)
        self.crawl = put_together(config, parts, library, Nobody(), clock=clock)
        assert isinstance(self.crawl.digest, PageDigest)
        self.digest = self.crawl.digest
        self.frontier, self.library = self.crawl.frontier, library
        self.out_of_scope = 0  # links that were asked for, and are none of the crawl's
        self._clock = clock
        self._pages: BoundedCache[str, RankedPage] = BoundedCache(REMEMBERED_PAGES)
        self._run.enter_context(noted_run(self.crawl, library))

    def close(self, *, finished: bool) -> None:
        self.crawl.ending = "frontier empty" if finished else "stopped"
        self._run.close()
        self.library.flush()

    # Links

    def start(self, url: str) -> bool:
        """Takes in a page to start from; False where it is known already."""
        return self._take_in(Ranked(Link(url=url, kind="seed"), SEED_PRIORITY), 0)

    def follow(self, url: str, source: str) -> bool:
        """Takes in a link of a page that came before; False where it is known already, or out of scope."""
        page = self._pages.get(source)
        if page is None:
            return self.start(url)
        depth = page.visit.depth + 1
        ranked = page.links.get(url) or next(iter(self._rank(page.visit, (Link(url=url, source=source),))), None)
        if ranked is None or self.digest.scope.refuses(ranked.link, depth, page.visit.page.language) is not None:
            self.out_of_scope += 1
            return False
        return self._take_in(ranked, depth)

    def take(self) -> Waiting | None:
        """The best link whose host may be asked now."""
        leases = self.frontier.take(1, self._now())
        for denied in self.frontier.refused():
            lease = Waiting(id=denied.id, link=denied.link, host=denied.host, priority=0.0, order=0)
            self._record(*self.digest.refusal(lease, denied.reason, denied.for_good))
        return leases[0] if leases else None

    def wait(self) -> float | None:
        """Seconds until there may be something to take; None where time alone brings nothing."""
        now = self._now()
        when = self.frontier.next_time(now)
        return None if when is None else max(0.0, when - now)

    # What became of them

    def came(self, lease: Waiting, response: Response) -> Visit | None:
        """A page: judged, learned from, its links ranked for whoever wants to follow some. None: no page."""
        self.frontier.done(lease, self._now(), slow=response.elapsed)
        page = self.digest.read(response)
        if page.problem or response.status != 200:
            self._lost(lease, f"parser: {page.problem}" if page.problem else f"status: {response.status}")
            return None
        visit = self.digest.see(lease, page)
        if (learner := hook(self.digest.strategy, Learns)) is not None:
            learner.learn(visit)
        links, _, _ = self.digest.link_filter.sort(page, lease.depth + 1, lease.hops)
        self._pages.put(page.url, RankedPage(visit, {ranked.link.url: ranked for ranked in self._rank(visit, links)}))
        self._count(lease, response, visit)
        return visit

    def moved(self, lease: Waiting, target: str) -> bool:
        """It led elsewhere: the target stands in its place."""
        self.frontier.done(lease, self._now(), page=False)
        link = replace(lease.link, url=target, source=lease.link.url, kind="redirect")
        self.digest.tell_moved(lease.link, target)
        rows = self.frontier.put([Ranked(link, lease.priority, lease.memory)], lease.depth, lease.hops + 1)
        self._record(Step(lease=lease, state="moved", at=self._clock(), reason=target, found=tuple(rows)))
        return any(row.rule is None for row in rows)

    def again(self, lease: Waiting) -> None:
        """It is to be asked for once more."""
        now = self._now()
        waiting = replace(lease, tries=lease.tries + 1, not_before=now)
        self.frontier.done(lease, now, retry=waiting)
        self._record(Step(lease=waiting, state="waiting", at=self._clock(), reason="retry"))

    def failed(self, lease: Waiting, reason: str) -> None:
        self.frontier.done(lease, self._now(), page=False)
        self._lost(lease, reason)

    # Inside

    def _rank(self, visit: Visit, links: tuple[Link, ...]) -> Iterator[Ranked]:
        return iter(self.digest.strategy.rank(replace(visit, page=replace(visit.page, links=links))))

    def _take_in(self, ranked: Ranked, depth: int) -> bool:
        rows = self.frontier.put([ranked], depth)
        if rows:
            self._record(Step(lease=rows[0], state="waiting", at=self._clock(), found=tuple(rows)))
        return any(row.rule is None for row in rows)

    def _count(self, lease: Waiting, response: Response, visit: Visit) -> None:
        tally, near = self.crawl.tally, self.digest.near
        fingerprint = visit.page.simhash
        original = near.find(fingerprint) or ""
        if not original:
            near.add(fingerprint, visit.page.url)
        tally.pages += 1
        tally.requests += 1
        tally.duplicates += bool(original)
        tally.relevant += visit.relevant and not original
        self._record(
            Step(
                lease=lease,
                state="fetched",
                at=response.at,
                response=response,
                visit=visit,
                simhash=fingerprint,
                duplicate_of=original,
                found=tuple(self.digest.rescore()),
            )
        )

    def _lost(self, lease: Waiting, reason: str) -> None:
        self.crawl.tally.failed += 1
        if (hearer := hook(self.digest.strategy, HearsMisses)) is not None:
            hearer.missed(lease.link)
        self._record(Step(lease=lease, state="failed", at=self._clock(), reason=reason))

    def _record(self, *steps: Step) -> None:
        for step in steps:
            self.library.record(step)

    def _now(self) -> float:
        return self.crawl.pacing()


def canonical(url: str) -> str | None:
    """The URL in the spelling that is ours; None where it is none that can be crawled."""
    found = urls.canonical(url)
    return found if isinstance(found, str) else None

"""The only crawl loop. The life of a link, as the code below lives it:

1. A link waits in the **frontier** with a priority and what its strategy wants to remember.
2. The engine **leases** the best link whose host may be asked now.
3. The **fetcher** makes one request and returns a `Response` or a `Failed`.
4. The **parser** turns bytes into a `Page`.
5. The **judge** says how relevant it is, 0..1.
6. The **strategy** may learn from the visit, and ranks the page's links; the frontier takes them in.
7. The **library** stores page, links, judgement and the frontier's new state as one `Step`.

Every request passes the frontier's gate, one at a time for a host: redirects, retries and robots.txt files
come back as links, never as requests made on the side. That is what makes politeness provable.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.config import Config
from scenthound.crawl.feeds_and_sitemaps import KINDS, MOST_LINKS, FeedsAndSitemaps
from scenthound.crawl.link_filter import LinkFilter, refusal
from scenthound.crawl.traps import Traps
from scenthound.fetch import robots
from scenthound.gc_tuning import rare_collection
from scenthound.model import Failed, Link, Page, Ranked, Refusal, Response, Step, Visit, Waiting
from scenthound.parse.page import parse
from scenthound.parse.parser_pool import LARGE, ParserPool
from scenthound.protocols.crawl import Clock, Fetcher, Frontier, Judge, Library, Strategy
from scenthound.scope.scope import Scope
from scenthound.text.near_duplicates import NearDuplicates

Ending = Literal["pages", "requests", "minutes", "frontier empty", "stopped"]

Parser = Callable[[Response, str], Page]

SEED_PRIORITY = 1e6
"""Seeds come before every link a strategy ranks; a page that merely points on (refresh, frames) hands it down."""

REDIRECTS = frozenset({301, 302, 303, 307, 308})
ROBOTS_REDIRECTS = 5  # RFC 9309, 2.3.1.2
SPELL = 0.004
"""Seconds of work at a stretch, in a crawl with a crew: a crew that has nothing to do must not wait longer."""

RESCORED_LINKS = 1000
"""How many of the best waiting links an online strategy re-ranks at a time: what bounds its cost per page."""


class Tally(Struct):
    """What a crawl has done so far, for budgets and for whoever watches."""

    pages: int = 0
    relevant: int = 0
    requests: int = 0  # for pages; robots.txt files are not counted
    bytes: int = 0
    failed: int = 0
    duplicates: int = 0
    looks: int = 0  # at pages that were stored before


class Crawl:
    """One crawl from its frontier's state to its budget's end. `stop()` ends it early, at a clean point."""

    def __init__(
        self,
        config: Config,
        *,
        strategy: Strategy,
        judge: Judge,
        frontier: Frontier,
        fetcher: Fetcher,
        library: Library,
        scope: Scope,
        traps: Traps | None = None,
        feeds_and_sitemaps: FeedsAndSitemaps | None = None,
        seen_before: NearDuplicates | None = None,
        tally: Tally | None = None,
        clock: Clock = time.time,
        observers: Sequence[Callable[[Step], None]] = (),
        parse: Parser = parse,
        parser_pool: ParserPool | None = None,
    ) -> None:
        self.config = config
        self.strategy = strategy
        self.judge = judge
        self.frontier = frontier
        self.fetcher = fetcher
        self.library = library
        self.scope = scope
        self.traps = traps
        self.link_filter = LinkFilter(config, scope, traps)
        self.feeds_and_sitemaps = feeds_and_sitemaps or FeedsAndSitemaps()
        self.near = seen_before or NearDuplicates()
        self.tally = tally or Tally()
        self.clock = clock
        self.observers = observers
        self.parse = parse
        self._batch: int = getattr(strategy, "batch", 0)
        self.parser_pool = None if self._batch else parser_pool  # a batch is ranked in order, whoever parses first
        self.seconds: dict[str, float] = dict.fromkeys(("parse", "judge", "rank", "store"), 0.0)
        self.ending: Ending | None = None
        self._in_flight: dict[asyncio.Task[None], Waiting] = {}
        self._answers: deque[tuple[Waiting, Response | Failed]] = deque()
        self._read: dict[str, Page] = {}  # pages the crew has parsed, until their turn comes
        self._at_parser = 0
        self._wake = asyncio.Event()
        self._stopping = False

    # The loop

    def add_seeds(self, seeds: Sequence[str]) -> None:
        """Puts the seeds in the frontier. A seed that is no URL was refused when the settings were read."""
        links = [Link(url=url, kind="seed") for url in seeds]
        found = self.frontier.put([Ranked(link=link, priority=SEED_PRIORITY) for link in links], depth=0)
        new = [row for row in found if row.rule is None]  # the others wait already, from an earlier run
        if new:
            self._record(Step(lease=new[0], state="waiting", at=self.clock(), found=tuple(new)))

    async def run(self) -> Ending:
        deadline = self.clock() + 60 * self.config.crawl.minutes if self.config.crawl.minutes else float("inf")
        try:
            with rare_collection():
                self.ending = await self._until_the_end(deadline)
        finally:
            await self._abandon()
            self.library.flush()
        return self.ending

    async def _until_the_end(self, deadline: float) -> Ending:
        while True:
            ending = self._ending(deadline)
            if ending is None:
                self._lease()
            if not self._busy():
                if ending is None and self.frontier.next_time(self.clock()) is None:
                    ending = "frontier empty"
                if ending is not None:
                    return ending
            await self._wait(deadline)
            self._digest_answers()

    def stop(self, *, now: bool = False) -> None:
        """Lease nothing more. What is in flight is finished, or, with `now`, given up: it will be asked again."""
        self._stopping = True
        if now:
            for task in self._in_flight:
                task.cancel()
        self._wake.set()

    def _busy(self) -> int:
        return len(self._in_flight) + len(self._answers) + self._at_parser

    def _ending(self, deadline: float) -> Ending | None:
        budget = self.config.crawl
        if self._stopping:
            return "stopped"
        if budget.pages and self.tally.pages >= budget.pages:
            return "pages"
        if budget.requests and self.tally.requests >= budget.requests:
            return "requests"
        if self.clock() >= deadline:
            return "minutes"
        return None

    def _lease(self) -> None:
        """Starts as many requests as budget, slots and politeness allow."""
        budget, busy = self.config.crawl, self._busy()
        if self._batch and busy:
            return  # N best first: the next N are chosen when the last N are ranked
        free = self._batch or self.fetcher.parallel - busy
        if budget.pages:
            free = min(free, budget.pages - self.tally.pages - busy)
        if budget.requests:
            free = min(free, budget.requests - self.tally.requests - busy)
        if free <= 0:
            return
        for lease in self.frontier.take(free, self.clock()):
            task = asyncio.create_task(self._fetch(lease))
            self._in_flight[task] = lease
            task.add_done_callback(self._landed)
        self._record_refusals()

    async def _fetch(self, lease: Waiting) -> None:
        answer = await self.fetcher(lease.link)
        self._answers.append((lease, answer))

    def _landed(self, task: asyncio.Task[None]) -> None:
        lease = self._in_flight.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # A fetcher must not raise. One that does costs its page, not the crawl.
            self._answers.append((lease, Failed(url=lease.link.url, kind="protocol", detail=repr(error))))
        self._wake.set()

    async def _wait(self, deadline: float) -> None:
        """Until an answer is there, a host may be asked again, time is up, or somebody wants us to stop."""
        if self._answers and not (self._batch and self._in_flight):
            if self.parser_pool is not None:
                await asyncio.sleep(0)  # it speaks through the event loop
            return
        now = self.clock()
        wake_at = deadline
        if not self._stopping and len(self._in_flight) < self.fetcher.parallel and not self._batch:
            next_time = self.frontier.next_time(now)
            wake_at = min(wake_at, next_time if next_time is not None else wake_at)
        elif not self._in_flight:
            wake_at = min(wake_at, self.frontier.next_time(now) or now)
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if wake_at == float("inf") else max(0.0, wake_at - now)):
                await self._wake.wait()

    async def _abandon(self) -> None:
        tasks = list(self._in_flight)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # From an answer to a step

    def _digest_answers(self) -> None:
        if self._batch and self._in_flight:
            return
        if self._batch:
            self._answers = deque(sorted(self._answers, key=lambda answer: (-answer[0].priority, answer[0].order)))
        started = time.perf_counter()
        while self._answers:
            lease, answer = self._answers.popleft()
            if lease.link.kind == "robots":
                self._learn_rules(lease, answer)
            elif not self._handed_over(lease, answer):
                self._record(self._digest(lease, answer))
            if self.parser_pool is not None and time.perf_counter() - started > SPELL:
                break

    def _handed_over(self, lease: Waiting, answer: Response | Failed) -> bool:
        """Lets the crew parse a page, where there is one: a large page, or any while there is other work to do here."""
        if self.parser_pool is None or not isinstance(answer, Response) or answer.url in self._read:
            return False
        if not self._answers and len(answer.body) < LARGE:
            return False
        if answer.status != 200 or lease.link.kind in KINDS:
            return False

        def back(page: Page | None) -> None:
            self._at_parser -= 1
            if page is not None:
                self._read[answer.url] = page
            broken = Failed(url=answer.url, kind="protocol", detail="its source broke the parser", at=answer.at)
            self._answers.append((lease, answer if page is not None else broken))
            self._wake.set()

        taken = self.parser_pool.offer(answer, self.config.topic.language, back)
        self._at_parser += taken
        return taken

    def _digest(self, lease: Waiting, answer: Response | Failed) -> Step:
        """What becomes of an answer. A crawl that looks at pages again decides here which of them those are."""
        self.tally.requests += 1
        if isinstance(answer, Failed):
            return self._failure(lease, answer)
        self.tally.bytes += answer.wire or len(answer.body)
        if answer.status in REDIRECTS:
            return self._redirect(lease, answer)
        self.frontier.done(lease, self.clock(), slow=answer.elapsed)
        if lease.link.kind in KINDS:
            return self._consult(lease, answer)
        return self._visit(lease, answer)

    def _visit(self, lease: Waiting, response: Response) -> Step:
        visit = self._see(lease, response)
        fingerprint = visit.page.simhash
        original = self.near.find(fingerprint) or ""
        found, refused = self._follow(lease, visit)
        if not original:
            self.near.add(fingerprint, visit.page.url)
        if self.traps is not None:
            # A page with next to no words has no fingerprint to compare. Off the topic, one is like the other.
            repeats = bool(original) or not (fingerprint or visit.relevant)
            self.traps.learn(visit.page.url, duplicate=repeats, relevant=visit.relevant)
        self.tally.pages += 1
        self.tally.duplicates += bool(original)
        self.tally.relevant += visit.relevant and not original
        return Step(
            lease=lease,
            state="fetched",
            at=response.at,
            response=response,
            visit=visit,
            simhash=fingerprint,
            duplicate_of=original,
            found=found,
            refused=refused,
        )

    def _see(self, lease: Waiting, response: Response) -> Visit:
        """Lets the parser read the answer and the judge speak."""
        started = time.perf_counter()
        page = self._read.pop(response.url, None) or self.parse(response, self.config.topic.language)
        parsed = time.perf_counter()
        relevance = self.judge(page)
        self.seconds["parse"] += parsed - started
        self.seconds["judge"] += time.perf_counter() - parsed
        relevant = relevance >= self.config.crawl.threshold
        return Visit(lease.link, page, relevance, relevant, lease.depth, lease.memory)

    def _follow(self, lease: Waiting, visit: Visit) -> tuple[tuple[Waiting, ...], tuple[Refusal, ...]]:
        """Lets the strategy learn and rank, the scope refuse, and the frontier take in."""
        started = time.perf_counter()
        strategy, depth = self.strategy, lease.depth + 1
        if (learn := getattr(strategy, "learn", None)) is not None:
            learn(visit)
        links, onward, refused = self.link_filter.sort(visit.page, depth, lease.hops)
        found = self.frontier.put(strategy.rank(replace(visit, page=replace(visit.page, links=links))), depth)
        if onward and lease.hops < self.config.fetch.max_redirects:
            inherited = [Ranked(link=link, priority=lease.priority, memory=lease.memory) for link in onward]
            found += self.frontier.put(inherited, lease.depth, lease.hops + 1)
        if lists := self.feeds_and_sitemaps.worth_asking(visit):
            lists = [link for link in lists if self.scope.refuses(link, depth) is None]
            found += self.frontier.put([Ranked(link=link, priority=lease.priority) for link in lists], depth)
        found += self._rescore()
        self.seconds["rank"] += time.perf_counter() - started
        return tuple(found), refused

    def _consult(self, lease: Waiting, response: Response) -> Step:
        """A feed or sitemap: its links are ranked as if they stood on a page, but it is none."""
        page, lists = self.feeds_and_sitemaps.read(lease.link, response, self.config.topic.language)
        relevance = self.judge(page)
        links, _, refused = self.link_filter.sort(page, lease.depth, lease.hops)
        page = replace(page, links=links)
        visit = Visit(lease.link, page, relevance, relevance >= self.config.crawl.threshold, lease.depth, lease.memory)
        ranked = sorted(self.strategy.rank(visit), key=lambda entry: -entry.priority)[:MOST_LINKS]
        ranked += [Ranked(link=link, priority=lease.priority) for link in lists]
        found = tuple(self.frontier.put(ranked, lease.depth))
        return Step(lease=lease, state="fetched", at=response.at, response=response, found=found, refused=refused)

    def _rescore(self) -> list[Waiting]:
        """Lets a strategy that learned something say it again of the links that would go next."""
        rescore = getattr(self.strategy, "rescore", None)
        if rescore is None or self.tally.pages % getattr(self.strategy, "rescore_every", 1):
            return []
        waiting = self.frontier.best(RESCORED_LINKS)
        scores = rescore([entry.link for entry in waiting])
        return self.frontier.rescore([(entry.id, score) for entry, score in zip(waiting, scores, strict=True)])

    def _redirect(self, lease: Waiting, response: Response) -> Step:
        """The target becomes a waiting link in the place of the one that redirects."""
        now = self.clock()
        self.frontier.done(lease, now, slow=response.elapsed)
        target = urls.Base(lease.link.url).resolve(response.header("location"))
        if isinstance(target, urls.Malformed):
            return self._lost(lease, f"redirect: target is no URL we follow ({target.reason})", now)
        if lease.hops >= self.config.fetch.max_redirects:
            return self._lost(lease, f"redirect: more than {self.config.fetch.max_redirects} in a row", now)
        kind = lease.link.kind if lease.link.kind in KINDS else "redirect"
        link = replace(lease.link, url=target, source=lease.link.url, kind=kind)
        if (reason := self.scope.refuses(link, lease.depth)) is not None:
            refused = (refusal(link, reason, lease.depth),)
            return Step(lease=lease, state="moved", at=now, reason=target, response=response, refused=refused)
        stand_in = Ranked(link=link, priority=lease.priority, memory=lease.memory)
        found = tuple(self.frontier.put([stand_in], lease.depth, lease.hops + 1))
        return Step(lease=lease, state="moved", at=now, reason=target, response=response, found=found)

    def _failure(self, lease: Waiting, failed: Failed) -> Step:
        now, reason = self.clock(), reason_of(failed)
        if not self._worth_retrying(lease, failed):
            self.frontier.done(lease, now, slow=failed.elapsed)
            if failed.kind == "address":
                return Step(lease=lease, state="refused", at=now, reason=reason)
            return self._lost(lease, reason, now)
        return self._retry(lease, failed, now)

    def _worth_retrying(self, lease: Waiting, failed: Failed) -> bool:
        return failed.retry and lease.tries < self.config.fetch.retries

    def _retry(self, lease: Waiting, failed: Failed, now: float) -> Step:
        pause = max(failed.retry_after, self.config.fetch.backoff * 2**lease.tries)
        retry = replace(lease, tries=lease.tries + 1, not_before=now + pause)
        if failed.retry_after or failed.status in (429, 503):
            self.frontier.rest(lease.host, now + pause)
        self.frontier.done(lease, now, retry=retry, slow=failed.elapsed)
        return Step(lease=retry, state="waiting", at=now, reason=reason_of(failed))

    def _lost(self, lease: Waiting, reason: str, now: float) -> Step:
        self.tally.failed += 1
        if (missed := getattr(self.strategy, "missed", None)) is not None:
            missed(lease.link)
        return Step(lease=lease, state="failed", at=now, reason=reason)

    # Robots

    def _learn_rules(self, robots_request: Waiting, answer: Response | Failed) -> None:
        now, politeness = self.clock(), self.config.politeness
        owner = (robots_request.memory or b"").decode() or robots_request.host
        self.frontier.done(robots_request, now, slow=answer.elapsed)
        if isinstance(answer, Response) and answer.status in REDIRECTS and robots_request.hops < ROBOTS_REDIRECTS:
            target = urls.Base(robots_request.link.url).resolve(answer.header("location"))
            if isinstance(target, str):
                self.frontier.robots_request(Link(url=target, kind="robots"), owner, robots_request.hops + 1)
                return
        rules = robots.parse(answer, politeness.agent, now, politeness.max_crawl_delay)
        ruled = {owner}
        if urls.path(robots_request.link.url) == "/robots.txt":
            ruled.add(robots_request.host)  # where another host's led to: it is that host's own as well
        for host in ruled:
            self.frontier.rules(host, rules)
            self.feeds_and_sitemaps.note(host, rules.sitemaps)
        if isinstance(answer, Response) and answer.status == 200:
            delays = dict.fromkeys(ruled, rules.delay or 0.0)
            self.library.record(
                Step(lease=robots_request, state="fetched", at=answer.at, response=answer, delays=delays)
            )

    def _record_refusals(self) -> None:
        for denied in self.frontier.refused():
            lease = Waiting(id=denied.id, link=denied.link, host=denied.host, priority=0.0, order=0)
            self._record(self._refusal(lease, denied.reason))

    def _refusal(self, lease: Waiting, reason: str) -> Step:
        return Step(lease=lease, state="refused", at=self.clock(), reason=reason)

    def _record(self, step: Step) -> None:
        started = time.perf_counter()
        self.library.record(step)
        self.seconds["store"] += time.perf_counter() - started
        for observe in self.observers:
            observe(step)


def reason_of(failed: Failed) -> str:
    return f"{failed.kind}: {failed.detail or failed.status or 'no detail'}"

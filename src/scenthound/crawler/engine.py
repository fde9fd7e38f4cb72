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

Several engines of one event loop may crawl from one frontier into one library, each with a budget of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from math import inf

from scenthound.config import Config
from scenthound.crawler.answer_digest import AnswerDigest
from scenthound.crawler.budget import Budget, Ending, Tally
from scenthound.crawler.coverage.coverage_watch import CoverageWatch
from scenthound.crawler.page_thrift import PageThrift
from scenthound.crawler.robots_answers import RobotsAnswers
from scenthound.crawler.steady_clock import pacing_for
from scenthound.fetch.answer import of_a_still_web
from scenthound.fetch.robots import HostRules
from scenthound.gc_tuning import rare_collection
from scenthound.model import Failed, Link, Page, Ranked, Response, Step, Waiting
from scenthound.parse.parser_pool import ParserPool
from scenthound.parse.safe_parse import LARGE
from scenthound.protocols.crawl import Clock, Fetcher, Frontier
from scenthound.protocols.library import Recorder

SEED_PRIORITY = 1e6
"""Seeds come before every link a strategy ranks; a page that merely points on (refresh, frames) hands it down."""

GRACE = 5.0
"""Seconds that requests under way have left when time is up or somebody stops the crawl. Then they are given up, and
asked for again by the next crawl."""

SPELL = 0.004
"""Seconds of work at a stretch, in a crawl with a parser pool: a pool that has nothing to do must not wait longer."""


class Crawl:
    """One crawl from its frontier's state to its budget's end. `stop()` ends it early, at a clean point.

    | parameter | meaning |
    |---|---|
    | `digest` | says what answers mean: a `PageDigest`, or one around it |
    | `clock` | the time of the day, for what is stored |
    | `pacing` | when to ask, and when time is up; see `steady_clock` |
    | `observers` | hear of every step when it is recorded |
    | `parser_pool` | other processes that may parse pages |
    | `enough` | says why the crawl has what it wants, once it has |
    | `unread` | robots.txt files that the library knows as failed |

    `beside` is what goes on beside it for as long as it runs.
    """

    def __init__(
        self,
        config: Config,
        *,
        digest: AnswerDigest,
        frontier: Frontier,
        fetcher: Fetcher,
        library: Recorder,
        clock: Clock = time.time,
        pacing: Clock | None = None,
        observers: Sequence[Callable[[Step], None]] = (),
        parser_pool: ParserPool | None = None,
        unread: Iterable[str] = (),
        enough: Callable[[], Ending | None] | None = None,
    ) -> None:
        self.config = config
        self.digest = digest
        self.frontier = frontier
        self.fetcher = fetcher
        self.library = library
        self.clock = clock
        self.pacing = pacing or pacing_for(clock)
        self.observers = observers
        self.parser_pool = parser_pool
        self.ending: Ending | None = None
        self.at_hand: dict[str, Response] = {}  # answers that were asked for before the crawl, once for each URL
        self.coverage: CoverageWatch | None = None  # where somebody said when it is enough
        self.beside: Callable[[], Coroutine[None, None, None]] | None = None
        self.retopic: Callable[[Config], None] | None = None  # goes on by another topic; None: this crawl cannot
        self.look_at_labels: Callable[[], None] = lambda: None  # somebody has just set some
        self.judging_again: Callable[[], tuple[int, int] | None] = lambda: None  # stored pages: so many of so many
        self.robots = RobotsAnswers(
            config, digest, frontier, library, self._record, clock=self.clock, pacing=self.pacing, unread=unread
        )
        self._replayed: bool = getattr(fetcher, "recorded", False)
        self._enough = enough or (lambda: None)
        self._batch = digest.batch
        # Replayed, the best host is always free; of a batch, all belong together.
        self._thrift = PageThrift(frontier, on=not (self._replayed or self._batch))
        self._budget = Budget.of(config.crawl)
        self._in_flight: dict[asyncio.Task[None], Waiting] = {}
        self._answers: deque[tuple[Waiting, Response | Failed, Page | HostRules | None]] = deque()
        self._at_parser: dict[int, Waiting] = {}
        self._storing = 0.0
        self._wake = asyncio.Event()
        self._stopped_as: Ending | None = None
        self._giving_up = False
        self._began = self._deadline = inf
        self._paused_at: float | None = None

    @property
    def tally(self) -> Tally:
        """What was done so far."""
        return self.digest.tally

    @property
    def seconds(self) -> dict[str, float]:
        """How long each stage took so far."""
        return self.digest.seconds | {"store": self._storing}

    def held(self) -> dict[str, int]:
        """How many links wait for hosts whose robots.txt could not be read, by the kind of reason."""
        return self.robots.held()

    # The loop

    def add_seeds(self, seeds: Sequence[str]) -> None:
        """Puts the seeds in the frontier. A seed that is no URL was refused when the settings were read."""
        links = [Link(url=url, kind="seed") for url in seeds]
        found = self.frontier.put([Ranked(link=link, priority=SEED_PRIORITY) for link in links], depth=0)
        new = [row for row in found if row.rule is None]  # the others wait already, from an earlier run
        if new:
            self._record(Step(lease=new[0], state="waiting", at=self.clock(), found=tuple(new)))

    async def run(self, budget: Budget | None = None) -> Ending:
        """Until the budget is used up, by default that of the settings, or nothing waits that it allows to ask for."""
        self._budget = budget or Budget.of(self.config.crawl)
        try:
            with rare_collection():
                async with _accompanied(self.beside):
                    self._began = self._paused_at or self.pacing()
                    self._deadline = self._budget.deadline(self._began)
                    self.ending = await self._until_the_end()
            self._record_all(self.digest.finish())
        finally:
            await self._abandon()
            self.library.flush()
        return self.ending

    async def _until_the_end(self) -> Ending:
        last = inf
        while True:
            self._wake.clear()  # whoever calls from here on is heard
            ending, now = self._ending(), self.pacing()
            if over := self._stopped_as is not None or self._time_is_up():
                last = min(last, now + GRACE)
            if now >= last and not self._giving_up:
                self._give_up()
            asking = ending is None and not self.paused
            if asking:
                self._lease()
            if not self._busy():
                if asking and self._nothing_left():
                    ending = "frontier empty"
                if ending is not None:
                    return ending
            until = last if over else inf if self.paused else self._deadline
            await self._wait(inf if self._giving_up else until, asking=asking)
            self._digest_answers()

    def stop(self, *, now: bool = False, ending: Ending = "stopped") -> None:
        """Lease nothing more. What is in flight has a moment to end, or, with `now`, none: it will be asked again."""
        self._stopped_as = self._stopped_as or ending
        if now:
            self._give_up()
        self._wake.set()

    # While it runs

    @property
    def paused(self) -> bool:
        return self._paused_at is not None

    @property
    def time_left(self) -> float:
        """Seconds until the minutes of the budget are over, which stand still in a pause; infinite without any."""
        return self._deadline - (self._paused_at or self.pacing())

    def pause(self) -> None:
        """Leases nothing more until `go_on`. What is in flight ends, and the minutes of a budget stand still."""
        if self._paused_at is None:
            self._paused_at = self.pacing()
            self._wake.set()

    def go_on(self) -> None:
        if self._paused_at is not None:
            self._began += (rested := self.pacing() - self._paused_at)
            self._deadline += rested
            self._paused_at = None
            self._wake.set()

    def change_settings(self, config: Config) -> None:
        """Takes budget, threshold and parallelism from these settings, from the next request on."""
        self.config = config
        self._budget = self._budget.changed(Budget.of(config.crawl))
        self._deadline = self._budget.deadline(self._began)
        self.digest.change_settings(config)
        self.robots.config = config
        if self.fetcher.parallel != config.fetch.parallel:
            self.fetcher.parallel = config.fetch.parallel
        self._wake.set()

    def add_seeds_now(self, seeds: Sequence[str]) -> None:
        """As `add_seeds`, while it runs: whoever waits for something to do looks again."""
        self.add_seeds(seeds)
        self._wake.set()

    @property
    def _pool_shares(self) -> bool:
        """Whether small pages go to the parser pool, too: one that has nothing to do must not wait."""
        return self.parser_pool is not None and not (self._batch or self.parser_pool.large_only)

    def take_moved(self, rows: Sequence[Waiting]) -> None:
        """Records links that somebody has moved, and looks again what is next."""
        if rows:
            self._record(Step(lease=rows[0], state="waiting", at=self.clock(), found=tuple(rows)))
        self._wake.set()

    def _busy(self) -> int:
        """How many leases are ours."""
        return len(self._in_flight) + len(self._answers) + len(self._at_parser)

    def _nothing_left(self) -> bool:
        """Whether nothing waits, and nobody else who crawls from this frontier has a lease that could bring more."""
        return self.frontier.next_time(self.pacing(), self._budget.least) is None and not self.frontier.leased()

    def _ending(self) -> Ending | None:
        if self._stopped_as is not None:
            return self._stopped_as
        if (ending := self._budget.used_up(self.tally) or self._enough()) is not None:
            return ending
        return "minutes" if self._time_is_up() else None

    def _time_is_up(self) -> bool:
        return not self.paused and self.pacing() >= self._deadline

    def _lease(self) -> None:
        """Starts as many requests as budget, slots and politeness allow."""
        room = self._room()
        if room <= 0:
            return
        for lease in self._thrift.take(room, self.pacing(), self._budget, self.tally, idle=not self._busy()):
            task = asyncio.create_task(self._fetch(lease))
            self._in_flight[task] = lease
            task.add_done_callback(self._landed)
        self._record_refusals()

    def _room(self) -> int:
        """How many more requests could be under way."""
        busy = self._busy()
        if self._batch and busy:
            return 0  # N best first: the next N are chosen when the last N are ranked
        return self._budget.room(self.tally, busy, self._batch or self.fetcher.parallel - busy)

    async def _fetch(self, lease: Waiting) -> None:
        answer = self.at_hand.pop(lease.link.url, None) or await self.fetcher(lease.link)
        if self._replayed:
            answer = of_a_still_web(answer)
        rules = await self.robots.read(answer) if lease.link.kind == "robots" else None
        self._answers.append((lease, answer, rules))

    def _landed(self, task: asyncio.Task[None]) -> None:
        lease = self._in_flight.pop(task)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if task.cancelled() and self._giving_up:
            self.frontier.give_back(lease, self.pacing())
        elif error is not None:
            # A fetcher must not raise. One that does costs its page, not the crawl.
            failed = Failed(url=lease.link.url, kind="protocol", detail=repr(error))
            self._answers.append((lease, failed, None))
        self._wake.set()

    async def _wait(self, until: float, asking: bool) -> None:
        """Until an answer is there, time is up, somebody stops us, or, while we are `asking`, a host may be asked."""
        if self._answers and not (self._batch and (self._in_flight or self._at_parser)):
            if self.parser_pool is not None:
                await asyncio.sleep(0)  # it speaks through the event loop
            return
        now = self.pacing()
        if asking and self._room() > 0:
            next_time = self._thrift.next_time(now, self._budget.least)
            until = min(until, inf if next_time is None else next_time)
            if self.frontier.leased() > self._busy():  # another engine may bring work for this one
                self.frontier.tell_change(self._wake.set)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if until == inf else max(0.0, until - now)):
                await self._wake.wait()

    def _give_up(self) -> None:
        self._giving_up = True
        for task in self._in_flight:
            task.cancel()
        for lease in self._at_parser.values():
            self.frontier.give_back(lease, self.pacing())
        self._at_parser.clear()

    async def _abandon(self) -> None:
        """Gives back every lease, after a run that ended in the middle."""
        tasks = list(self._in_flight)
        self._give_up()
        await asyncio.gather(*tasks, return_exceptions=True)
        for lease, _, _ in self._answers:
            self.frontier.give_back(lease, self.pacing())
        self._answers.clear()
        self._giving_up = False

    # Answers

    def _digest_answers(self) -> None:
        if self._batch and self._in_flight:
            return
        if self._batch:
            if not self._whole_batch():
                return
            self._answers = deque(sorted(self._answers, key=lambda answer: (-answer[0].priority, answer[0].order)))
        started = time.perf_counter()
        while self._answers:
            lease, answer, read = self._answers.popleft()
            if lease.link.kind == "robots":
                self.robots.learn(lease, answer, read if isinstance(read, HostRules) else None)
            elif isinstance(read, Page) or not self._handed_over(lease, answer):
                self._record_all(self.digest.digest(lease, answer, read if isinstance(read, Page) else None))
            if self._pool_shares and time.perf_counter() - started > SPELL:
                break

    def _whole_batch(self) -> bool:
        """Whether nothing of it is with the parsers; what should be goes there now."""
        for _ in range(len(self._answers)):
            lease, answer, read = self._answers.popleft()
            if read is not None or lease.link.kind == "robots" or not self._handed_over(lease, answer):
                self._answers.append((lease, answer, read))
        return not self._at_parser

    def _handed_over(self, lease: Waiting, answer: Response | Failed) -> bool:
        """Lets the pool parse a page, where there is one: a large page, or any while there is other work to do here."""
        if self.parser_pool is None or not isinstance(answer, Response):
            return False
        if len(answer.body) < LARGE and (self._batch or not self._answers):
            return False  # of a batch, which is digested in its order, only what could hold it up
        if not self.digest.parsed_apart(lease, answer):
            return False

        def back(page: Page) -> None:
            if self._at_parser.pop(lease.id, None) is None:
                return  # it was given back meanwhile
            self._answers.append((lease, answer, page))
            self._wake.set()

        if not self.parser_pool.offer(answer, self.config.topic.language, back):
            return False
        self._at_parser[lease.id] = lease
        return True

    # To the library

    def _record_refusals(self) -> None:
        for denied in self.frontier.refused():
            lease = Waiting(id=denied.id, link=denied.link, host=denied.host, priority=0.0, order=0)
            self._record_all(self.digest.refusal(lease, denied.reason, denied.for_good))

    def _record_all(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self._record(step)

    def _record(self, step: Step) -> None:
        started = time.perf_counter()
        self.library.record(step)
        self._storing += time.perf_counter() - started
        for observe in self.observers:
            observe(step)


@contextlib.asynccontextmanager
async def _accompanied(beside: Callable[[], Coroutine[None, None, None]] | None) -> AsyncIterator[None]:
    """Ends what goes on beside a crawl together with it. What went wrong there is not kept quiet."""
    task = asyncio.create_task(beside()) if beside is not None else None
    try:
        yield
    finally:
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

"""One worker of a cluster: the ordinary engine, on the hosts of its shards, for as long as it holds their leases.

1. It reports, and is told which shards are its own. When that changes, it crawls on with the new ones.
2. It says what its best links are worth, and makes as many requests as it is allotted, for links as good as those.
3. Links that others found for its hosts are taken in, and pages of others learned from, every few moments.

It asks nobody once its leases may be over (`lease_keeper`): the clock begins before the report is sent, and ends early;
requests under way are given up then. Whoever takes the hosts over lets each rest for its delay first, as after any
restart.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

from msgspec.structs import replace

from scenthound import urls
from scenthound.cluster.lease_keeper import BEAT, LeasedFetcher, LeaseKeeper
from scenthound.cluster.shard_frontier import ShardFrontier
from scenthound.cluster.shared_learning import SharedLearning, shared_learning
from scenthound.config import Config
from scenthound.crawler.assemble import assembled, canonical_seeds, page_crawl_parts
from scenthound.crawler.budget import Budget
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.engine import Crawl
from scenthound.crawler.page_thrift import SHARE
from scenthound.crawler.rescored_links import rescored
from scenthound.errors import LeaseLost, LibraryError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library import open_shards, shard_leases
from scenthound.library.shards import shard_of
from scenthound.model import MergeRule
from scenthound.protocols.crawl import Clock, Context, Fetcher
from scenthound.protocols.library import Library
from scenthound.protocols.shards import ShardLeases, SharedLibrary, Standing, Worth

NOTHING = Worth()
PAUSE = 0.1
LOOK = 0.02
"""Seconds between two looks whether what was allotted is nearly used up."""


PATIENCE = 60.0
"""Seconds without a server after which a worker gives up."""

WORKED = 2.0
"""Seconds after which a try that failed had found a server at first, and lost it."""


def work(folder: Path, config: Config, *, fetcher: Callable[[], Fetcher] | None = None, seconds: float = 0.0) -> str:
    """A worker in a process of its own, until the crawl is over; why it is.

    Where PostgreSQL does not answer, it tries again for a while, under the same name: it keeps the hosts it has.
    `seconds`: that a lease lasts, where it is not to last as long as usual.
    """
    name = f"{socket.gethostname()}-{os.getpid()}-{token_hex(3)}"
    began = time.monotonic()
    while True:
        started = time.monotonic()
        try:
            with closing(shard_leases(folder, name)) as leases:
                leases.seconds = seconds or leases.seconds
                return asyncio.run(ShardWorker(folder, config, leases, fetcher=fetcher).run())
        except LibraryError:
            now = time.monotonic()
            if now - started > WORKED:
                began = now
            if now - began > PATIENCE:
                raise
            time.sleep(1.0)


class ShardWorker:
    """Crawls until the crawl is over for all. `fetcher` makes one for each stretch of work, else the settings do."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        leases: ShardLeases,
        *,
        fetcher: Callable[[], Fetcher] | None = None,
        clock: Clock = time.time,
        steady: Clock = time.monotonic,
    ) -> None:
        self._folder = folder
        # Seeds are the driver's, and so is the time: all workers end together.
        self._config = replace(config, crawl=replace(config.crawl, seeds=[], minutes=0.0, pages=0, until=[]))
        self._most = config.crawl.pages
        self._thrift = SHARE if Budget.of(config.crawl).thrifty else 0.0
        self._starts = {urls.host(seed) for seed in canonical_seeds(config.crawl.seeds)}
        self._leases = leases
        self._fetcher = fetcher
        self._clock = clock
        self._steady = steady
        self._keeper = LeaseKeeper(leases, steady)
        self._idle = False

    async def run(self) -> str:
        """Why it is over. To be called once."""
        self._keeper.start()
        try:
            ending = await self._until_it_is_over()
        finally:
            self._keeper.stop()
        with suppress(LibraryError):  # else they are over some seconds later
            await asyncio.to_thread(self._leases.leave)
        return ending

    async def _until_it_is_over(self) -> str:
        while not (standing := await self._report()).ending:
            if standing.surplus:
                await asyncio.to_thread(self._leases.give_back, standing.surplus)
            elif standing.shards:
                with suppress(LeaseLost):  # what was not stored waits, and is asked by whoever has the host now
                    await self._crawl(standing.shards)
            else:
                await asyncio.sleep(BEAT)
        return standing.ending

    async def _report(self, worth: Worth = NOTHING, crawling: Mapping[int, int] | None = None) -> Standing:
        """`crawling`: the shards that are crawled now. Where one of them is another's, nothing more is asked on any."""
        sent = self._steady()
        standing = await asyncio.to_thread(self._leases.report, worth, self._idle and not worth)
        if crawling is None or crawling.items() <= standing.shards.items():
            self._keeper.reported(standing.shards.keys(), sent)
        elif not standing.ending:
            self._keeper.lost()
        return standing

    # On these shards

    async def _crawl(self, shards: Mapping[int, int]) -> None:
        self._idle = False
        async with self._put_together(shards) as (crawl, frontier, library, learning):
            keeping = asyncio.create_task(self._keep_up(crawl, frontier, library, learning, shards))
            guarding = asyncio.create_task(self._give_up_in_time(crawl))
            try:
                await self._spend(crawl, frontier, library, learning, keeping, guarding)
            finally:
                keeping.cancel()
                guarding.cancel()
                await asyncio.gather(keeping, guarding, return_exceptions=True)

    @asynccontextmanager
    async def _put_together(
        self, shards: Mapping[int, int]
    ) -> AsyncIterator[tuple[Crawl, ShardFrontier, SharedLibrary, SharedLearning]]:
        made: list[tuple[ShardFrontier, CrawlParts]] = []

        def parts_of(config: Config, context: Context) -> CrawlParts:
            parts = page_crawl_parts(config, context)

            def around(inside: PoliteFrontier, _: Library) -> ShardFrontier:
                rule: MergeRule = getattr(parts.strategy, "merge", "max")
                frontier = ShardFrontier(inside, shards, rule, config.politeness, holds=self._keeper.holds)
                for host in self._starts:
                    if shard_of(host) in shards:
                        inside.bring_near(host)
                made.append((frontier, parts))
                return frontier

            # Who may ask says what is in memory: what only the store has would count for nothing beside others' links.
            # Start pages are the driver's to bring.
            return replace(parts, around=around, filled=True, examples=())

        asks = self._fetcher() if self._fetcher is not None else fetcher_for(self._config, clock=self._clock)
        fetcher = LeasedFetcher(asks, self._keeper.holds)
        with open_shards(self._folder, shards, self._config.library) as library:
            count = library.counts().fetched
            last = max((page.seq for page in library.pages(after=count)), default=count)
            async with assembled(
                self._config, library, fetcher=fetcher, clock=self._clock, parts=parts_of, may_be_empty=True
            ) as crawl:
                frontier, parts = made[-1]
                learning = shared_learning(parts, self._config, library, frozenset(shards), last, self._steady)
                crawl.observers = [*crawl.observers, learning]
                yield crawl, frontier, library, learning

    async def _spend(
        self,
        crawl: Crawl,
        frontier: ShardFrontier,
        library: SharedLibrary,
        learning: SharedLearning,
        *watching: asyncio.Task[None],
    ) -> None:
        """Crawls what it is allotted, again and again, until one of those who watch is through."""
        pause = PAUSE
        while not any(task.done() for task in watching):
            await self._learn(crawl, frontier, learning)
            worth, asked = frontier.worth(crawl.pacing()), crawl.tally.requests
            share = await self._allotted(frontier, worth, crawl.fetcher.parallel) if worth else 0
            if share and not any(task.done() for task in watching):
                self._idle = False
                await self._run(crawl, frontier, library, share)
            elif not worth:
                await asyncio.to_thread(library.flush)  # whoever says it has nothing to do has told all it found
                self._idle = True
            if crawl.tally.requests > asked:
                pause = PAUSE
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, BEAT)
        for task in watching:
            if task.done():
                task.result()

    async def _allotted(self, frontier: ShardFrontier, worth: Worth, at_once: int, holding: int = 0) -> int:
        """How many more requests it may make; from here on for links as good as those."""
        allot = partial(self._leases.allot, thrift=self._thrift, holding=holding)
        allotment = await asyncio.to_thread(allot, worth, self._most, at_once)
        frontier.spend(allotment)
        return allotment.requests

    async def _run(self, crawl: Crawl, frontier: ShardFrontier, library: SharedLibrary, share: int) -> None:
        """Makes so many requests, and asks for more in time: a run that ends has to wait for its last answers.

        What is allotted is for the best links, so one that brings no page uses up its part of it: else a worker whose
        links are dead would go on down to its worst, while others have better ones.
        """
        end, at_once, pause = crawl.tally.requests + share, crawl.fetcher.parallel, LOOK
        enough = at_once + at_once // 2  # requests under way, and some to go on with while it asks
        first = crawl.tally.pages - library.stored_pages()
        running = asyncio.create_task(crawl.run(Budget(requests=end)))
        try:
            while not running.done():
                await asyncio.wait([running], timeout=pause)
                if frontier.is_dry(crawl.pacing()):
                    break  # what it does not use is allotted to others
                if running.done() or end - crawl.tally.requests > enough:
                    pause = LOOK
                    continue
                worth = frontier.worth(crawl.pacing())
                holding = end - crawl.tally.requests + crawl.tally.pages - first - library.stored_pages()
                more = await self._allotted(frontier, worth, at_once, holding)
                if more and not running.done():
                    end += more
                    fetch = replace(crawl.config.fetch, parallel=at_once)
                    spent = replace(crawl.config.crawl, requests=end)
                    crawl.change_settings(replace(crawl.config, crawl=spent, fetch=fetch))
                pause = LOOK if more else min(max(PAUSE, 2 * pause), BEAT)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    @staticmethod
    async def _learn(crawl: Crawl, frontier: ShardFrontier, learning: SharedLearning) -> None:
        if await learning.catch_up():
            # Whoever is allotted no page asks none, and would not say anew what it learned from others.
            crawl.take_moved(rescored(learning.strategy, frontier))

    async def _give_up_in_time(self, crawl: Crawl) -> None:
        """When the leases may be over, requests under way are given up, whether the database answers or not."""
        await self._keeper.over()
        crawl.stop(now=True)

    async def _keep_up(
        self,
        crawl: Crawl,
        frontier: ShardFrontier,
        library: SharedLibrary,
        learning: SharedLearning,
        shards: Mapping[int, int],
    ) -> None:
        """Ends when the shards are no longer these, or the crawl is over; the crawl is stopping then.

        Requests under way have a moment to end: whoever has their hosts next does not ask while they are answered.
        """
        try:
            while True:
                standing = await self._report(frontier.worth(crawl.pacing()), shards)
                if standing.ending or standing.surplus or dict(standing.shards) != dict(shards):
                    return
                # Nowhere else: who takes links in between two reports must not be taken for idle meanwhile.
                if handed := await asyncio.to_thread(library.handed):
                    self._idle = False
                    frontier.receive(handed)
                    crawl.take_moved([])  # there may be something better to ask
                await self._learn(crawl, frontier, learning)
                await asyncio.sleep(BEAT)
        finally:
            crawl.stop()

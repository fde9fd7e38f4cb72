"""What a crawl loses while somebody watches it, three ways.

`sending`, with the CPU time of each view that is made in a crawl, is the account of all that is done for who watches.
It stands against the crawl's thread, and a machine that is busy with something else slows both alike.
`stretches`: one crawl that is watched and left alone in turns of some seconds, alone - watched - watched - alone. What
the machine does besides, and that a crawl slows down as it grows, falls on both alike. `pairs`: whole crawls in turns.

In both a process of its own hears the events as a browser does, the web is served by another, and all of it shares the
machine's cores with the crawl.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path

from msgspec import Struct

from benchmarks.dashboard_parts.demo_server import PAGES, large_demo_web
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import choose, make_plan
from scenthound.app.event_loop import run
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, ServerAddress
from scenthound.web.live import EVERY, LiveFeed
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf

STRETCH = 2.0  # seconds
ENOUGH = PAGES // 2  # of the web: towards its end a crawl slows down, watched or not
BLOCK = (False, True, True, False)  # whether somebody watches, stretch by stretch
USUAL = 12_000  # bytes of a view
WARM_UP = 4.0  # seconds of a crawl before the first stretch
PLAIN = {"strategy": "best-first", "judge": "keywords"}
"""A crawl that learns nothing: several times as fast, so a view stands against more pages."""

LISTENER = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("GET", "/api/libraries/demo/events")
answer = connection.getresponse()
print("listening", flush=True)
while answer.readline():
    pass
"""


class CrawlCost(Struct, frozen=True):
    """Of a crawl, or of stretches of it."""

    pages: int
    seconds: float
    cpu: float  # seconds, of crawl and dashboard together
    views: tuple[float, ...]  # CPU seconds of each view that was made for who watches

    @property
    def rate(self) -> float:
        return self.pages / self.seconds

    @property
    def cpu_a_page(self) -> float:
        return self.cpu / max(1, self.pages)


CostPair = tuple[CrawlCost, CrawlCost]
"""Alone, watched."""


def stretches(seconds: float, options: dict[str, str], told: Callable[[CostPair], None]) -> list[CostPair]:
    """Of each block of stretches, for about so long: what was done alone, and what was done while somebody watched."""
    return run(_stretches(seconds, options, told))


def sending(seconds: float) -> float:
    """CPU seconds that it takes to send views of usual size to somebody for a second, without making them."""
    return run(_sending(seconds))


async def _sending(seconds: float) -> float:
    shelf, made = Shelf([]), LiveFeed.view
    with tempfile.TemporaryDirectory() as temporary:
        shelf.add(Path(temporary) / "demo")
        numbers = itertools.count()
        LiveFeed.view = lambda feed: b'{"view": %d, "%s": 1}' % (next(numbers), b"x" * USUAL)  # type: ignore[method-assign, assignment]
        try:
            async with serving(shelf, Address(port=0)) as address:
                await asyncio.sleep(1.0)  # what is done once
                spent = {}
                for watched in (False, True):
                    async with _listening(address.port if watched else 0):
                        before = time.thread_time()  # of the server's thread, as it is the crawl's
                        await asyncio.sleep(seconds)
                        spent[watched] = time.thread_time() - before
        finally:
            LiveFeed.view = made  # type: ignore[method-assign, assignment]
    return (spent[True] - spent[False]) / seconds


def pairs(rounds: int, pages: int, options: dict[str, str], told: Callable[[CostPair], None]) -> list[CostPair]:
    """Alone and watched, in turns, so that a machine that grows slower or faster does so for both."""
    return run(_pairs(rounds, pages, options, told))


async def _stretches(seconds: float, options: dict[str, str], told: Callable[[CostPair], None]) -> list[CostPair]:
    found: list[CostPair] = []
    until = time.perf_counter() + seconds
    async with _web() as web:
        while time.perf_counter() < until:
            async with _watchable(web, options, 0) as (session, port):
                crawl = asyncio.create_task(session.run())
                await asyncio.sleep(WARM_UP)
                while time.perf_counter() < until and session.progress.pages < ENOUGH and not crawl.done():
                    block = await _block(session, port)
                    if crawl.done():
                        break  # it ran out of pages
                    found.append(block)
                    told(block)
                session.stop(now=True)
                await crawl
    return found


async def _block(session: CrawlSession, port: int) -> CostPair:
    costs: dict[bool, list[CrawlCost]] = {False: [], True: []}
    for watched in BLOCK:
        async with _listening(port if watched else 0):
            await asyncio.sleep(
                EVERY / 2
            )  # who listens gets a view at once: not in the stretch, which has one a second
            costs[watched].append(await _stretch(session))
    return _joined(costs[False]), _joined(costs[True])


async def _stretch(session: CrawlSession) -> CrawlCost:
    with _timed_views() as views:
        pages, started, cpu = session.progress.pages, time.perf_counter(), time.process_time()
        await asyncio.sleep(STRETCH)
        return CrawlCost(
            session.progress.pages - pages, time.perf_counter() - started, time.process_time() - cpu, tuple(views)
        )


def _joined(costs: list[CrawlCost]) -> CrawlCost:
    return CrawlCost(
        sum(cost.pages for cost in costs),
        sum(cost.seconds for cost in costs),
        sum(cost.cpu for cost in costs),
        tuple(itertools.chain.from_iterable(cost.views for cost in costs)),
    )


async def _pairs(rounds: int, pages: int, options: dict[str, str], told: Callable[[CostPair], None]) -> list[CostPair]:
    found = []
    async with _web() as web:
        await _crawl(web, False, pages, options)  # what is done once in a process is done
        for number in range(rounds):
            order = (False, True) if number % 2 else (True, False)
            costs = {watched: await _crawl(web, watched, pages, options) for watched in order}
            found.append((costs[False], costs[True]))
            told(found[-1])
    return found


async def _crawl(web: ServerAddress, watched: bool, pages: int, options: dict[str, str]) -> CrawlCost:
    async with _watchable(web, options, pages) as (session, port), _listening(port if watched else 0):
        started, before = time.perf_counter(), time.process_time()
        with _timed_views() as views:
            await session.run()
        seconds, cpu = time.perf_counter() - started, time.process_time() - before
    return CrawlCost(session.progress.pages, seconds, cpu, tuple(views))


@cache
def _large_web() -> GeneratedWeb:
    return large_demo_web()


@asynccontextmanager
async def _watchable(
    web: ServerAddress, options: dict[str, str], pages: int
) -> AsyncIterator[tuple[CrawlSession, int]]:
    """As `crawl --demo --serve` does it, without latency and delays: served in any case, at this port."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "demo"
        given = CrawlOptions(into=folder, pages=pages, delay=0.0, parallel=16, **options)  # type: ignore[arg-type]
        plan = make_plan(choose(_large_web().topics(), None), given)
        session = CrawlSession(plan, fetcher=fetcher_for(plan.config, resolver=DemoResolver(_large_web(), web)))
        shelf = Shelf([])
        shelf.add(folder).live.watch(session)
        async with serving(shelf, Address(port=0)) as address:
            yield session, address.port


@contextmanager
def _timed_views() -> Iterator[list[float]]:
    """What each view of the crawl takes of the crawl's thread: a figure that a busy machine does not drown."""
    spent: list[float] = []
    make = LiveFeed.view

    def timed(feed: LiveFeed) -> bytes:
        before = time.thread_time()
        made = make(feed)
        spent.append(time.thread_time() - before)
        return made

    LiveFeed.view = timed  # type: ignore[method-assign, assignment]
    try:
        yield spent
    finally:
        LiveFeed.view = make  # type: ignore[method-assign, assignment]


@asynccontextmanager
async def _listening(port: int) -> AsyncIterator[None]:
    """Somebody in a process of its own who hears the events, as a browser does; with port 0 nobody."""
    if not port:
        yield
        return
    async with _program("-c", LISTENER, str(port)) as listener:
        assert listener.stdout is not None
        await listener.stdout.readline()
        yield


@asynccontextmanager
async def _web() -> AsyncIterator[ServerAddress]:
    async with _program("-m", "benchmarks.dashboard_parts.demo_server") as server:
        assert server.stdout is not None
        yield ServerAddress("127.0.0.1", int(await server.stdout.readline()))


@asynccontextmanager
async def _program(*arguments: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=PIPE)
    try:
        yield process
    finally:
        process.terminate()
        await process.wait()

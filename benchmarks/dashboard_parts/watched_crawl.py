"""A crawl of the demo's web, and the same crawl with a browser's connection that hears of it: side by side."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from msgspec import Struct

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import demo_web, plan_demo
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web_server import DemoResolver, ServerAddress
from scenthound.web.live import LiveFeed
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf

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
    cpu: float  # seconds, of crawl and dashboard together
    rate: float  # pages a second
    views: tuple[float, ...]  # CPU seconds of each view that was made for who watches


CostPair = tuple[CrawlCost, CrawlCost]
"""Alone, watched."""


def pairs(rounds: int, pages: int, told: Callable[[CostPair], None]) -> list[CostPair]:
    """Alone and watched, in turns, so that a machine that grows slower or faster does so for both."""
    return asyncio.run(_pairs(rounds, pages, told))


async def _pairs(rounds: int, pages: int, told: Callable[[CostPair], None]) -> list[CostPair]:
    found = []
    async with _program("-m", "benchmarks.dashboard_parts.demo_server") as server:
        assert server.stdout is not None
        web = ServerAddress("127.0.0.1", int(await server.stdout.readline()))
        await _crawl(web, False, pages)  # what is done once in a process is done
        for number in range(rounds):
            order = (False, True) if number % 2 else (True, False)
            costs = {watched: await _crawl(web, watched, pages) for watched in order}
            found.append((costs[False], costs[True]))
            told(found[-1])
    return found


async def _crawl(web: ServerAddress, watched: bool, pages: int) -> CrawlCost:
    """As `crawl --demo --serve` does it, without latency and delays: served in both cases, watched in one."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "demo"
        plan = plan_demo(None, CrawlOptions(into=folder, pages=pages, delay=0.0, parallel=16))
        session = CrawlSession(plan, fetcher=fetcher_for(plan.config, resolver=DemoResolver(demo_web(), web)))
        shelf = Shelf([])
        shelf.add(folder).live.watch(session)
        async with serving(shelf, Address(port=0)) as address, _listening(address.port if watched else 0):
            started, before = time.perf_counter(), time.process_time()
            with _timed_views() as views:
                await session.run()
            seconds, cpu = time.perf_counter() - started, time.process_time() - before
        return CrawlCost(cpu, session.progress.pages / seconds, tuple(views))


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

    LiveFeed.view = timed  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        LiveFeed.view = make  # type: ignore[method-assign]


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
async def _program(*arguments: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=PIPE)
    try:
        yield process
    finally:
        process.terminate()
        await process.wait()

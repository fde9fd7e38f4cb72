"""A crawl by many workers, from its settings to its end.

1. The library is prepared by the ordinary way of a crawl: tables, examples, judgements, seeds. Nothing is asked yet but
   examples. The lock of a lone writer is given back then.
2. Workers are started, and share the hosts among themselves.
3. The database is watched until it says that the crawl is over: its pages are there, nothing waits, or time is up.

A driver that dies is started again by the same command: workers that it left behind are ended first. One that finds the
server gone waits a minute for it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.errors import ConfigError, LibraryError, LibraryMissing
from scenthound.library import open_library, shard_leases
from scenthound.library.folder import address_in
from scenthound.library.shared_folder import cut_tails, note_ending
from scenthound.protocols.crawl import Clock, Fetcher
from scenthound.protocols.library import Library
from scenthound.protocols.records import LibraryCounts
from scenthound.protocols.shards import ShardLeases

LOOK = 1.0
"""Seconds between two looks at the database."""

PATIENCE = 60.0
"""Seconds without a server after which a driver gives up."""

NO_WORKER = 120.0
"""Seconds without any worker after which a driver gives up."""

T = TypeVar("T")


class Workers(Protocol):
    """Whoever starts workers, and starts them again when they die."""

    def start(self, folder: Path, config: Config, count: int) -> None: ...

    def check(self) -> None:
        """Raises where no worker can go on, and says why."""
        ...

    def shortage(self) -> str:
        """What keeps workers from starting, as the rest of a sentence; empty where nothing is known to."""
        ...

    def stop(self) -> None: ...


class ClusterOutcome(Struct, frozen=True):
    ending: str
    counts: LibraryCounts
    new_pages: int
    seconds: float


async def crawl_with_workers(
    config: Config,
    folder: Path,
    workers: Workers,
    count: int,
    *,
    fetcher: Fetcher | None = None,
    prepared: Callable[[], None] = lambda: None,
    told: Callable[[LibraryCounts], None] = lambda counts: None,
    doing: Callable[[str], None] = lambda what: None,
    stopping: asyncio.Event | None = None,
    clock: Clock = time.monotonic,
) -> ClusterOutcome:
    """Crawls with so many workers. `prepared` is called when the library is, `told` hears how far it is.

    `doing` hears what is being done before the first page comes. Once `stopping` is set, it ends at a clean point.
    """
    _refuse(config)
    began, stopping = clock(), stopping or asyncio.Event()
    doing("Preparing the library")
    await asyncio.to_thread(_end_earlier_workers, folder)
    async with assembled(config, folder, fetcher=fetcher) as crawl:
        before = crawl.tally.pages
        prepared()
        crawl.ending = "stopped"  # of the part that prepared it; what comes of the whole is noted at the end
    driver = CrawlDriver(config, folder, workers, told, stopping, clock)
    doing(f"Starting {count} workers")
    ending = await driver.run(count)
    with await _patiently(lambda: open_library(folder)) as library:
        cut_tails(library)
        counts = library.counts()
        note_ending(library, ending, {"pages": counts.fetched - before, "workers": count})
    return ClusterOutcome(ending, counts, counts.fetched - before, clock() - began)


def _refuse(config: Config) -> None:
    if config.crawl.until:
        raise ConfigError("--until is for a crawl without workers: it draws links from all that wait. Leave it out.")
    if config.crawl.requests:
        raise ConfigError("crawl.requests is for a crawl without workers: these share a budget of pages. Set pages.")
    if config.fetch.demo:
        raise ConfigError("The built-in web of --demo is served by one process: leave out --workers.")
    if config.crawl.rebuild_topic:
        raise ConfigError("crawl.rebuild_topic is for a crawl without workers: each would rebuild a topic of its own.")


def _leading(folder: Path) -> ShardLeases:
    leases = shard_leases(folder, f"driver-{os.getpid()}")
    try:
        leases.lead()
        return leases
    except BaseException:
        leases.close()
        raise


def _end_earlier_workers(folder: Path) -> None:
    """A driver that was killed may have left workers behind, which hold hosts and write."""
    if not address_in(folder):
        return
    with suppress(LibraryMissing), closing(_leading(folder)) as leases:
        leases.end_all()


async def _patiently(make: Callable[[], T]) -> T:
    """What it makes, once the server answers again; the last error where it does not for too long."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return await asyncio.to_thread(make)
        except LibraryError as error:
            if type(error) is not LibraryError or time.monotonic() > deadline:  # a kind of its own is no lost server
                raise
            await asyncio.sleep(LOOK)


class CrawlDriver:
    """Starts workers and watches the database. A server that is started anew meanwhile does not disturb it."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        workers: Workers,
        told: Callable[[LibraryCounts], None],
        stopping: asyncio.Event,
        clock: Clock,
    ) -> None:
        self._folder = folder
        self._config = config
        self._workers = workers
        self._told = told
        self._stopping = stopping
        self._clock = clock
        self._deadline = clock() + 60 * config.crawl.minutes if config.crawl.minutes else float("inf")
        self._seen_at = clock()  # a worker

    async def run(self, count: int) -> str:
        """Why the crawl is over."""
        self._leases = await _patiently(lambda: _leading(self._folder))
        try:
            await asyncio.to_thread(self._leases.begin)
            self._workers.start(self._folder, self._config, count)
            self._seen_at = self._clock()
            try:
                return await self._watch()
            finally:
                with suppress(LibraryError):  # where the server is gone, workers end by themselves
                    await asyncio.to_thread(self._leases.end, "stopped")
                await asyncio.to_thread(self._workers.stop)
                with suppress(LibraryError):
                    await asyncio.to_thread(self._leases.end_all)
        finally:
            self._leases.close()

    async def _watch(self) -> str:
        with await _patiently(lambda: open_library(self._folder, write=False)) as library:
            while True:
                try:
                    if ending := await asyncio.to_thread(self._look, library):
                        return ending
                except LibraryError as error:
                    await self._connect_again(error)
                self._check_workers()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), LOOK)

    def _look(self, library: Library) -> str:
        if not (ending := self._leases.ending()) and (self._stopping.is_set() or self._clock() >= self._deadline):
            self._leases.end("stopped" if self._stopping.is_set() else "minutes")
            ending = self._leases.ending()
        if self._leases.workers():
            self._seen_at = self._clock()
        self._told(library.counts())
        return ending

    def _check_workers(self) -> None:
        self._workers.check()
        if self._clock() > self._seen_at + NO_WORKER:
            raise LibraryError(
                f"No worker has reported for {NO_WORKER:.0f} seconds{self._workers.shortage()}. What is stored is "
                "intact: the same command goes on."
            )

    async def _connect_again(self, error: LibraryError) -> None:
        if type(error) is not LibraryError:
            raise error
        self._leases.close()
        self._leases = await _patiently(lambda: _leading(self._folder))
        self._seen_at = self._clock()

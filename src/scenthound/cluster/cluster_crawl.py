"""A crawl by many workers, from its settings to its end.

1. The library is prepared by the ordinary way of a crawl: tables, examples, judgements, seeds. Nothing is asked yet but
   examples. The lock of a lone writer is given back then.
2. Workers are started, and share the hosts among themselves.
3. The database is watched until it says that the crawl is over: its pages are there, nothing waits, or time is up.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.errors import ConfigError, LibraryError
from scenthound.library import open_library, shard_leases
from scenthound.library.shared_folder import cut_tails, note_ending
from scenthound.protocols.crawl import Clock, Fetcher
from scenthound.protocols.records import LibraryCounts
from scenthound.protocols.shards import ShardLeases

LOOK = 1.0
"""Seconds between two looks at the database."""


class Workers(Protocol):
    """Whoever starts workers, and starts them again when they die."""

    def start(self, folder: Path, config: Config, count: int) -> None: ...

    def check(self) -> None:
        """Raises where no worker can go on, and says why."""
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
    stopping: asyncio.Event | None = None,
    clock: Clock = time.monotonic,
) -> ClusterOutcome:
    """Crawls with so many workers. `prepared` is called when the library is, `told` hears how far it is.

    Once `stopping` is set, it ends at a clean point.
    """
    _refuse(config)
    began, stopping = clock(), stopping or asyncio.Event()
    async with assembled(config, folder, fetcher=fetcher) as crawl:
        before = crawl.tally.pages
        prepared()
        crawl.ending = "stopped"  # of the part that prepared it; what comes of the whole is noted at the end
    leases = shard_leases(folder, f"driver-{os.getpid()}")
    try:
        leases.begin()
        workers.start(folder, config, count)
        try:
            ending = await _watch(config, folder, leases, workers, told, stopping, clock)
        finally:
            with suppress(LibraryError):  # where the server is gone, workers end by themselves
                leases.end("stopped")
            workers.stop()
    finally:
        leases.close()
    with open_library(folder) as library:
        cut_tails(library)
        counts = library.counts()
        note_ending(library, ending, {"pages": counts.fetched - before, "workers": count})
    return ClusterOutcome(ending, counts, counts.fetched - before, clock() - began)


def _refuse(config: Config) -> None:
    if config.crawl.until:
        raise ConfigError("--until is for a crawl without workers: it draws links from all that wait. Leave it out.")
    if config.fetch.demo:
        raise ConfigError("The built-in web of --demo is served by one process: leave out --workers.")
    if config.crawl.rebuild_topic:
        raise ConfigError("crawl.rebuild_topic is for a crawl without workers: each would rebuild a topic of its own.")


async def _watch(
    config: Config,
    folder: Path,
    leases: ShardLeases,
    workers: Workers,
    told: Callable[[LibraryCounts], None],
    stopping: asyncio.Event,
    clock: Clock,
) -> str:
    deadline = clock() + 60 * config.crawl.minutes if config.crawl.minutes else float("inf")
    with open_library(folder, write=False) as library:
        while not (ending := await asyncio.to_thread(leases.ending)):
            workers.check()
            if stopping.is_set() or clock() >= deadline:
                await asyncio.to_thread(leases.end, "stopped" if stopping.is_set() else "minutes")
                continue
            told(await asyncio.to_thread(library.counts))
            try:
                await asyncio.wait_for(stopping.wait(), LOOK)
            except TimeoutError:
                continue
    return ending

"""Scenthound through its real engine: HTTP, robots, judge and strategy as they are by default, SQLite and WARC."""

from __future__ import annotations

import os
import resource
import threading
import time
from time import perf_counter, thread_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

import uvloop

import scenthound.judges.auto
import scenthound.strategies.auto  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from scenthound.config import Config, CrawlSection, FetchSection, PolitenessSection, ScopeSection, TopicSection
from scenthound.crawler.assemble import assembled
from scenthound.parse.parser_pool import pool_size
from throughput_parts.race import IN_FLIGHT, Task, finish


def config(given: Task, chosen: dict[str, Any]) -> Config:
    return Config(
        topic=TopicSection(name=" ".join(given.topic), keywords=list(given.topic)),
        crawl=CrawlSection(seeds=[given.start], pages=0, **chosen),
        scope=ScopeSection(allow=f"host:{given.origin.partition('//')[2]}"),
        politeness=PolitenessSection(delay=0.0, connections=IN_FLIGHT),
        fetch=FetchSection(parallel=IN_FLIGHT, private_addresses=True),
    )


async def crawl(given: Task, chosen: dict[str, str]) -> tuple[int, dict[str, float]]:
    before = thread_time()  # whatever Python took to start is no part of it
    async with assembled(config(given, chosen), given.folder / "library") as crawl:
        await crawl.run()
        spent = {"crawling": thread_time() - before, "storing": storing_seconds()}
        return crawl.tally.pages, crawl.seconds | spent


def storing_seconds() -> float:
    """CPU time of the threads that store what the crawl found; 0 where the system does not tell, as on macOS."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    storing = [thread for thread in threading.enumerate() if thread.name.startswith("library")]
    return sum(time.clock_gettime(clock_of(thread.ident)) for thread in storing) if clock_of is not None else 0.0


def main(given: Task, **chosen: str) -> None:
    """`chosen`: strategy and judge, where they are not the default."""
    started = perf_counter()
    pages, parts = uvloop.run(crawl(given, chosen))
    elapsed = perf_counter() - started
    # The processes that help to parse are ours, too; of several the largest is known, and there is one a spare core.
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    helpers = used.ru_maxrss * max(1, pool_size())
    finish(pages, elapsed, memory_of_helpers=helpers, parsing=used.ru_utime + used.ru_stime, **parts)

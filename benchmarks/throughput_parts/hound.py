"""Scenthound through its real engine: HTTP, robots, judge and strategy as they are by default, SQLite and WARC."""

from __future__ import annotations

import os
import resource
import threading
from time import clock_gettime, perf_counter, pthread_getcpuclockid
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
    async with assembled(config(given, chosen), given.folder / "library") as crawl:
        await crawl.run()
        return crawl.tally.pages, crawl.seconds | thread_seconds()


def thread_seconds() -> dict[str, float]:
    """CPU time so far: of the thread that crawls, and of those that store what it found."""
    spent = {thread: clock_gettime(pthread_getcpuclockid(thread.ident or 0)) for thread in threading.enumerate()}
    storing = sum(seconds for thread, seconds in spent.items() if thread.name.startswith("library"))
    return {"crawling": spent[threading.main_thread()], "storing": storing}


def main(given: Task, **chosen: str) -> None:
    """`chosen`: strategy and judge, where they are not the default."""
    started = perf_counter()
    pages, parts = uvloop.run(crawl(given, chosen))
    elapsed = perf_counter() - started
    # The processes that help to parse are ours, too; of several the largest is known, and there is one a spare core.
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    helpers = used.ru_maxrss * max(1, pool_size())
    finish(pages, elapsed, memory_of_helpers=helpers, parsing=used.ru_utime + used.ru_stime, **parts)

"""Scenthound through its real engine: HTTP, robots, judge, best-first, SQLite and WARC."""

from __future__ import annotations

import resource
from time import perf_counter

import uvloop
from race import IN_FLIGHT, Task, finish, task

from scenthound.config import Config, CrawlSection, FetchSection, PolitenessSection, ScopeSection, TopicSection
from scenthound.crawler.assemble import assembled
from scenthound.parse.parser_pool import pool_size


def config(given: Task) -> Config:
    return Config(
        topic=TopicSection(name=" ".join(given.topic), keywords=list(given.topic)),
        crawl=CrawlSection(seeds=[given.start], pages=0),
        scope=ScopeSection(allow=f"host:{given.origin.partition('//')[2]}"),
        politeness=PolitenessSection(delay=0.0, connections=IN_FLIGHT),
        fetch=FetchSection(parallel=IN_FLIGHT, private_addresses=True),
    )


async def crawl(given: Task) -> tuple[int, dict[str, float]]:
    async with assembled(config(given), given.folder / "library") as crawl:
        await crawl.run()
        return crawl.tally.pages, crawl.seconds


if __name__ == "__main__":
    given = task()
    started = perf_counter()
    pages, parts = uvloop.run(crawl(given))
    elapsed = perf_counter() - started
    # The processes that help to parse are ours, too; of several the largest is known, and there is one a spare core.
    helpers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * max(1, pool_size())
    finish(pages, elapsed, memory_of_helpers=helpers, **parts)

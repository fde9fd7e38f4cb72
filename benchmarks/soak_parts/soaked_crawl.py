"""A crawl of the endless web that looks at itself: `soaked_crawl.py FOLDER PORT SECONDS SAMPLES [PAGES] [--trace]`.

Ends after the seconds, or earlier with so many pages in the folder. Prints a line of JSON for each look: pages, waiting
links, memory, descriptors, tasks, threads, and whose CPU time.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
import tracemalloc
from pathlib import Path

import uvloop
from endless_web import TOPIC, host, old_address, page

from scenthound.config import Config, CrawlSection, FetchSection, PolitenessSection, TopicSection
from scenthound.crawler.assemble import assembled
from scenthound.crawler.engine import Crawl
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.fetch.resolve import StaticResolver
from scenthound.model import Response
from scenthound.parse.page import parse

IN_FLIGHT = 64
MEASURED_EVERY = 5.0  # seconds
MEASURE = Response("http://a.soak.test/", 200, (("Content-Type", "text/html"),), page("http://a.soak.test/"))


def config(minutes: float, pages: int) -> Config:
    from random import Random

    seeds = [old_address(Random(number)) for number in range(50)]
    return Config(
        topic=TopicSection(name=" ".join(TOPIC), keywords=list(TOPIC)),
        crawl=CrawlSection(seeds=[f"http://{host(0)}/", *seeds], pages=pages, minutes=minutes),
        politeness=PolitenessSection(delay=0.0, connections=4),
        fetch=FetchSection(parallel=IN_FLIGHT, private_addresses=True, read_timeout=3.0, retries=1, backoff=0.5),
    )


def memory() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Yardstick:
    """How fast the machine is just now: CPU seconds of work that is always the same. Others on it slow it down."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.times = 0

    def measure(self) -> None:
        started = time.thread_time()
        for _ in range(3):
            parse(MEASURE, "en")
        self.seconds += time.thread_time() - started
        self.times += 1


def look(crawl: Crawl, started: float, yardstick: Yardstick) -> dict[str, float]:
    return {
        "yardstick": yardstick.seconds,
        "measures": yardstick.times,
        "seconds": time.monotonic() - started,
        "cpu": time.process_time(),
        "loop": time.thread_time(),  # of that, what the crawl loop took; the rest is mostly the library's writer
        "system": os.times().system,
        "pages": crawl.tally.pages,
        "waiting": len(crawl.frontier),
        "memory": memory(),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
    }


async def watch(crawl: Crawl, seconds: float, samples: int, trace: bool) -> None:
    started, before, yardstick = time.monotonic(), None, Yardstick()
    for number in range(1, samples + 1):
        while (left := started + seconds * number / samples - time.monotonic()) > 0:
            yardstick.measure()
            await asyncio.sleep(min(left, MEASURED_EVERY))
        print(json.dumps(look(crawl, started, yardstick)), flush=True)
        if trace and number == samples // 2:
            before = tracemalloc.take_snapshot()
    if before is not None:
        for line in tracemalloc.take_snapshot().compare_to(before, "traceback")[:25]:
            print(f"{line.size_diff / 1e6:8.1f} MB {line.count_diff:9,} {line.traceback}", file=sys.stderr)


async def main(folder: Path, port: int, seconds: float, samples: int, pages: int, trace: bool) -> None:
    settings = config((seconds + 30) / 60, pages)
    fetcher = fetcher_for(settings, resolver=StaticResolver([".soak.test"], "127.0.0.1", port))
    async with assembled(settings, folder, fetcher=fetcher) as crawl:
        watching = asyncio.create_task(watch(crawl, seconds, samples, trace))
        watching.add_done_callback(lambda task: crawl.stop())
        if await crawl.run() == "pages":
            watching.cancel()
        await asyncio.wait([watching])
        print(json.dumps({"ending": crawl.ending, "tally": str(crawl.tally)}), flush=True)


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--trace"]
    if trace := "--trace" in sys.argv:
        tracemalloc.start(4)
    most = int(given[4]) if len(given) > 4 else 0
    uvloop.run(main(Path(given[0]), int(given[1]), float(given[2]), int(given[3]), most, trace))

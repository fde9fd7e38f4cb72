"""How long it takes to judge a library again: `scenthound judge` without the program's start.

    ./run python benchmarks/judging.py                   2,000 pages
    ./run python benchmarks/judging.py --pages 10000     the figure of docs/performance.md (about two minutes)

Pages of ordinary size (see `throughput_parts/webpages.py`) are crawled from memory into a real library with WARC files,
three quarters of them, so that links wait. Then the topic gets another keyword, and all pages are read back, parsed,
judged and their links ranked anew, on as many cores as there are. The last line is pages a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parent / "throughput_parts"))

from webpages import Web, generated

from scenthound import config as toml
from scenthound.app.event_loop import run
from scenthound.app.judge import JudgeOptions, JudgeOutcome, JudgeSession
from scenthound.config import Config, CrawlSection, PolitenessSection, ScopeSection, TopicSection
from scenthound.crawler.assemble import assembled
from scenthound.model import Failed, Link, Response

HOST = "http://pages.example"
GOAL = 10_000 / 30.0


class FromMemory:
    """Answers every request at once."""

    parallel = 16
    recorded = True

    def __init__(self, web: Web) -> None:
        self.pages = web.pages

    async def __call__(self, link: Link) -> Response | Failed:
        body = self.pages.get(link.url.removeprefix(HOST))
        if body is None:
            return Failed(url=link.url, kind="status", status=404, detail="404")
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        return Response(url=link.url, status=200, headers=headers, body=body)

    async def close(self) -> None:
        pass


async def collect(folder: Path, web: Web, pages: int, judge: str) -> Config:
    config = Config(
        topic=TopicSection(name=" ".join(web.topic), keywords=list(web.topic)),
        crawl=CrawlSection(seeds=[f"{HOST}{next(iter(web.pages))}"], pages=pages, judge=judge),
        scope=ScopeSection(traps=False),
        politeness=PolitenessSection(delay=0.0, robots=False),
    )
    async with assembled(config, folder, fetcher=FromMemory(web)) as crawl:
        await crawl.run()
    return config


def spent() -> float:
    """CPU seconds, of the processes that help, too."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def measure(folder: Path) -> tuple[JudgeOutcome, float, float]:
    started, cpu = perf_counter(), spent()
    outcome = run(JudgeSession(folder, JudgeOptions()).run())
    return outcome, perf_counter() - started, spent() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--judge", default="auto")
    given = parser.parse_args()
    print(f"judging again, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    web = generated(given.pages * 4 // 3)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "library"
        config = asyncio.run(collect(folder, web, given.pages, given.judge))
        topic = replace(config.topic, keywords=[*config.topic.keywords, "handbook"])
        toml.save(replace(config, topic=topic), folder / "topic.toml")
        outcome, seconds, cpu = measure(folder)
    judged = outcome.judged
    print(f"{judged.pages:,} pages, {judged.changed:,} judged otherwise, {judged.ranked:,} links ranked otherwise")
    print(f"{seconds:.1f} s, {1000 * cpu / judged.pages:.2f} ms of CPU a page, all processes")
    speed = judged.pages / seconds
    print(f"{'within' if speed >= GOAL else 'OVER'} the goal of 10,000 pages in 30 s")
    print(f"{speed:.0f} pages/s")


if __name__ == "__main__":
    main()

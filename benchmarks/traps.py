"""Full crawls of recorded webs: which of their pages does anybody take for a trap, and what does it cost to ask?

    ./run python benchmarks/traps.py ../shared/data/*.warc.gz

Every page that can be reached from the seeds is fetched, nearest first, with traps looked for and without. The goal is
that no page is refused as part of a trap, since these are webs that people made.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from scenthound.config import Config, CrawlSection, TopicSection
from scenthound.crawler.assemble import assembled
from scenthound.crawler.barren_lines import BarrenLines
from scenthound.fetch.fetcher_for import recording
from scenthound.lab.crawls.lab_crawl import lab_settings
from scenthound.library import memory_library
from scenthound.model import Step

SEEDS = 200
"""So many pages, spread over the recording, to start from: not every part of it has links to every other."""


class Refusals:
    """An observer that counts what was refused as a trap."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def __call__(self, step: Step) -> None:
        refused = [(entry.reason, entry.link.url) for entry in step.refused]
        if step.state == "refused":
            refused.append((step.reason, step.lease.link.url))
        for reason, url in refused:
            if reason.startswith("trap"):
                self.reasons[reason] += 1
                self.examples.setdefault(reason, url)


def settings(seeds: list[str], traps: bool) -> Config:
    config = Config(
        topic=TopicSection(name="anything", keywords=["school", "software", "course"]),
        crawl=CrawlSection(seeds=seeds, pages=0, strategy="breadth-first", judge="keywords"),
    )
    config.scope.traps = traps
    return lab_settings(config)


async def crawl(path: Path, seeds: list[str], traps: bool) -> tuple[int, float, Refusals]:
    config, refusals = settings(seeds, traps), Refusals()
    library = memory_library(texts=False, answers=False)
    fetcher, started = recording([path], either_scheme=True), time.process_time()
    async with assembled(config, library, fetcher=fetcher, observers=[refusals]) as running:
        await running.run()
        return running.tally.pages, time.process_time() - started, refusals


def learning_time() -> list[float]:
    """Lets `BarrenLines.learn` be timed; the seconds of CPU time it takes are added to the list."""
    spent, learn = [0.0], BarrenLines.learn

    def timed(self: BarrenLines, *given: Any, **more: Any) -> Any:
        started = time.thread_time()
        lesson = learn(self, *given, **more)
        spent[0] += time.thread_time() - started
        return lesson

    BarrenLines.learn = timed  # type: ignore[method-assign]
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true", help="also without looking for traps")
    given = parser.parse_args()
    spent, wrong = learning_time(), 0
    print("| recording | pages | without | refused as traps | a page, ms | of that for traps, ms |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    for path in given.recordings:
        known = sorted(recording([path]).urls())
        seeds = known[:: max(1, len(known) // SEEDS)]
        spent[0] = 0.0
        pages, seconds, refusals = asyncio.run(crawl(path, seeds, traps=True))
        without = asyncio.run(crawl(path, seeds, traps=False))[0] if given.compare else None
        refused = sum(refusals.reasons.values())
        print(
            f"| {path.name} | {pages:,} | {'' if without is None else f'{without:,}'} | {refused} "
            f"| {1000 * seconds / pages:.2f} | {1000 * spent[0] / pages:.3f} |",
            flush=True,
        )
        for reason, times in refusals.reasons.most_common(5):
            print(f"  {times} x {reason}: {refusals.examples[reason]}", file=sys.stderr)
        wrong += refused
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

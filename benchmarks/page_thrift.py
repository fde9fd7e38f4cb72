"""What a crawl finds that asks many hosts side by side, and what it costs to let poor ones wait (crawler/page_thrift).

    ./run python benchmarks/page_thrift.py
    ./run python benchmarks/page_thrift.py --topics 3

The lab asks for one page after the other. A crawl of the live web asks every host that is free, each for the best link
it has. Here it does so on the recorded webs, in rounds: all requests of a round are answered before the next begins, as
if every host answered in the same time and had its pause. `auto`, from keywords and from examples, with the budget of
pages that each topic has. Ends with 0, saying so, where the webs are absent.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Literal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.fetch.answer import of_a_still_web
from scenthound.judges import auto as auto_judge  # noqa: F401  found by name otherwise, and a result's digest goes by imports
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.lab_crawl import CrawlCost, LabCrawler, LabFetcher
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.measures.trace import Trace
from scenthound.lab.report.tables import markdown_table
from scenthound.lab.statistics import mean_with_interval
from scenthound.model import Failed, Link, Response
from scenthound.strategies import auto  # noqa: F401  the same

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOPICS = {"webkb": "topics.jsonl", "apache": "topics-apache.jsonl"}
AGES = 500_000.0  # minutes: where time is what is short, every free host is asked
WAYS = {
    "one page after the other": "one",
    "every host that is free": "free",
    "hosts far from the start wait for better links": "thrift",
}


class Rounds(LabFetcher):
    """Answers to many at once; a round is over when nobody waits for an answer."""

    parallel = 32
    recorded = False

    def __init__(self, answer: Callable[[Link], Response | Failed]) -> None:
        super().__init__(answer)
        self.under_way = 0
        SideBySide.rounds = 0

    async def __call__(self, link: Link) -> Response | Failed:
        SideBySide.rounds += not self.under_way
        self.under_way += 1
        await asyncio.sleep(0)
        self.under_way -= 1
        return of_a_still_web(await super().__call__(link))


class SideBySide(LabCrawler):
    """A crawl whose hosts are each asked for one page at a time, all of them at once."""

    fetches_by = Rounds
    rounds = 0
    way = "one"

    def crawl(self, config: Config, parts: CrawlParts, **others: object) -> tuple[Trace, CrawlCost]:
        connections = 1 if self.way != "one" else config.politeness.connections
        Rounds.parallel = 32 if self.way != "one" else 1
        config = replace(
            config,
            politeness=replace(config.politeness, connections=connections),
            crawl=replace(config.crawl, minutes=AGES if self.way == "free" else 0.0),
        )
        return super().crawl(config, parts, **others)  # type: ignore[arg-type]


def column(web: str, given: Literal["keywords", "examples"], topics: int) -> dict[str, list[tuple[float, int]]]:
    """For each way, area and rounds of every topic."""
    experiment = Experiment(
        strategies=["auto"], web=[str(DATA / f"{web}.warc.gz")], topics=str(DATA / TOPICS[web]), given=given,
        bounds=False,
    )  # fmt: skip
    runner = CellRunner(experiment)
    runner.crawler = crawler = SideBySide(runner.web)
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in WAYS}
    for cell in plans.cells_of(experiment, experiment.lab_topics()[: topics or None]):
        for name, crawler.way in WAYS.items():
            found[name].append((runner.run(cell).number("recall-area"), SideBySide.rounds))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=0, help="the first so many of each web; 0 = all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if not all((DATA / f"{web}.warc.gz").is_file() for web in TOPICS):
        print(f"There is no recorded web in {DATA}: nothing to measure.")
        return 0
    columns = [(web, given) for web in TOPICS for given in ("keywords", "examples")]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(column, *zip(*columns, strict=True), [options.topics] * len(columns)))
    head = [
        "which hosts are asked",
        *(f"{web}, {given}: {what}" for web, given in columns for what in ("area", "rounds")),
    ]
    rows = []
    for name in WAYS:
        row = [name]
        for by_way in found:
            areas, rounds = zip(*by_way[name], strict=True)
            estimate = mean_with_interval(list(areas))
            row += [
                f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]",
                f"{sum(rounds) / len(rounds):.0f}",
            ]
        rows.append(row)
    print("\n".join(markdown_table(head, rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

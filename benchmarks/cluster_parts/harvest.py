"""What workers that divide a recorded web among them find, beside one worker that has all of it.

Each crawl has the lab's settings (`scenthound lab --given ...`: the topic's seeds, scope, budget and keywords, no
delays) and a library of its own in one PostgreSQL. Workers are the real ones (`cluster.worker`), all in one event loop,
each with leases, a library, a strategy and a judge of its own; they share nothing but the database. Answers come from
the recording, one request at a time and worker. So eight workers have eight under way, chosen before any of them was
answered; one worker with eight at once shows what that alone costs. The figure is the lab's: the mean of target recall
over the budget, of pages in the order in which they were stored.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from scenthound.cluster import shared_learning, steady_scale
from scenthound.cluster import worker as worker_module
from scenthound.cluster.shared_learning import ToldLearning
from scenthound.cluster.worker import ShardWorker
from scenthound.config import Config, LibrarySection
from scenthound.crawler.assemble import assembled, page_crawl_parts
from scenthound.lab.crawls.experiment import Cell, Experiment, settings, strategy_entry, topics_of
from scenthound.lab.crawls.lab_crawl import CachingParser, LabFetcher
from scenthound.lab.measures.trace import held
from scenthound.lab.topics import LabTopic
from scenthound.lab.webs import Web, open_web
from scenthound.library import open_library, shard_leases
from scenthound.library.library_address import read_address
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.own_server import start_server
from scenthound.library.shards import SHARDS
from scenthound.model import Failed, Link, Response
from scenthound.protocols.shards import ShardLeases, Worth

TOPICS = {"webkb": "topics.jsonl", "schools-wikipedia": "topics.jsonl", "apache": "topics-apache.jsonl"}
BEAT, PAUSE, SCALE = 0.1, 0.02, 0.3  # a recorded web answers at once: what takes seconds elsewhere takes tenths here

PARSED = CachingParser()
LEASE = 600.0
"""Seconds: eight workers in one event loop keep each other from reporting in time, which processes do not."""


class Way(Struct, frozen=True):
    """So many workers, and whether they learn from each other."""

    workers: int
    shared: bool = True
    at_once: int = 1  # requests of a worker under way

    def __str__(self) -> str:
        at_once = f", {self.at_once} at once" if self.at_once > 1 else ""
        return f"{self.workers} worker{'s' * (self.workers > 1)}{at_once}{'' if self.shared else ', each for itself'}"


class SharedWeb(LabFetcher):
    """Lets the other workers in between two requests."""

    def __init__(self, web: Web, at_once: int = 1) -> None:
        super().__init__(web.answer)
        self.parallel = at_once

    async def __call__(self, link: Link) -> Response | Failed:
        await asyncio.sleep(0)
        return await super().__call__(link)


def recall_area(found: Sequence[str], topic: LabTopic) -> float:
    """As the lab has it: pages in their order, held to the end of the budget."""
    waiting, curve = set(topic.scored_targets()), []
    whole = len(waiting)
    for url in found:
        waiting.discard(url)
        curve.append(1 - len(waiting) / whole)
    return float(held(np.array(curve), topic.pages, start=0.0).mean())


async def crawled(config: Config, folder: Path, web: Web, way: Way) -> list[str]:
    """The pages of one crawl, in their order."""
    async with assembled(config, folder, fetcher=SharedWeb(web)):
        pass  # tables, examples, seeds: as the driver of a cluster does
    leases = [shard_leases(folder, f"worker-{number}") for number in range(way.workers)]
    for each in leases:
        each.seconds = LEASE
    leases[0].begin()
    divide(leases)
    workers = [ShardWorker(folder, config, each, fetcher=lambda: SharedWeb(web, way.at_once)) for each in leases]
    with as_in_the_lab(way.shared):
        await asyncio.gather(*(each.run() for each in workers))
    for each in leases:
        each.close()
    with open_library(folder, write=False) as library:
        return [page.url for page in library.pages()]


def divide(leases: Sequence[ShardLeases]) -> None:
    """All workers are there before the first request, each with its share of the hosts."""
    while True:
        standings = [each.report(Worth(), False) for each in leases]
        for each, standing in zip(leases, standings, strict=True):
            each.give_back(standing.surplus)
        if sum(len(each.shards) for each in standings) == SHARDS and not any(each.surplus for each in standings):
            return


@contextmanager
def as_in_the_lab(shared: bool) -> Iterator[None]:
    """A recorded web answers at once, so that what takes a second elsewhere happens after every few pages."""
    whole = ToldLearning.catch_up
    worker_module.BEAT, worker_module.PAUSE, shared_learning.EVERY = BEAT, PAUSE, 0.0  # type: ignore[attr-defined]
    steady_scale.SECONDS = SCALE
    worker_module.page_crawl_parts = lambda config, context: replace(  # type: ignore
        page_crawl_parts(config, context), parse=PARSED
    )
    if not shared:
        ToldLearning.catch_up = _nothing  # type: ignore[method-assign]
    try:
        yield
    finally:
        ToldLearning.catch_up = whole  # type: ignore[method-assign]


async def _nothing(self: ToldLearning) -> int:
    return 0


def _without_sync(server: str) -> None:
    """The libraries are thrown away: nothing of them need outlast a power cut."""
    with closing(PostgresConnection(read_address(f"{server}#none"))) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


class HarvestRow(Struct, frozen=True):
    """What one crawl found. Kept, so that whoever is interrupted goes on with the next one."""

    plan: str  # web, strategy and what was given
    topic: str
    way: Way
    area: float
    code: str
    turn: int = 1


class Plan(Struct, frozen=True):
    """Which crawls are wanted."""

    web: str
    data: Path
    given: str
    strategy: str
    counts: Sequence[int]
    topics: int = 0  # so many, evenly from all; 0: all
    kept: Path | None = None
    turns: int = 1  # how often what several workers find is measured: it depends on who is first

    def __str__(self) -> str:
        return f"{self.web}, {self.strategy}, given {self.given}"

    def ways(self) -> list[Way]:
        most = max(self.counts)
        return [*map(Way, self.counts), Way(1, at_once=most), Way(most, shared=False)]

    def crawls(self, topics: Sequence[LabTopic]) -> Iterator[tuple[LabTopic, Way, int]]:
        """The first turn of all topics comes first."""
        for turn, topic, way in product(range(1, self.turns + 1), topics, self.ways()):
            if turn == 1 or (way.workers > 1 and way.shared):
                yield topic, way, turn

    def rows(self) -> list[HarvestRow]:
        if self.kept is None or not self.kept.is_file():
            return []
        rows = [msgspec.json.decode(line, type=HarvestRow) for line in self.kept.read_bytes().splitlines()]
        return [row for row in rows if row.plan == str(self)]

    def keep(self, row: HarvestRow) -> None:
        if self.kept is not None:
            self.kept.parent.mkdir(parents=True, exist_ok=True)
            with self.kept.open("ab") as file:
                file.write(msgspec.json.encode(row) + b"\n")


def measure(plan: Plan, minutes: float, code: str) -> None:
    """Crawls what is not kept yet, and prints a table of all topics that were crawled in every way."""
    web, topics = plan.data / f"{plan.web}.warc.gz", plan.data / TOPICS[plan.web]
    if not web.is_file():
        print(f"There is no {web}: nothing to measure. Name the folder with --data.")
        return
    experiment = Experiment(strategies=[plan.strategy], web=[str(web)], topics=str(topics), given=plan.given)  # type: ignore[arg-type]
    chosen, until = topics_of(experiment), time.monotonic() + 60 * minutes
    chosen = chosen[:: len(chosen) // plan.topics] if plan.topics else chosen
    areas: dict[tuple[str, Way], list[float]] = defaultdict(list)
    for row in plan.rows():
        areas[row.topic, row.way].append(row.area)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        server, recorded = start_server(Path(place)), open_web(experiment.web_spec())
        _without_sync(server)
        for number, (topic, way, turn) in enumerate(plan.crawls(chosen)):
            if len(areas[topic.name, way]) >= turn or time.monotonic() > until:
                continue
            config = settings(experiment, Cell(strategy_entry(plan.strategy), topic, 1))
            library = LibrarySection(address=f"{server}#t{number}", warc=False)
            config = replace(config, library=library, crawl=replace(config.crawl, parsers=0))
            began = time.monotonic()
            found = asyncio.run(crawled(config, Path(place, str(number)), recorded, way))
            areas[topic.name, way].append(area := recall_area(found, topic))
            plan.keep(HarvestRow(str(plan), topic.name, way, area, code, turn))
            took = f"{len(found)} pages, {time.monotonic() - began:.0f} s"
            print(f"{topic.name}, {way}: {area:.3f} ({took})", file=sys.stderr, flush=True)
    print(f"{plan}:\n")
    whole = [topic.name for topic in chosen if all(areas[topic.name, way] for way in plan.ways())]
    _print_table({way: [float(np.mean(areas[name, way])) for name in whole] for way in plan.ways()})
    if older := sum(row.code != code for row in plan.rows()):
        print(f"\nOf these, {older} crawls were made with code as it was before.")


def _print_table(areas: Mapping[Way, Sequence[float]]) -> None:
    first, values = next(iter(areas.items()))
    print(f"| crawl | topics | recall area | of {first} | worse on |\n|---|---|---|---|---|")
    for way, found in areas.items():
        mean, share = float(np.mean(found)), float(np.mean(found) / np.mean(values))
        worse = sum(1 for one, other in zip(found, values, strict=True) if one < other)
        print(f"| {way} | {len(found)} | {mean:.3f} | {share:.3f} | {worse} |")

"""Runs an experiment: as many crawls at once as there are cores, each result written down when it is there.

The parent hands out groups of crawls that share a topic, because they meet the same pages and a worker parses a page
once. Workers know the web and its statistics. A crawl that goes wrong is named and left out; the rest goes on.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64

from scenthound import registry
from scenthound.config import Config
from scenthound.crawler import assemble
from scenthound.errors import ScenthoundError
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results
from scenthound.lab.crawls.evidence import EvidenceMaker, counted_in_requests
from scenthound.lab.crawls.experiment import Cell, Experiment
from scenthound.lab.crawls.lab_crawl import CrawlCost, LabCrawler
from scenthound.lab.crawls.lessons import Teacher, labels_beside, read_labels
from scenthound.lab.crawls.oracle import NAME as ORACLE
from scenthound.lab.crawls.oracle import Oracle
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.web_statistics import web_statistics
from scenthound.lab.measures.trace import Trace
from scenthound.lab.webs import WebSpec, open_web
from scenthound.lab.worker_pool import WorkerPool, leave_interrupts_to_the_parent, serve
from scenthound.library import open_library
from scenthound.protocols.crawl import Context, Strategy, Trains
from scenthound.protocols.hooks import hook

GROUPS_PER_WORKER = 4
"""At least so many groups for each worker, so that none is idle for long at the end."""


class FailedCrawl(Struct, frozen=True):
    """A crawl that could not be made."""

    strategy: str
    topic: str
    seed: int
    reason: str


class WorkerReport(Struct, frozen=True):
    """What a worker says: a result, or a failed crawl."""

    row: ResultRow | None = None
    failure: FailedCrawl | None = None


class CellRunner:
    """One web, opened; runs cells in this process."""

    def __init__(self, experiment: Experiment, language: str = "en") -> None:
        spec = experiment.web_spec()
        self.experiment = experiment
        self.name = spec.name
        self.web = open_web(spec)
        self.crawler = LabCrawler(self.web)
        self.statistics = web_statistics(spec, language)
        self.assess = EvidenceMaker(self.crawler, self.statistics, replace(experiment, only=[]).lab_topics())
        self.teacher = self._teacher(spec) if experiment.learns() else None

    def _teacher(self, spec: WebSpec) -> Teacher:
        labels = _labels(self.experiment, spec)
        labelled = read_labels(labels) if labels is not None else None
        return Teacher(self.crawler, self.statistics, labelled, noise=self.experiment.label_noise)

    def run(self, cell: Cell) -> ResultRow:
        with self.crawler.memo.opened():
            return self._run(cell)

    def _run(self, cell: Cell) -> ResultRow:
        settings = plans.settings(self.experiment, cell)
        context = self._context(cell, settings)
        if context.lessons is not None:
            cell = replace(cell, topic=replace(cell.topic, seen=tuple(page.url for page in context.lessons.pages)))
        context = replace(context, judge=assemble.crawl_judge(settings, context))
        training, spared = time.thread_time(), sum(self.crawler.memo.spared.values())
        strategy = self._strategy(cell, settings, context)
        training = time.thread_time() - training + sum(self.crawler.memo.spared.values()) - spared
        parts = assemble.page_crawl_parts(settings, context, strategy)
        if self.experiment.store:
            with (
                tempfile.TemporaryDirectory(prefix="scenthound-lab-") as folder,
                open_library(Path(folder), create=True) as library,
            ):
                trace, spent = self.crawler.crawl(settings, parts, library=library)
        else:
            trace, spent = self.crawler.crawl(settings, parts)
        if context.lessons is not None and hook(strategy, Trains) is not None:
            trace = replace(trace, training={"seconds": training, "pages": len(context.lessons.pages)})
        return self._row(cell, settings, trace, spent)

    def _context(self, cell: Cell, settings: Config) -> Context:
        """All the strategy and the judge are told. The targets stay here."""
        language = cell.topic.language
        examples, counterexamples = (
            tuple(page for url in given if (page := self.crawler.page(url, language)) is not None)
            for given in (settings.topic.examples, settings.topic.counterexamples)
        )
        context = assemble.make_context(settings, examples, counterexamples)
        if self.teacher is None:
            return context
        return replace(context, lessons=self.teacher.lessons(cell.topic, context.idf))

    def _strategy(self, cell: Cell, settings: Config, context: Context) -> Strategy:
        if cell.strategy.name == ORACLE:
            return Oracle(self.statistics, cell.topic.scored_targets())
        strategy: Strategy = assemble.build(registry.strategy, assemble.strategy_entry(settings), context)
        return strategy

    def _row(self, cell: Cell, settings: Config, trace: Trace, spent: CrawlCost) -> ResultRow:
        measured, likeness = self.assess(cell.topic, trace)
        if self.experiment.budget == "requests":
            measured = counted_in_requests(measured, trace, cell.topic.pages)
        positions, curves = results.thin(measured, cell.topic.pages)
        order = xxh3_64("\n".join(request.url for request in trace.pages).encode("utf-8", "surrogatepass"))
        return ResultRow(
            key=cell.key,
            web=self.name,
            topic=cell.topic.name,
            strategy=cell.strategy.label,
            name=cell.strategy.name,
            params=cell.strategy.params,
            seed=cell.seed,
            budget=cell.topic.pages,
            ending=spent.ending,
            final=results.finals(measured),
            positions=positions,
            curves=curves,
            likeness=[round(float(value), 4) for value in likeness],
            order=order.hexdigest(),
            seconds=spent.seconds,
            parsed_before=spent.parsed_before,
            settings=msgspec.to_builtins(settings),
            web_identity=self.web.identity,
            software=results.software(),
            machine=results.machine(),
            code=results.code_of(cell.strategy.name, results.judge_name(settings), self.experiment.store),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def attempt(self, cell: Cell) -> WorkerReport:
        """A result, or why there is none: a strategy may have a bug, and the others shall not suffer for it."""
        try:
            return WorkerReport(row=self.run(cell))
        except ScenthoundError as error:
            reason = str(error)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
        return WorkerReport(failure=FailedCrawl(cell.strategy.label, cell.topic.name, cell.seed, reason))

    def close(self) -> None:
        self.web.close()


def _labels(experiment: Experiment, spec: WebSpec) -> Path | None:
    return Path(experiment.labels) if experiment.labels else labels_beside(spec.files)


def _lessons_identity(experiment: Experiment) -> str:
    """What the lessons are made from, beside the web and the topic; empty where nobody is taught."""
    if not experiment.learns():
        return ""
    noise = f", {experiment.label_noise:g} of the states wrong" if experiment.label_noise else ""
    labels = _labels(experiment, experiment.web_spec())
    if labels is None:
        return "examples" + noise
    read_labels(labels)  # refused here rather than in every worker
    return xxh3_64(labels.read_bytes()).hexdigest() + noise


def keyed(experiment: Experiment, cells: Sequence[Cell], web_identity: str) -> list[Cell]:
    """The cells, each with what its result is filed under."""
    taught = _lessons_identity(experiment)

    def key(cell: Cell) -> str:
        settings = plans.settings(experiment, cell)
        return results.cell_key(cell, settings, web_identity, experiment.store, taught)

    return [replace(cell, key=key(cell)) for cell in cells]


def run(experiment: Experiment, cells: Sequence[Cell], jobs: int, tell: Callable[[WorkerReport], None]) -> None:
    """Runs the cells; `tell` hears of each as it ends."""
    if jobs <= 1 or len(cells) <= 1:
        _run_here(experiment, cells, tell)
        return
    orders = (msgspec.json.encode(group) for group in grouped(cells, jobs))
    decoder = msgspec.json.Decoder(WorkerReport)
    arguments = (msgspec.json.encode(experiment), cells[0].topic.language)
    pool = WorkerPool(min(jobs, len(cells)), _worker_main, arguments)
    try:
        pool.work(orders, lambda said: tell(decoder.decode(said)))
    finally:
        pool.dismiss()


def _run_here(experiment: Experiment, cells: Sequence[Cell], tell: Callable[[WorkerReport], None]) -> None:
    if not cells:
        return
    runner = CellRunner(experiment, cells[0].topic.language)
    try:
        for cell in cells:
            tell(runner.attempt(cell))
    finally:
        runner.close()


def grouped(cells: Sequence[Cell], jobs: int) -> list[list[Cell]]:
    """The cells in parts of one topic each, small enough that every worker gets several."""
    size = max(1, len(cells) // (GROUPS_PER_WORKER * jobs))
    groups: list[list[Cell]] = []
    for cell in cells:
        if groups and groups[-1][0].topic is cell.topic and len(groups[-1]) < size:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return groups


def _worker_main(pipe: Connection, experiment: bytes, language: str) -> None:
    leave_interrupts_to_the_parent()
    runner = CellRunner(msgspec.json.decode(experiment, type=Experiment), language)
    decoder = msgspec.json.Decoder(list[Cell])
    try:
        serve(pipe, lambda order: (msgspec.json.encode(runner.attempt(cell)) for cell in decoder.decode(order)))
    finally:
        runner.close()

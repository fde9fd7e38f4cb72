"""Runs an experiment: as many crawls at once as there are cores, each result written down when it is there.

The parent hands out groups of crawls that share a topic, because they meet the same pages and a worker parses a page
once. Workers are processes of their own that know the web and its statistics; they talk to the parent in JSON lines
over pipes. A crawl that goes wrong is named and left out; the rest goes on.
"""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

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
    """What a worker says: a result, a failed crawl, or that it is free."""

    kind: Literal["row", "failure", "free"]
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
        self.assess = EvidenceMaker(self.crawler, self.statistics)
        self.teacher = self._teacher(spec) if experiment.learns() else None

    def _teacher(self, spec: WebSpec) -> Teacher:
        labels = _labels(self.experiment, spec)
        labelled = read_labels(labels) if labels is not None else None
        return Teacher(self.crawler, self.statistics, labelled, noise=self.experiment.label_noise)

    def run(self, cell: Cell) -> ResultRow:
        settings = plans.settings(self.experiment, cell)
        context = self._context(cell, settings)
        if context.lessons is not None:
            cell = replace(cell, topic=replace(cell.topic, seen=tuple(page.url for page in context.lessons.pages)))
        training = time.thread_time()
        strategy = self._strategy(cell, settings, context)
        training = time.thread_time() - training
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
            for given in (cell.topic.relevant_examples, cell.topic.irrelevant_examples)
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
            code=results.code_of(cell.strategy.name, self.experiment.store),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def attempt(self, cell: Cell) -> WorkerReport:
        """A result, or why there is none: a strategy may have a bug, and the others shall not suffer for it."""
        try:
            return WorkerReport("row", row=self.run(cell))
        except ScenthoundError as error:
            reason = str(error)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
        return WorkerReport("failure", failure=FailedCrawl(cell.strategy.label, cell.topic.name, cell.seed, reason))

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
    groups = iter(grouped(cells, jobs))
    parser_pool = _WorkerPool(min(jobs, len(cells)), experiment, cells[0].topic.language)
    try:
        parser_pool.work(groups, tell)
    finally:
        parser_pool.dismiss()


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


class _WorkerPool:
    """Worker processes. They are started afresh, not forked: a fork would copy this process's threads half."""

    def __init__(self, size: int, experiment: Experiment, language: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._workers: dict[Connection, BaseProcess] = {}
        for _ in range(size):
            ours, theirs = context.Pipe()
            arguments = (theirs, msgspec.json.encode(experiment), language)
            process = context.Process(target=_worker_main, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._workers[ours] = process

    def work(self, groups: Iterator[list[Cell]], tell: Callable[[WorkerReport], None]) -> None:
        decoder = msgspec.json.Decoder(WorkerReport)
        busy = set(self._workers)
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                try:
                    report = decoder.decode(pipe.recv_bytes())
                except (EOFError, ConnectionResetError):
                    code = self._workers[pipe].exitcode
                    raise ScenthoundError(
                        f"A worker of the lab ended before its time (exit code {code}), perhaps for want of memory. "
                        "What was finished is kept: the same command goes on, with --jobs 1 if need be."
                    ) from None
                if report.kind != "free":
                    tell(report)
                elif (group := next(groups, None)) is not None:
                    pipe.send_bytes(msgspec.json.encode(group))
                else:
                    busy.discard(pipe)

    def dismiss(self) -> None:
        for pipe, process in self._workers.items():
            pipe.close()
            process.terminate()
        for process in self._workers.values():
            process.join(10)


def _worker_main(pipe: Connection, experiment: bytes, language: str) -> None:
    """The life of a worker: say that you are free, do what you are given, until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who ends us
    runner = CellRunner(msgspec.json.decode(experiment, type=Experiment), language)
    decoder = msgspec.json.Decoder(list[Cell])

    def say(report: WorkerReport) -> None:
        pipe.send_bytes(msgspec.json.encode(report))

    try:
        while True:
            say(WorkerReport("free"))
            for cell in decoder.decode(pipe.recv_bytes()):
                say(runner.attempt(cell))
    except (EOFError, OSError):
        return
    finally:
        runner.close()

"""What learning crawlers cost on recorded webs, in training and beside best-first. What they find: doc_figures.py.

    ./run python benchmarks/learning.py --web both
    ./run python -m benchmarks.doc_figures learning-cost-webkb learning-cost-schools-wikipedia      for docs/learning.md

Tables are printed as Markdown. The program ends with 0, saying so, where the webs are absent; with 1 where a goal is
missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec import Struct
from msgspec.structs import replace

from scenthound import registry
from scenthound.crawler import assemble
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.topics import LabTopic
from scenthound.learn.graphs.sequences import walks
from scenthound.library import open_library
from scenthound.model import Step, Visit
from scenthound.protocols.crawl import Context

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEBS = ("webkb", "schools-wikipedia")

CHAINS = ("memm", "memm-viterbi", "crf", "crf-viterbi")
SEQUENCES = 12_000
GOAL_SECONDS = 60.0
GOAL_RATIO = 1.10
TIMED_TOPICS = 4
ROUNDS = 5


class Plan(Struct):
    """Where the webs are, and how much of them is wanted."""

    data: Path
    only: list[str]


class Timed(Struct):
    """Milliseconds a page by part, over one sequence of visits."""

    topic: str
    pages: int
    links: int
    read: list[float]  # fetch, parse, judge: the same whoever ranks; one figure a round
    whole: list[float]  # these, storing, and the engine's and frontier's own work: all but ranking
    rank: dict[str, list[float]]  # by strategy


def cost(web: str, plan: Plan) -> int:
    """Training on 12,000 sequences; then the same visits ranked by each strategy in turn."""
    contestants = ("best-first-targets", *CHAINS)
    experiment = Experiment(
        strategies=list(contestants),
        web=[str(plan.data / f"{web}.warc.gz")],
        topics=str(plan.data / "topics.jsonl"),
        only=plan.only,
    )
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    runner = CellRunner(experiment)
    try:
        topics = plans.topics_of(experiment)[: None if plan.only else TIMED_TOPICS]
        contexts = {topic.name: (topic, context_of(runner, topic)) for topic in topics}
        slow = training(web, [(name, context) for name, (_, context) in contexts.items()])
        timed = [ranking(runner, topic, context, contestants) for topic, context in contexts.values()]
    finally:
        runner.close()
    return max(slow, ratios(web, timed))


def context_of(runner: CellRunner, topic: LabTopic) -> Context:
    """What the strategies are told, with as many sequences as the documents had."""
    settings = plans.settings(runner.experiment, Cell(StrategyEntry("best-first"), topic, 1))
    examples, counterexamples = (
        tuple(page for url in given if (page := runner.crawler.page(url, topic.language)) is not None)
        for given in (topic.relevant_examples, topic.irrelevant_examples)
    )
    context = assemble.make_context(settings, examples, counterexamples)
    assert runner.teacher is not None
    lessons = runner.teacher.lessons(topic, context.idf)
    return replace(
        context, lessons=replace(lessons, sequences=walks(lessons.edges, lessons.states, SEQUENCES, random=Random(0)))
    )


def training(web: str, contexts: Sequence[tuple[str, Context]]) -> int:
    print(f"\n## Training on {web}, {SEQUENCES:,} sequences\n")
    row(["topic", "pages", "links", "model", "seconds", "CPU seconds", "iterations"])
    row(["---"] * 7)
    slowest = 0.0
    for name, context in contexts:
        lessons = context.lessons
        assert lessons is not None
        for model in ("memm", "crf"):
            made = registry.strategy.build(model, {})
            gc.collect()
            wall, spent = time.perf_counter(), time.process_time()
            made.train(context)
            wall, spent = time.perf_counter() - wall, time.process_time() - spent
            slowest = max(slowest, spent)
            counts = [f"{len(lessons.pages):,}", f"{len(lessons.edges):,}"]
            row([name, *counts, model, f"{wall:.1f}", f"{spent:.1f}", str(len(made.training_curve))])
    print(f"\nSlowest: {slowest:.1f} CPU seconds; the goal is {GOAL_SECONDS:.0f} seconds.")
    return int(slowest > GOAL_SECONDS)


def ranking(runner: CellRunner, topic: LabTopic, context: Context, contestants: Sequence[str]) -> Timed:
    """A crawl by best-first-targets, its visits ranked anew by everybody in turn; and that several times.

    All in one round, because the speed of a machine drifts from one minute to the next.
    """
    print(f"ranking: {topic.name} ...", file=sys.stderr, flush=True)
    made = {name: assemble.build(registry.strategy, name, context) for name in contestants}
    timed = Timed(topic.name, 0, 0, [], [], {name: [] for name in contestants})
    for _ in range(ROUNDS):
        visits, read, whole = crawled(runner, topic, context, contestants[0])
        timed.pages, timed.links = len(visits), sum(len(visit.page.links) for visit in visits)
        for name, strategy in made.items():
            if hasattr(strategy, "begin"):
                strategy.begin(context)  # with nothing remembered
            timed.rank[name].append(1000 * ranked(strategy, visits) / len(visits))
        timed.read.append(1000 * read / len(visits))
        timed.whole.append(1000 * whole / len(visits) - timed.rank[contestants[0]][-1])
    return timed


def crawled(runner: CellRunner, topic: LabTopic, context: Context, leader: str) -> tuple[list[Visit], float, float]:
    """The visits of one crawl, and CPU seconds: of fetching, parsing and judging, and of all."""
    settings = plans.settings(runner.experiment, Cell(StrategyEntry(leader), topic, 1))
    parts = assemble.page_crawl_parts(settings, context)
    visits: list[Visit] = []

    def note(step: Step) -> None:
        if step.visit is not None:
            visits.append(step.visit)

    with (
        tempfile.TemporaryDirectory(prefix="scenthound-learning-") as folder,
        open_library(Path(folder), create=True) as library,
    ):
        crawler = LabCrawler(runner.web)  # one that has parsed nothing yet
        gc.collect()
        started = time.process_time()
        _, spent = crawler.crawl(settings, parts, library=library, observers=[note])
        whole = time.process_time() - started
    return visits, sum(spent.seconds[stage] for stage in ("fetch", "parse", "judge")), whole


def ranked(strategy: Any, visits: Sequence[Visit]) -> float:
    """CPU seconds of ranking all links of the visits, each visit with the memory this strategy gave its link."""
    memories: dict[str, bytes | None] = {}
    seconds = 0.0
    gc.collect()
    for visit in visits:
        visit = replace(visit, memory=memories.get(visit.link.url))
        started = time.thread_time()
        links = strategy.rank(visit)
        seconds += time.thread_time() - started
        for one in links:
            memories.setdefault(one.link.url, one.memory)
    return seconds


def ratios(web: str, timed: Sequence[Timed]) -> int:
    pages, links = sum(one.pages for one in timed), sum(one.links for one in timed)
    print(f"\n## Crawling {web}: {pages} pages with {links / pages:.0f} links each, {ROUNDS} rounds\n")
    read = statistics.median(value for one in timed for value in one.read)
    whole = statistics.median(value for one in timed for value in one.whole)
    print(f"All but ranking: {whole:.2f} ms a page; of these fetching (from disk), parsing, judging {read:.2f} ms.\n")
    row(["strategy", "ranking, us a link", "ranking, ms a page", "crawl, times best-first-targets", "bare"])
    row(["---"] * 5)
    worst = 0.0
    leader = next(iter(timed[0].rank))
    for name in timed[0].rank:
        crawls, bare = list(_pairs(timed, name, leader, True)), list(_pairs(timed, name, leader, False))
        worst = max(worst, statistics.median(crawls))
        a_link = [1000 * spent * one.pages / one.links for one in timed for spent in one.rank[name]]
        a_page = [spent for one in timed for spent in one.rank[name]]
        row([name, spread(a_link, 1), spread(a_page, 2), spread(crawls, 3), spread(bare, 3)])
    print(f"\nGoal: at most {GOAL_RATIO:.2f}. Median, and range over topics and rounds; CPU time throughout.")
    print("Bare: fetching, parsing, judging and ranking alone, without storing, the frontier and the engine.")
    return int(worst > GOAL_RATIO)


def _pairs(timed: Sequence[Timed], name: str, leader: str, whole: bool) -> Iterator[float]:
    """Ratios of what a whole page costs, of figures taken in the same round."""
    for one in timed:
        for rest, ours, theirs in zip(one.whole if whole else one.read, one.rank[name], one.rank[leader], strict=True):
            yield (rest + ours) / (rest + theirs)


def row(cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def spread(values: Sequence[float], digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", choices=[*WEBS, "both"], default="webkb")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and topics.jsonl")
    parser.add_argument("--only", action="append", default=[], metavar="TOPIC", help="just this topic; repeatable")
    options = parser.parse_args()
    webs = WEBS if options.web == "both" else (options.web,)
    absent = [web for web in webs if not (options.data / f"{web}.warc.gz").is_file()]
    if absent or not (options.data / "topics.jsonl").is_file():
        print(f"There is no {' and no '.join(absent) or 'topics.jsonl'} in {options.data}: nothing to measure. "
              "Name the folder with --data.")  # fmt: skip
        return 0
    plan = Plan(options.data, options.only)
    return max(cost(web, plan) for web in webs)


if __name__ == "__main__":
    sys.exit(main())

"""What learning crawlers cost, and what they find, on recorded webs. Results and reading of them: docs/learning.md.

    ./run python benchmarks/learning.py --what cost                    training, crawling beside best-first-targets
    ./run python benchmarks/learning.py --what quality --web webkb     all learners, and what needs no teacher
    ./run python benchmarks/learning.py --what features --web webkb    MEMM and CRF with all, words, no-words
    ./run python benchmarks/learning.py --what noise --web webkb       with 10, 20, 40 % of the labels wrong

Tables are printed as Markdown. Crawls are made once and kept in the folder of --into, one a web: interrupted, the same
command goes on. The program ends with 0, saying so, where the webs are absent; with 1 where a goal is missed or a crawl
could not be made.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scenthound import registry
from scenthound.cli.views.lab_progress import ProgressBar
from scenthound.crawler import assemble
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.report.summary import ExperimentSummary, summarise
from scenthound.lab.run_experiment import ExperimentOutcome, run_experiment, write_reports
from scenthound.lab.statistics import Comparison, Estimate, compare
from scenthound.lab.topics import LabTopic
from scenthound.learn.graphs.sequences import walks
from scenthound.library import open_library
from scenthound.model import Step, Visit
from scenthound.protocols.crawl import Context

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEBS = ("webkb", "schools-wikipedia")

UNTAUGHT = ("breadth-first", "best-first", "best-first-anchor", "best-first-targets")
CHAINS = ("memm", "memm-viterbi", "crf", "crf-viterbi")
DISCOUNTED = ("memm(discount=0.3)", "crf(discount=0.3)")
LEARNERS = (
    "context-graph", "hmm", "hmm-xmeans", "hybrid-hmm", "hybrid-hmm-anchor", *CHAINS, *DISCOUNTED,
    "reinforcement", "genetic-hybrid", "classifier", "apprentice",
)  # fmt: skip
TO_BEAT = ("breadth-first", "best-first-anchor", "best-first")
MINDFUL = ("context-graph", "hmm", "memm", "crf", "reinforcement")  # of noise: one of each kind
NOISE = (0.0, 0.1, 0.2, 0.4)
FEATURES = ("words", "no-words")

BASELINE = "best-first"
MEASURES = (
    "recall-area", "target-recall", "precision-0.5", "precision-0.6", "precision-0.7", "precision-0.8",
    "maximum-average-similarity", "mean-maximum-similarity", "apr", "training-seconds", "training-pages",
)  # fmt: skip

SEQUENCES = 12_000
GOAL_SECONDS = 60.0
GOAL_RATIO = 1.10
TIMED_TOPICS = 4
ROUNDS = 5


# --- what is found ------------------------------------------------------------------------------------------------


class Plan(Struct):
    """Where the webs are, and how much of them is wanted."""

    data: Path
    into: Path
    jobs: int
    only: list[str]

    def crawl(self, web: str, strategies: Sequence[str], noise: float = 0.0, bounds: bool = False) -> ExperimentOutcome:
        """Every crawl of these strategies that is not in the folder yet, before the eyes of whoever waits."""
        experiment = Experiment(
            strategies=list(strategies),
            baseline=BASELINE,
            web=[str(self.data / f"{web}.warc.gz")],
            topics=str(self.data / "topics.jsonl"),
            only=self.only,
            label_noise=noise,
            bounds=bounds,
        )
        progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        with progress:
            return run_experiment(experiment, self.into / web, jobs=self.jobs, watch=ProgressBar(progress))


def quality(web: str, plan: Plan) -> int:
    """The leaderboard, and every learner against what it has to beat."""
    outcome = plan.crawl(web, [*UNTAUGHT, *LEARNERS], bounds=True)
    summary = write_reports(outcome, "benchmarks/learning.py --what quality")
    if summary is None:
        return faults(outcome)
    leaderboard(web, summary)
    for rival in TO_BEAT:
        against(summarise(outcome.rows, rival), rival)
    pairs = [(f"{kind}-viterbi", kind) for kind in ("memm", "crf")]
    print("\nViterbi in place of marginals, difference in recall area\n")
    for ours, theirs in pairs:
        told = summarise(outcome.rows, theirs).comparisons["recall-area"].get(ours)
        if told is not None:
            print(f"- {ours} - {theirs}: {difference(told)}, {told.wins}/{told.ties}/{told.losses}")
    return faults(outcome)


def leaderboard(web: str, summary: ExperimentSummary) -> None:
    shown = [name for name in MEASURES if name in summary.estimates]
    print(f"\n## {web}: {len(summary.topics)} topics, {summary.budget} pages\n")
    row(["strategy", *shown])
    row(["---"] * (len(shown) + 1))
    for strategy in summary.strategies:
        told = [f"{strategy} (bound)" if strategy in summary.bounds else strategy]
        for name in shown:
            given = summary.of(name, strategy)
            told.append(interval(given) if name == "recall-area" else number(given.mean))
        row(told)


def against(summary: ExperimentSummary, rival: str) -> None:
    """Differences in recall area, topic by topic, with p corrected for all that are compared."""
    print(f"\nAgainst {rival}, recall area\n")
    row(["strategy", "difference", "wins / ties / losses", "p", "p (Holm)"])
    row(["---"] * 5)
    told = summary.comparisons["recall-area"]
    for strategy in summary.strategies:
        if (one := told.get(strategy)) is not None:
            games = f"{one.wins} / {one.ties} / {one.losses}"
            row([strategy, difference(one), games, f"{one.p:.4f}", f"{one.p_holm:.3f}"])


def features(web: str, plan: Plan) -> int:
    """What the words of titles and headings tell, and what all else does."""
    spelt = {f"{model}(features={chosen})": model for model in CHAINS for chosen in FEATURES}
    outcome = plan.crawl(web, [*CHAINS, *spelt])
    summary = write_reports(outcome, "benchmarks/learning.py --what features")
    if summary is None:
        return faults(outcome)
    leaderboard(web, summary)
    print("\nAgainst the same model with all features, recall area\n")
    values = summary.values["recall-area"]
    compared = {label: compare({model: values[model], label: values[label]}, model)[label]
                for label, model in spelt.items() if label in values and model in values}  # fmt: skip
    for label, told in compared.items():
        print(f"- {label}: {difference(told)}, {told.wins}/{told.ties}/{told.losses}, p = {told.p:.3f}")
    return faults(outcome)


def noise(web: str, plan: Plan) -> int:
    """Recall area by the share of pages that were put into a wrong state, each against none."""
    found: dict[str, dict[float, dict[str, float]]] = {name: {} for name in MINDFUL}
    wrong = 0
    for share in NOISE:
        outcome = plan.crawl(web, MINDFUL, share)
        wrong += faults(outcome)
        values = summarise(outcome.rows, BASELINE).values["recall-area"] if outcome.rows else {}
        for name in MINDFUL:
            found[name][share] = values.get(name, {})
    print(f"\n## {web}: recall area with wrong training labels\n")
    row(["strategy", *(f"{share:.0%}" for share in NOISE)])
    row(["---"] * (len(NOISE) + 1))
    for name, by_share in found.items():
        told = compare({str(share): values for share, values in by_share.items()}, "0.0")
        means = {share: statistics.fmean(values.values()) if values else math.nan for share, values in by_share.items()}
        row(
            [name, number(means[0.0]), *(f"{means[share]:.3f} ({difference(told[str(share)])})" for share in NOISE[1:])]
        )
    return min(1, wrong)


def faults(outcome: ExperimentOutcome) -> int:
    for failure in outcome.failures:
        print(f"{failure.strategy} on {failure.topic} could not crawl: {failure.reason}", file=sys.stderr)
    return 1 if outcome.failures else 0


# --- what it costs ------------------------------------------------------------------------------------------------


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


# --- how it is told -----------------------------------------------------------------------------------------------


def row(cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0f}" if abs(value) >= 100 else f"{value:.3f}"


def interval(given: Estimate) -> str:
    return f"{given.mean:.3f} [{given.low:.3f}, {given.high:.3f}]"


def difference(told: Comparison) -> str:
    given = told.difference
    return f"{given.mean:+.3f} [{given.low:+.3f}, {given.high:+.3f}]"


def spread(values: Sequence[float], digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


WHAT: dict[str, Callable[[str, Plan], int]] = {
    "cost": cost,
    "quality": quality,
    "features": features,
    "noise": noise,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--what", choices=list(WHAT), required=True)
    parser.add_argument("--web", choices=[*WEBS, "both"], default="webkb")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and topics.jsonl")
    parser.add_argument("--only", action="append", default=[], metavar="TOPIC", help="just this topic; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--into", type=Path, default=Path("lab/learning"), help="where results are kept")
    options = parser.parse_args()
    webs = WEBS if options.web == "both" else (options.web,)
    absent = [web for web in webs if not (options.data / f"{web}.warc.gz").is_file()]
    if absent or not (options.data / "topics.jsonl").is_file():
        print(f"There is no {' and no '.join(absent) or 'topics.jsonl'} in {options.data}: nothing to measure. "
              "Name the folder with --data.")  # fmt: skip
        return 0
    plan = Plan(options.data, options.into, max(1, options.jobs), options.only)
    return max(WHAT[options.what](web, plan) for web in webs)


if __name__ == "__main__":
    sys.exit(main())

"""Makes the result files in docs/results/ that the tables of docs/ are written from: every figure, by one command.

    ./run python -m benchmarks.doc_figures                      all runs, webs in ../shared/data
    ./run python -m benchmarks.doc_figures forms-webkb          one of them; --list names them
    ./run python -m benchmarks.doc_figures --recheck            one topic of each strategy whose code has changed since
    ./run python -m benchmarks.doc_figures --stale              only strategies that are not as they were
    ./run python -m benchmarks.doc_figures --so-far RUN         nothing is crawled: files of what was, before it ended
    ./run python -m scripts.doc_tables                          then writes the tables anew, those lines taken away
                                                                that said the code had changed

Crawls are kept in the folder of --into: interrupted, the same command goes on, and a crawl is made again only where the
code it depends on, the topic or the web has changed. As code changes every day and a whole run takes long, `--recheck`
repeats one topic in twelve; a strategy that fetched the same pages in the same order, with the same figures, stands as
it is, and the others are named. A result file is written after each run, so that the first ones are there while the
last is under way. Of a run that did not come to its end, `--so-far` keeps the topics that all of its strategies have
crawled; a table says of how many topics it is. The program ends with 0, saying so, where the webs are absent.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from scripts import doc_results
from scripts.doc_labels import BOUNDS, EVERY_WEB, REFERENCES, WEBS, spelt, taught, untaught

from scenthound import registry
from scenthound.cli.views.lab_progress import ProgressBar
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results, runner
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.judges.judge_experiment import JudgeExperiment
from scenthound.lab.run_experiment import run_experiment
from scenthound.lab.run_judges import run_judges
from scenthound.lab.webs import open_web

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOPICS = {"apache": "topics-apache.jsonl"}  # of the others: topics.jsonl
CHAINS = ("memm", "memm-viterbi", "crf", "crf-viterbi")
FEATURES = (
    *(f"{model}(features={chosen})" for model in CHAINS for chosen in ("words", "no-words")),
    *(
        f"{model}(features=table-1-{chosen}, published={form})"
        for model in ("memm", "crf") for form in ("pseudocode", "flow-chart") for chosen in ("words", "no-words")
    ),
)  # fmt: skip
Given = Literal["keywords", "examples", "lessons"]
RIVALS: dict[Given, tuple[str, ...]] = {  # of `auto`, by how much help all had
    "keywords": ("auto", "best-first", "best-first-anchor", "url-rules", "blocks"),
    "examples": ("auto", "best-first", "embedding"),
    "lessons": ("auto", "memm", "best-first"),
}
PARTS_OF_AUTO = (
    "anchor+context+heading+address+address alone", "anchor as title+anchor as text+context as text+address words",
    "inherited", "link", "parents", "page record+list record", "little seen", "near+short address", "another folder",
    "kind", "new ground",
)  # fmt: skip
MINDFUL = ("context-graph", "hmm", "memm", "crf", "reinforcement")  # of noise: one of each kind
NOISE = (0.1, 0.2, 0.4)
CLUSTER = ("benchmarks/cluster.py",)
RECORDED = "../shared/data"
LARGE = "lab/large"  # libraries that take a quarter of an hour to make, and serve two benchmarks
PRINTED = {
    "freshness": ["benchmarks/freshness.py", "--weighted", "--svg", "docs/freshness.svg"],
    "freshness-half": ["benchmarks/freshness.py", "--half", "second", "--no-detection"],
    **{f"learning-cost-{web}": ["benchmarks/learning.py", "--web", web] for web in WEBS},
    "site-classification": ["benchmarks/site_classification.py"],
    "sites": ["benchmarks/sites.py", "--picture", "docs/sites.svg"],
    "stopping-webkb": ["benchmarks/stopping.py", "--web", "webkb", "--seed-sets", "20"],
    "stopping-apache": ["benchmarks/stopping.py", "--web", "apache", "--seed-sets", "20"],
    "stopping-schools-wikipedia": ["benchmarks/stopping.py", "--web", "schools-wikipedia", "--seed-sets", "20"],
    "site-labels": ["benchmarks/site_labels.py"],
    "site-lists": ["benchmarks/site_labels.py", "--without"],
    "judge-constants": [
        "benchmarks/judge_constants.py", *(f"{RECORDED}/{web}.warc.gz" for web in EVERY_WEB),
        "--topics", f"{RECORDED}/topics.jsonl", f"{RECORDED}/topics-apache.jsonl",
    ],
    "form-questions": ["benchmarks/form_questions.py"],
    "writing": ["benchmarks/single_experiments.py", "writing"],
    "ontology-of-the-topic": ["benchmarks/single_experiments.py", "ontology"],
    "page-thrift": ["benchmarks/page_thrift.py"],
    "tunnels": ["benchmarks/tunnels.py", "--jobs", "1"],
    "peers": ["benchmarks/peers.py", "--without", "crawl4ai-adaptive,scenthound-best-first"],
    "peers-speed": ["benchmarks/peers.py", "--speed", "--rounds", "2"],
    "main-text": ["benchmarks/main_text.py", RECORDED],
    "main-text-held-out": ["benchmarks/main_text.py", RECORDED, "--held-out"],
    "main-text-judge": ["benchmarks/main_text_use.py", "judge"],
    "main-text-search": ["benchmarks/main_text_use.py", "search"],
    "languages": ["benchmarks/languages.py", *(f"{RECORDED}/{web}.warc.gz" for web in EVERY_WEB)],
    "segmentation": ["benchmarks/segmentation.py"],
    "throughput-generated": ["benchmarks/throughput.py", "--web", "generated", "--rounds", "2"],
    "frontier": ["benchmarks/frontier.py", "--full"],
    "ranking": ["benchmarks/ranking.py"],
    "reading": ["benchmarks/reading.py", "--pages", "100000,1000000", "--library", LARGE],
    "going-on": ["benchmarks/going_on.py", "--pages", "100000"],
    "waiting-memory": ["benchmarks/waiting_memory.py"],
    "dashboard-views": ["benchmarks/dashboard.py", "--pages", "1000000", "--library", f"{LARGE}/1000000"],
    "dashboard-browser": ["benchmarks/dashboard.py", "--browser"],
    "cluster-faults": ["benchmarks/cluster_faults.py", "--wanted", "100"],
    "cluster-start": ["benchmarks/cluster_start.py"],
    "cluster-harvest-apache": [
        *CLUSTER, "harvest", "--web", "apache", "--workers", "1", "8", "--topics", "7", "--minutes", "22",
    ],
    "cluster-harvest-webkb": [
        *CLUSTER, "harvest", "--web", "webkb", "--workers", "1", "8", "--turns", "2", "--minutes", "120",
    ],
    "cluster-speed": [*CLUSTER, "speed", "--pages", "1200", "--waits", "0.6", "0.15"],
    "cluster-links": [*CLUSTER, "links", "--count", "1000000", "10000000", "100000000"],
    "cluster-simulation": [*CLUSTER, "simulation", "--svg", "docs/scale.svg"],
}  # fmt: skip
"""Benchmarks whose tables are kept as they are printed."""

RESUMED = ("peers",)
"""Those of them that have a --so-far of their own."""


Measured = tuple[list[doc_results.KeptResult], list[str]]
"""Lines for the file, and what went wrong."""


class Run(Struct, frozen=True):
    """Crawls of strategies, or trials of judges, on one web, whose figures go into one file."""

    file: str
    web: str
    labels: tuple[str, ...]
    given: Given = "examples"
    noise: float = 0.0
    bounds: bool = False
    judges: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """All that its file has a line of."""
        return (*self.labels, *(BOUNDS if self.bounds else ()))


def runs() -> list[Run]:
    """In the order in which they are wanted most."""
    judges = (*registry.judge.names(), "blocks(published=true)")
    return [
        *(Run(f"taught-{web}", web, spelt(taught()), "lessons", bounds=True) for web in WEBS),
        *(Run(f"forms-{web}", web, spelt(untaught()), bounds=True) for web in WEBS),
        *(Run(f"judges-{web}", web, spelt(judges), judges=True) for web in WEBS),
        *(
            Run(f"auto-{given}-{web}", web, labels, given)
            for given, labels in RIVALS.items()
            for web in (EVERY_WEB if given != "lessons" else ("webkb",))
        ),
        *(
            Run(f"parts-{web}", web, spelt(["auto", *(f"auto(without={each})" for each in PARTS_OF_AUTO)]), "keywords")
            for web in EVERY_WEB
        ),
        *(Run(f"features-{web}", web, spelt(FEATURES), "lessons") for web in WEBS),
        *(Run(f"noise-{web}", web, spelt(MINDFUL), "lessons", share) for web in WEBS for share in NOISE),
    ]


def measure(run: Run, labels: Sequence[str], options: argparse.Namespace, only: Sequence[str] = ()) -> Measured:
    """Crawls what is missing. `only`: topics, where not all are wanted."""
    folder = options.into / run.web
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    web, topics = [str(options.data / f"{run.web}.warc.gz")], str(options.data / TOPICS.get(run.web, "topics.jsonl"))
    with progress:
        watch = ProgressBar(progress)
        if run.judges:
            plan = JudgeExperiment(judges=list(labels), web=web, topics=topics, only=list(only))
            judged = run_judges(plan, folder, jobs=options.jobs, watch=watch)
            wrong = [f"{each.judge} on {each.topic}: {each.reason}" for each in judged.failures if not each.refused]
            return doc_results.of_trials(judged.rows), wrong
        experiment = Experiment(
            strategies=[*labels, *(REFERENCES if run.given == "lessons" and not only else ())], web=web, topics=topics,
            only=list(only), given=run.given, label_noise=run.noise, bounds=False,
        )  # fmt: skip
        if options.so_far:
            return doc_results.of_crawls(crawled_so_far(experiment, folder), run.given, run.noise), []
        crawled = run_experiment(experiment, folder, jobs=options.jobs, watch=watch)
        wrong = [f"{each.strategy} on {each.topic}: {each.reason}" for each in crawled.failures]
        return doc_results.of_crawls(crawled.rows, run.given, run.noise), wrong


def crawled_so_far(experiment: Experiment, folder: Path) -> list[ResultRow]:
    """The crawls that are there, of those topics on which every strategy has crawled."""
    cells = plans.cells_of(experiment, plans.topics_of(experiment))
    web = open_web(experiment.web_spec())
    keys = {cell.key for cell in runner.keyed(experiment, cells, web.identity)}
    web.close()
    rows = {row.key: row for row in results.read(folder / results.LINES) if row.key in keys}.values()
    all_of_them = {cell.strategy.label for cell in cells}
    done = [
        topic for topic in dict.fromkeys(row.topic for row in rows)
        if {row.strategy for row in rows if row.topic == topic} == all_of_them
    ]  # fmt: skip
    return [row for row in rows if row.topic in done]


def make(run: Run, labels: Sequence[str], options: argparse.Namespace) -> int:
    """Writes the file of a run; 1 where something could not be crawled."""
    rows, wrong = measure(run, labels, options)
    path = doc_results.write(run.file, [row for row in rows if row.label in labels])
    print(f"{path.name}: {len(rows)} lines", flush=True)
    for each in wrong:
        print(f"not measured: {each}", file=sys.stderr)
    return int(bool(wrong))


def recheck(run: Run, options: argparse.Namespace) -> int:
    """Repeats one topic of all whose code has changed: what comes out the same, page by page, is taken as it was."""
    old = [row for row in doc_results.read(run.file) if row.noise == run.noise and row.is_stale()]
    old = [row for row in old if row.label in run.rows]
    if not old:
        return 0
    rows, _ = measure(run, list(dict.fromkeys(row.label for row in old)), options, old[0].topics[:1])
    again = {(row.label, row.given): row for row in rows}
    same = [row for row in old if (now := again.get((row.label, row.given))) is not None and now.repeats(row)]
    doc_results.write(run.file, [replace(row, checked=row.code_now()) for row in same])
    other = [row.label for row in old if row not in same]
    print(
        f"{run.file}: {len(same)} of {len(old)} are as they were{'; not: ' if other else ''}{', '.join(other)}",
        flush=True,
    )
    return int(bool(other))


def wanted(run: Run, stale: bool) -> list[str]:
    """The labels of a run; with `stale`, those without figures of the present code."""
    if not stale:
        return list(run.rows)
    kept = [row for row in doc_results.read(run.file) if row.noise == run.noise and not row.is_stale()]
    return [label for label in run.rows if label not in {row.label for row in kept}]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="RUN", help="which result files; all where none is named")
    parser.add_argument("--list", action="store_true", help="name the result files")
    parser.add_argument("--stale", action="store_true", help="only what was made with other code than there is now")
    parser.add_argument("--recheck", action="store_true", help="repeat a topic of what was made with other code")
    parser.add_argument(
        "--so-far", action="store_true", help="crawl nothing: write what a run that was ended has crawled"
    )
    parser.add_argument("--only", default="", metavar="LABELS", help="of these strategies alone, with ; between them")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and topics.jsonl")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("lab/docs"), help="where crawls are kept")
    options = parser.parse_args()
    known = runs()
    names = list(dict.fromkeys([*(run.file for run in known), *PRINTED]))
    if options.list:
        print("\n".join(names))
        return 0
    if unknown := set(options.names) - set(names):
        parser.error(f"there is no run called {', '.join(sorted(unknown))}; --list names them")
    if not (options.data / "topics.jsonl").is_file():
        print(f"There is no topics.jsonl in {options.data}: nothing to measure. Name the folder with --data.")
        return 0
    chosen = options.names or names
    wrong = max(
        (crawls_of(run, options) for run in sorted(known, key=in_order(chosen)) if run.file in chosen), default=0
    )
    if not options.recheck and not options.only:
        so_far = ("--so-far",) if options.so_far else ()
        for name in PRINTED:
            known_so_far = name in RESUMED or not options.so_far
            if name in chosen and known_so_far and (not options.stale or doc_results.is_missing_or_stale(name)):
                print(f"kept {doc_results.keep_printed(name, *PRINTED[name], *so_far).name}", flush=True)
    return wrong


def in_order(names: Sequence[str]) -> Callable[[Run], int]:
    """Runs as they were asked for: whoever names some wants the first of them first."""
    place = {name: number for number, name in reversed(list(enumerate(names)))}
    return lambda run: place.get(run.file, len(names))


def crawls_of(run: Run, options: argparse.Namespace) -> int:
    if options.recheck:
        return recheck(run, options)
    labels = wanted(run, options.stale)
    if options.only:
        labels = [label for label in labels if label in options.only.split(";")]
    return make(run, labels, options) if labels else 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes the result files in docs/results/ that the tables of docs/ are written from: every figure, by one command.

    ./run python -m benchmarks.doc_figures                      all runs, webs in ../shared/data
    ./run python -m benchmarks.doc_figures forms-webkb          one of them; --list names them
    ./run python -m benchmarks.doc_figures --stale              only strategies whose code has changed since
    ./run python -m scripts.doc_tables                          then writes the tables anew

Crawls are kept in the folder of --into: interrupted, the same command goes on, and a crawl is made again only where the
code it depends on, the topic or the web has changed. A result file is written after each run, so that the first ones
are there while the last is under way. The program ends with 0, saying so, where the webs are absent.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from scripts import doc_results

from scenthound import registry
from scenthound.cli.views.lab_progress import ProgressBar
from scenthound.lab.crawls.experiment import Experiment, strategy_entry
from scenthound.lab.judges.judge_experiment import JudgeExperiment
from scenthound.lab.run_experiment import run_experiment
from scenthound.lab.run_judges import run_judges
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WEBS = ("webkb", "schools-wikipedia")
BASELINE = "best-first"
EXTRA = ("classifier(model=svm)", "tunnelling(strategy=blocks)")
REFERENCES = ("breadth-first", "best-first", "best-first-anchor", "best-first-targets")
CHAINS = ("memm", "memm-viterbi", "crf", "crf-viterbi")
DISCOUNTED = ("memm(discount=0.3)", "crf(discount=0.3)")
FEATURES = (
    *(f"{model}(features={chosen})" for model in CHAINS for chosen in ("words", "no-words")),
    *(
        f"{model}(features=table-1-{chosen}, published={form})"
        for model in ("memm", "crf") for form in ("pseudocode", "flow-chart") for chosen in ("words", "no-words")
    ),
)  # fmt: skip
MINDFUL = ("context-graph", "hmm", "memm", "crf", "reinforcement")  # of noise: one of each kind
NOISE = (0.1, 0.2, 0.4)


class Run(Struct, frozen=True):
    """Crawls of strategies, or trials of judges, on one web, whose figures go into one file."""

    file: str
    web: str
    labels: tuple[str, ...]
    given: str = "examples"
    noise: float = 0.0
    bounds: bool = False
    judges: bool = False


def forms(name: str) -> Iterator[str]:
    """A strategy as it is, and each published form that differs from that."""
    yield name
    yield from (f"{name}(published={form})" for form, params in registry.strategy.presets(name).items() if params)


def untaught() -> list[str]:
    names = [name for name in registry.strategy.names() if not _must_be_taught(name) and name != "random"]
    return [label for name in names for label in forms(name)] + list(EXTRA)


def taught() -> list[str]:
    names = [name for name in registry.strategy.names() if hook(registry.strategy.get(name), Trains) is not None]
    return [*REFERENCES, *(label for name in names for label in forms(name)), *DISCOUNTED]


def _must_be_taught(name: str) -> bool:
    made = registry.strategy.get(name)
    return hook(made, Trains) is not None and not getattr(made, "can_do_without", False)


def runs() -> list[Run]:
    """In the order in which they are wanted most."""
    judges = (*registry.judge.names(), "blocks(published=true)")
    return [
        *(Run(f"taught-{web}", web, spelt(taught()), "lessons", bounds=True) for web in WEBS),
        *(Run(f"forms-{web}", web, spelt(untaught()), bounds=True) for web in WEBS),
        *(Run(f"judges-{web}", web, spelt(judges), judges=True) for web in WEBS),
        *(Run(f"features-{web}", web, spelt(FEATURES), "lessons") for web in WEBS),
        *(Run(f"noise-{web}", web, spelt(MINDFUL), "lessons", share) for web in WEBS for share in NOISE),
    ]


def spelt(labels: Iterable[str]) -> tuple[str, ...]:
    """As results name them."""
    return tuple(strategy_entry(label).label for label in labels)


def make(run: Run, labels: Sequence[str], options: argparse.Namespace) -> int:
    """Crawls what is missing, and writes the file; 1 where something could not be crawled."""
    folder = options.into / run.web
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    web, topics = [str(options.data / f"{run.web}.warc.gz")], str(options.data / "topics.jsonl")
    with progress:
        watch = ProgressBar(progress)
        if run.judges:
            plan = JudgeExperiment(judges=list(labels), web=web, topics=topics)
            judged = run_judges(plan, folder, jobs=options.jobs, watch=watch)
            rows = doc_results.of_trials(judged.rows)
            failures = [failure for failure in judged.failures if not failure.refused]
        else:
            experiment = Experiment(
                strategies=[*labels, *REFERENCES], baseline=BASELINE, web=web, topics=topics,
                given=run.given, label_noise=run.noise, bounds=run.bounds,
            )  # fmt: skip
            crawled = run_experiment(experiment, folder, jobs=options.jobs, watch=watch)
            rows = doc_results.of_crawls(crawled.rows, run.given, run.noise)
            failures = crawled.failures
    path = doc_results.write(run.file, [row for row in rows if row.label in (*labels, "oracle", "random")])
    print(f"{path.name}: {len(rows)} lines", flush=True)
    for failure in failures:
        print(f"{failure} could not be measured", file=sys.stderr)
    return int(bool(failures))


def wanted(run: Run, stale: bool) -> list[str]:
    """The labels of a run; with `stale`, those without figures of the present code."""
    if not stale:
        return list(run.labels)
    kept = [row for row in doc_results.read(run.file) if row.noise == run.noise and not row.is_stale()]
    return [label for label in run.labels if label not in {row.label for row in kept}]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="RUN", help="which result files; all where none is named")
    parser.add_argument("--list", action="store_true", help="name the result files")
    parser.add_argument("--stale", action="store_true", help="only what was made with other code than there is now")
    parser.add_argument("--only", default="", metavar="LABELS", help="of these strategies alone, with ; between them")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and topics.jsonl")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("lab/docs"), help="where crawls are kept")
    options = parser.parse_args()
    known = runs()
    if options.list:
        print("\n".join(dict.fromkeys(run.file for run in known)))
        return 0
    if unknown := set(options.names) - {run.file for run in known}:
        parser.error(f"there is no run called {', '.join(sorted(unknown))}; --list names them")
    if not (options.data / "topics.jsonl").is_file():
        print(f"There is no topics.jsonl in {options.data}: nothing to measure. Name the folder with --data.")
        return 0
    wrong = 0
    for run in known:
        labels = wanted(run, options.stale) if run.file in options.names or not options.names else []
        if options.only:
            labels = [label for label in labels if label in options.only.split(";")]
        if labels:
            wrong |= make(run, labels, options)
    return wrong


if __name__ == "__main__":
    sys.exit(main())

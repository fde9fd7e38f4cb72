"""Experiments of the lab that the documentation has one table each of.

    ./run python benchmarks/single_experiments.py writing      a made-up web in English and in Japanese: docs/lab.md
    ./run python benchmarks/single_experiments.py ontology     WordNet, and an ontology of the topic: docs/ontologies.md

Crawls are kept in --into: interrupted, the same command goes on. `ontology` wants schools-wikipedia.warc.gz, and ends
with 0, saying so, where it is absent.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from scenthound.judges import auto as auto_judge  # noqa: F401  found by name otherwise, and a result's digest goes by imports
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.report.share_intervals import share
from scenthound.lab.report.tables import markdown_table
from scenthound.lab.run_experiment import run_experiment
from scenthound.lab.statistics import mean_with_interval
from scenthound.strategies import auto, best_first, ehrig, mihalcea, ssrm, synset  # noqa: F401  the same

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
THESAURUS = "tests/ontology/data/health.ttl"
FREE = ("mihalcea", "ehrig", "ssrm")
FIGURES = ("recall-area", "target-recall")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=["writing", "ontology"])
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder with schools-wikipedia.warc.gz and topics.jsonl"
    )
    parser.add_argument("--into", type=Path, default=Path("lab/single"), help="where crawls are kept")
    options = parser.parse_args()
    if options.which == "writing":
        return writing(options.into)
    if not (options.data / "schools-wikipedia.warc.gz").is_file():
        print(f"There is no schools-wikipedia.warc.gz in {options.data}: nothing to measure.")
        return 0
    return ontology(options.data, options.into)


def writing(into: Path) -> int:
    strategies = ["best-first", "auto"]
    found = {
        language: run_experiment(
            Experiment(strategies=[*strategies], generated=1200, web_language=language, bounds=False), into / language
        ).rows
        for language in ("en", "ja")
    }
    head = ["strategy", "recall area, English", "Japanese", "final recall, English", "Japanese"]
    rows = [
        [f"`{name}`", *(mean_of(found[language], name, figure) for figure in FIGURES for language in ("en", "ja"))]
        for name in strategies
    ]
    print("\n".join(markdown_table(head, rows)))
    return 0


def mean_of(rows: list[ResultRow], strategy: str, figure: str) -> str:
    """With its interval, where there are topics enough for one."""
    estimate = share(mean_with_interval([row.number(figure) for row in rows if row.strategy == strategy]))
    told = f"{estimate.mean:.3f}"
    return told if estimate.n < 2 else f"{told} [{estimate.low:.3f}, {estimate.high:.3f}]"


def ontology(data: Path, into: Path) -> int:
    strategies = ["best-first", "synset", *FREE, *(f"{name}(ontology={THESAURUS})" for name in ("synset", *FREE))]
    further = [f"synset(ontology={THESAURUS}, distance={steps})" for steps in (1, 3)]
    plan = Experiment(
        strategies=[*strategies, *further], web=[str(data / "schools-wikipedia.warc.gz")],
        topics=str(data / "topics.jsonl"), only=["health"], bounds=False,
    )  # fmt: skip
    rows = run_experiment(plan, into / "ontology").rows
    told = {row.strategy: row.number("recall-area") for row in rows}

    def cell(label: str) -> str:
        return f"{told[label]:.3f}" if label in told else ""

    of_file = {label.partition("(")[0]: label for label in told if label.endswith(f"(ontology={THESAURUS})")}
    lines = [["`best-first`, no ontology", cell("best-first"), cell("best-first")]]
    lines += [[f"`{name}`", cell(name), cell(of_file[name])] for name in ("synset", *FREE)]
    lines += [
        [f"`synset`, `distance = {steps}`", "", cell(label)]
        for steps in (1, 3)
        for label in told
        if f"distance={steps}" in label
    ]
    print("\n".join(markdown_table(["", "WordNet", "health.ttl"], lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

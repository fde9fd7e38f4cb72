"""Harvest on real webs against recorded floors: the quality of strategies must not drop silently.

    ./run python benchmarks/quality.py                        webs in ../shared/data
    ./run python benchmarks/quality.py --data FOLDER --jobs 2
    ./run python benchmarks/quality.py --into quality         keep results and reports there

The floors stand about a twentieth below what was measured. The program ends with 1 if any strategy fell below its
floor, and with 0, saying so, where the webs are absent. See docs/lab.md for what the figures mean.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.report.summary import ExperimentSummary
from scenthound.lab.run_experiment import run_experiment, write_reports

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

FLOORS = {
    "schools-wikipedia.warc.gz": {
        "oracle": (0.75, 0.80),
        "best-first": (0.46, 0.62),
        "best-first-page": (0.33, 0.60),
        "best-first-anchor": (0.11, 0.20),
        "breadth-first": (0.004, 0.01),
    },
    "webkb.warc.gz": {
        "oracle": (0.74, 0.94),
        "best-first": (0.40, 0.59),
        "best-first-page": (0.40, 0.59),
        "best-first-anchor": (0.41, 0.70),
        "breadth-first": (0.31, 0.46),
    },
}
"""By web and strategy: area under the recall curve, and recall at the end of the budget; means over topics."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the webs and topics.jsonl")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--into", type=Path, help="where results are kept; a temporary folder otherwise")
    options = parser.parse_args()
    present = [web for web in FLOORS if (options.data / web).is_file() and (options.data / "topics.jsonl").is_file()]
    if not present:
        print(f"There are no recorded webs in {options.data}: nothing to measure. Name their folder with --data.")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        sunk = [fault for web in present for fault in measure(web, options, options.into or Path(temporary))]
    for fault in sunk:
        print(fault)
    return 1 if sunk else 0


def measure(web: str, options: argparse.Namespace, into: Path) -> list[str]:
    """What fell below its floor on this web."""
    floors = FLOORS[web]
    plan = Experiment(
        strategies=[name for name in floors if name != "oracle"],
        baseline="breadth-first",
        web=[str(options.data / web)],
        topics=str(options.data / "topics.jsonl"),
    )
    started = time.perf_counter()
    outcome = run_experiment(plan, into / web.partition(".")[0], jobs=options.jobs)
    summary = write_reports(outcome, "benchmarks/quality.py")
    print(f"\n{web}: {len(outcome.rows)} crawls in {time.perf_counter() - started:.0f} s")
    faults = [f"{failure.strategy} on {failure.topic}: {failure.reason}" for failure in outcome.failures]
    return faults + (compare(web, summary) if summary is not None else [f"{web}: no results"])


def compare(web: str, summary: ExperimentSummary) -> list[str]:
    faults = []
    print(f"{'strategy':22} {'area':>7} {'floor':>7} {'recall':>8} {'floor':>7}")
    for strategy, (area_floor, recall_floor) in FLOORS[web].items():
        area, recall = (summary.of(name, strategy).mean for name in ("recall-area", "target-recall"))
        print(f"{strategy:22} {area:7.3f} {area_floor:7.3f} {recall:8.3f} {recall_floor:7.3f}")
        if not (area >= area_floor and recall >= recall_floor):
            faults.append(f"{strategy} fell below its floor on {web}")
    return faults


if __name__ == "__main__":
    sys.exit(main())

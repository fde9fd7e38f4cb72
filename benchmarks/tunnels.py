"""What is found of a topic whose pages lie on islands, behind tunnels of pages that say nothing of it.

    ./run python benchmarks/tunnels.py
    ./run python benchmarks/tunnels.py --web-seeds 7 --strategies best-first,auto

Generated webs, whose truth is known: half of a topic's pages are on its mainland, a quarter each on islands behind one
page and behind three. From keywords, a fifth of the pages of the web as the budget. Needs no recorded web.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from scenthound.judges import auto as auto_judge  # noqa: F401  found by name otherwise, and a result's digest goes by imports
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.report.tables import markdown_table
from scenthound.lab.statistics import mean_with_interval
from scenthound.strategies import auto, best_first, tunnelling  # noqa: F401  the same

PAGES = 3_000
STRATEGIES = "auto,auto(without=new ground),best-first,tunnelling"


def crawled(seed: int, labels: Sequence[str]) -> dict[str, list[tuple[float, float, float]]]:
    """Of one web: for each strategy and topic what was found at the end, the area, and the requests."""
    plan = Experiment(strategies=list(labels), generated=PAGES, web_seed=seed, given="keywords", bounds=False)
    runner = CellRunner(plan)
    found: dict[str, list[tuple[float, float, float]]] = {}
    for cell in plans.cells_of(plan, plans.topics_of(plan)):
        row = runner.run(cell)
        figures = tuple(row.number(name) for name in ("target-recall", "recall-area", "requests"))
        found.setdefault(row.strategy, []).append((figures[0], figures[1], figures[2]))
    return found


def _share(values: Sequence[float]) -> str:
    found = mean_with_interval(values)
    return f"{found.mean:.3f} [{max(0.0, found.low):.3f}, {min(1.0, found.high):.3f}]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web-seeds", default="1,2,3", help="of the webs, with commas")
    parser.add_argument("--strategies", default=STRATEGIES)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    seeds, labels = [int(seed) for seed in options.web_seeds.split(",")], options.strategies.split(",")
    with ProcessPoolExecutor(options.jobs) as pool:
        webs = list(pool.map(crawled, seeds, [labels] * len(seeds)))
    rows = []
    for label in webs[0]:
        ends, areas, requests = zip(*[figures for web in webs for figures in web[label]], strict=True)
        rows.append([f"`{label}`", _share(ends), _share(areas), f"{sum(requests) / len(requests):.0f}"])
    print("\n".join(markdown_table(["strategy", "found in the end", "recall area", "requests"], rows)))
    print(f"\n- Topics: {sum(len(web[label]) for web in webs)} on {len(seeds)} generated webs of {PAGES:,} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())

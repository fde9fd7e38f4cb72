"""A crawl by workers on this machine: how fast, what it finds, how much may wait. Faults: `cluster_faults.py`.

    ./run python benchmarks/cluster.py speed                   pages a second with 1 worker and 2; what a page costs
    ./run python benchmarks/cluster.py harvest --web webkb     what 1, 2 and 8 workers find on a recorded web
    ./run python benchmarks/cluster.py links --count 10000000  so many waiting links: size, put and take
    ./run python benchmarks/cluster.py simulation --svg docs/scale.svg   1 to 256 workers, by what was measured

Real PostgreSQL (of a folder's own) in all of them; they are in `cluster_parts/`: `speed.py`, `harvest.py`,
`waiting_links.py`, `saturation.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cluster_parts import harvest, saturation, speed, waiting_links

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from scripts.doc_results import script_digest  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    what = parser.add_subparsers(dest="what", required=True)
    fast = what.add_parser("speed")
    fast.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    fast.add_argument("--pages", type=int, default=3000)
    waits = "seconds an answer takes, where it takes some"
    fast.add_argument("--waits", type=float, nargs="+", default=[speed.WAITS], help=waits)
    found = what.add_parser("harvest")
    found.add_argument("--web", default="webkb", choices=harvest.TOPICS)
    found.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    found.add_argument("--workers", type=int, nargs="+", default=[1, 2, 8])
    found.add_argument("--strategy", default="auto")
    found.add_argument("--given", default="keywords", choices=["keywords", "examples"])
    found.add_argument("--topics", type=int, default=0, help="so many, evenly from all; 0: all")
    found.add_argument("--turns", type=int, default=1, help="so often each crawl by several workers; their mean counts")
    found.add_argument("--minutes", type=float, default=600.0, help="no crawl is begun after these")
    found.add_argument("--kept", type=Path, help="where each crawl is noted, so that the same command goes on")
    waiting = what.add_parser("links")
    waiting.add_argument("--count", type=int, nargs="+", default=[1_000_000])
    simulated = what.add_parser("simulation")
    simulated.add_argument("--svg", type=Path)
    given = parser.parse_args()
    if given.what == "speed":
        speed.measure_all(given.workers, given.pages, given.waits)
    elif given.what == "harvest":
        kept = given.kept or HERE.parent / "lab" / "docs" / f"cluster-harvest-{given.web}.jsonl"
        parts = (given.web, given.data, given.given, given.strategy, given.workers, given.topics, kept, given.turns)
        plan = harvest.Plan(*parts)
        harvest.measure(plan, given.minutes, script_digest(Path(__file__)))
    elif given.what == "links":
        waiting_links.measure_all(given.count)
    else:
        saturation.measure(given.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())

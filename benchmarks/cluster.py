"""A crawl by workers on this machine: how fast, what it finds, how much may wait, and what faults do to it.

    ./run python benchmarks/cluster.py speed                   pages a second with 1 worker and 2; what a page costs
    ./run python benchmarks/cluster.py harvest --web webkb     what 1, 2 and 8 workers find on a recorded web
    ./run python benchmarks/cluster.py links --count 10000000  so many waiting links: size, put and take
    ./run python benchmarks/cluster.py simulation --svg docs/scale.svg   1 to 256 workers, by what was measured
    ./run python benchmarks/cluster.py faults --count 20 --pages 1000

Real PostgreSQL (of a folder's own) in all of them. The first four are in `cluster_parts/`: `speed.py`, `harvest.py`,
`waiting_links.py`, `saturation.py`. `faults` has real Ray and real HTTP on loopback: 24 hosts with 60 pages each
(`cluster_parts/linked_hosts.py`). It crawls with a delay of 50 ms a host while,
every few seconds, a worker's process, the driver or PostgreSQL is killed with SIGKILL; the driver is started again with
the same command. At the end it asks the server's log and the library: was a host asked twice at once, or sooner than
its delay; is a page stored twice; can every stored answer be read?
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import psutil

from cluster_parts import harvest, saturation, speed, waiting_links
from scenthound.library import open_library

HERE = Path(__file__).parent
PROGRAM = "from scenthound.cli.main import main; main()"
DELAY = 0.05
PAUSE = 3.0  # seconds between two faults


@contextmanager
def served(log: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HERE / "cluster_parts" / "linked_hosts.py"), str(port), str(log)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield port
    finally:
        server.kill()
        server.wait()


def command(folder: Path, port: int, workers: int, pages: int, delay: float) -> list[str]:
    seeds = [part for n in range(1, 5) for part in ("--seed", f"http://127.0.1.{n}:{port}/0")]
    options = ["--judge", "keywords", "--strategy", "best-first", "--allow-private", "--json", "-q"]
    wanted = ["--workers", str(workers), "--pages", str(pages), "--delay", str(delay)]
    return [sys.executable, "-c", PROGRAM, "crawl", "otter", "--into", str(folder), *seeds, *options, *wanted]


def faults(count: int, pages: int, workers: int, seed: int) -> int:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, served(Path(place, "log")) as port:
        folder = Path(place, "library")
        crawl = command(folder, port, workers, pages, DELAY)
        driver = subprocess.Popen(crawl, stdout=subprocess.DEVNULL)
        done: dict[str, int] = defaultdict(int)
        while sum(done.values()) < count:
            time.sleep(PAUSE)
            if driver.poll() is not None:
                if driver.returncode == 0:
                    break
                driver = subprocess.Popen(crawl, stdout=subprocess.DEVNULL)
                continue
            kind = draw.choice(["worker", "worker", "worker", "driver", "postgres"])
            done[kind] += kill(kind, driver, folder)
        while driver.wait() != 0:
            driver = subprocess.Popen(crawl, stdout=subprocess.DEVNULL)
        print(f"faults: {dict(done)}")
        return judge(Path(place, "log"), folder)


def kill(kind: str, driver: subprocess.Popen[bytes], folder: Path) -> int:
    """How many were killed."""
    if kind == "driver":
        driver.kill()
        driver.wait()
        return 1
    if kind == "postgres":
        try:
            pid = int((folder / "postgres" / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            return 0
        return 1
    actors = [p for p in psutil.process_iter(["cmdline"]) if "ray::WorkerActor" in " ".join(p.info["cmdline"] or [])]
    if not actors:
        return 0
    random.choice(actors).kill()
    return 1


def judge(log: Path, folder: Path) -> int:
    asked = defaultdict(list)
    for line in log.read_text().splitlines():
        host, _, began, ended = json.loads(line)
        asked[host].append((began, ended))
    gaps = [later[0] - earlier[1] for times in asked.values() for earlier, later in pairwise(sorted(times))]
    with open_library(folder, write=False) as library:
        stored = [page.url for page in library.pages()]
        unread = [url for url in stored if library.body(url) is None]
    print(f"requests {sum(map(len, asked.values()))}, hosts {len(asked)}, smallest gap {min(gaps):.4f} s of {DELAY}")
    print(f"pages {len(stored)}, twice {len(stored) - len(set(stored))}, answers that cannot be read {len(unread)}")
    return int(min(gaps) < DELAY or len(stored) != len(set(stored)) or bool(unread))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    what = parser.add_subparsers(dest="what", required=True)
    fast = what.add_parser("speed")
    fast.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    fast.add_argument("--pages", type=int, default=3000)
    found = what.add_parser("harvest")
    found.add_argument("--web", default="webkb", choices=harvest.TOPICS)
    found.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    found.add_argument("--workers", type=int, nargs="+", default=[1, 2, 8])
    found.add_argument("--strategy", default="auto")
    found.add_argument("--given", default="keywords", choices=["keywords", "examples"])
    found.add_argument("--topics", type=int, default=0, help="so many, evenly from all; 0: all")
    found.add_argument("--minutes", type=float, default=600.0, help="no topic is begun after these")
    waiting = what.add_parser("links")
    waiting.add_argument("--count", type=int, nargs="+", default=[1_000_000])
    simulated = what.add_parser("simulation")
    simulated.add_argument("--svg", type=Path)
    broken = what.add_parser("faults")
    broken.add_argument("--count", type=int, default=20)
    broken.add_argument("--pages", type=int, default=1000)
    broken.add_argument("--workers", type=int, default=2)
    broken.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "faults":
        return faults(given.count, given.pages, given.workers, given.seed)
    if given.what == "speed":
        speed.measure_all(given.workers, given.pages)
    elif given.what == "harvest":
        harvest.measure(given.web, given.data, given.given, given.strategy, given.workers, given.topics, given.minutes)
    elif given.what == "links":
        waiting_links.measure_all(given.count)
    else:
        saturation.measure(given.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())

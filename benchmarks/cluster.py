"""A crawl by workers on this machine: how fast with one and with two. What faults do to it: `cluster_faults.py`.

    ./run python benchmarks/cluster.py speed --workers 1 2 --pages 600

Real PostgreSQL (of the folder's own), real Ray, real HTTP on loopback: 24 hosts with 60 pages each
(`cluster_parts/linked_hosts.py`). `speed` crawls without delays.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.library import open_library

HERE = Path(__file__).parent
PROGRAM = "from scenthound.cli.main import main; main()"


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


def speed(counts: list[int], pages: int) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, served(Path(place, "log")) as port:
        for workers in counts:
            folder = Path(place, f"with-{workers}")
            began = time.monotonic()
            subprocess.run(command(folder, port, workers, pages, 0.0), check=True, stdout=subprocess.DEVNULL)
            whole = time.monotonic() - began
            with open_library(folder, write=False) as library:
                times = [page.fetched_at for page in library.pages()]
            rate = len(times) / max(1e-9, max(times) - min(times))
            print(f"{workers} workers: {len(times)} pages, {rate:.0f} a second once they ran, {whole:.0f} s in all")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    what = parser.add_subparsers(dest="what", required=True)
    fast = what.add_parser("speed")
    fast.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    fast.add_argument("--pages", type=int, default=600)
    given = parser.parse_args()
    speed(given.workers, given.pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())

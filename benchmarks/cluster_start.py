"""From the command to the first page: three workers on Ray, with a PostgreSQL server of their own, in a new folder.

    ./run python benchmarks/cluster_start.py [--times 3]

Real HTTP on loopback (`cluster_parts/linked_hosts.py`). What is told: when the program says what it does, when the
server is asked for the first time, and when three workers have reported.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psycopg

from cluster_parts.own_web import served
from scenthound.library.postgres.own_server import start_server

PROGRAM = "from scenthound.cli.main import main; main()"
WORKERS = 3
PATIENCE = 300.0
PAGES = 2_000  # of a host


def started(folder: Path, log: Path, port: int) -> tuple[float, float]:
    """Seconds to the first request, and until all workers have reported."""
    seeds = [part for n in range(1, 25) for part in ("--seed", f"http://127.0.1.{n}:{port}/0")]
    options = ["--workers", str(WORKERS), "--allow-private", "--delay", "1", "-q"]
    command = [sys.executable, "-c", PROGRAM, "crawl", "otter", "--into", str(folder), *seeds, *options]
    asked_before = log.stat().st_size if log.exists() else 0
    began = time.monotonic()
    with subprocess.Popen(command) as driver:
        try:
            while not log.exists() or log.stat().st_size == asked_before:
                _wait(driver, began)
            first = time.monotonic() - began
            with psycopg.connect(start_server(folder), autocommit=True) as connection:
                query = "SELECT count(*) FROM scenthound.workers WHERE until > clock_timestamp()"
                while connection.execute(query).fetchone() != (WORKERS,):
                    _wait(driver, began)
            return first, time.monotonic() - began
        finally:
            os.kill(driver.pid, signal.SIGINT)


def _wait(driver: subprocess.Popen[bytes], began: float) -> None:
    if driver.poll() is not None or time.monotonic() > began + PATIENCE:
        raise SystemExit("The crawl does not begin.")
    time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--times", type=int, default=3)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        place.chmod(0o755)  # PostgreSQL may run as another user
        with served("linked_hosts.py", str(place / "log"), str(PAGES)) as port:
            found = [started(place / f"library-{nth}", place / "log", port) for nth in range(times)]
    print("| | median | worst |\n|---|---|---|")
    for what, seconds in zip(("first request", f"all {WORKERS} workers"), zip(*found, strict=True), strict=True):
        print(f"| {what} after | {median(seconds):.1f} s | {max(seconds):.1f} s |")


if __name__ == "__main__":
    main()

"""A long crawl of a web that misbehaves: does memory stay bounded, does anything leak, does it slow down?

    ./run python benchmarks/soak.py                 an hour
    ./run python benchmarks/soak.py --minutes 5
    ./run python benchmarks/soak.py --minutes 5 --trace     and which lines hold more memory than half-way
    ./run python benchmarks/soak.py --minutes 5 --side-by-side 15 50    one a third of an hour old, and one of an hour

The web is endless and on loopback (`soak_parts/endless_web.py`): every page brings ten links that nobody has seen, and
one address in nine misbehaves. The crawl is a usual one with 64 requests under way, in a process of its own, which
looks at itself sixty times (`soak_parts/soaked_crawl.py`). What is asked at the end:

| question | answer |
|---|---|
| memory | bytes for each further waiting link, by a line through the looks after the head of the frontier is full |
| descriptors, tasks, threads | the most in the last third beside the most in the second |
| speed | pages per second of CPU time in the last fifth beside those in the second fifth; the first one warms up |

CPU time, because the server shares the machine; and measured by a yardstick, since a second of it does less while
others use the machine, too: every five seconds the crawl parses one and the same page three times. Pages per second of
CPU time and by the clock are told beside it.

Side by side, speed alone is asked: a library of 3,000 pages is copied twice, the rows of each copy multiplied
(`soak_parts/aged_library.py`), and both are crawled on at the same time. So it takes minutes, and what others do on the
machine is the same for both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

PARTS = Path(__file__).with_name("soak_parts")
SAMPLES = 60
FULL_HEAD = 60_000
"""Waiting links beyond which memory holds no more of them than before, and SQLite's cache is full."""

YOUNG = 3_000
"""Pages of the library that two are made of."""

MOST_BYTES_A_LINK = 150.0
LEAST_SPEED = 0.95

Look = dict[str, float]


@contextmanager
def web() -> Iterator[str]:
    """The endless web; yields its port."""
    server = subprocess.Popen([sys.executable, str(PARTS / "endless_web.py")], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


def start(folder: Path, port: str, minutes: float, *more: str) -> subprocess.Popen[str]:
    """A crawl in a process of its own."""
    command = [sys.executable, str(PARTS / "soaked_crawl.py"), str(folder), port, str(minutes * 60), str(SAMPLES)]
    # One thread for numpy: what a second one gains is lost again to waiting for it.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True, env=environment)


def looks_of(crawl: subprocess.Popen[str]) -> list[Look]:
    assert crawl.stdout is not None
    lines = []
    for line in crawl.stdout:
        lines.append(json.loads(line))
        print(line, end="", file=sys.stderr, flush=True)
    if crawl.wait():
        raise SystemExit(f"the crawl ended with {crawl.returncode}")
    return [look for look in lines if "memory" in look]


def soak(minutes: float, trace: bool) -> list[Look]:
    with web() as port, tempfile.TemporaryDirectory() as folder:
        return looks_of(start(Path(folder, "library"), port, minutes, *(["--trace"] if trace else [])))


def side_by_side(minutes: float, times: Sequence[int]) -> bool:
    """Two crawls of different age at the same time, so that whatever slows one of them down slows the other, too."""
    with web() as port, tempfile.TemporaryDirectory() as folder:
        base, places = Path(folder, "base"), [Path(folder, str(number)) for number in times]
        looks_of(start(base, port, 600, str(YOUNG)))
        for place, number in zip(places, times, strict=True):
            shutil.copytree(base, place)
            subprocess.run([sys.executable, str(PARTS / "aged_library.py"), str(place), str(number)], check=True)
        crawls = [start(place, port, minutes) for place in places]
        with ThreadPoolExecutor(2) as threads:
            young, old = (found[len(found) // 5 :] for found in threads.map(looks_of, crawls))
    for name, found in (("young", young), ("old", old)):
        print(
            f"{name}: {found[-1]['waiting']:,.0f} waiting links, {found[-1]['memory'] / 1e6:.0f} MB, "
            f"{1000 / speed(found, 'cpu'):.2f} ms of CPU time a page: {1000 / speed(found, 'loop'):.2f} in the loop, "
            f"{1000 / speed(found, 'system'):.2f} in the system"
        )
    ratio = speed(old, "cpu") / speed(young, "cpu")
    print(f"speed of the old one: {ratio:.2f} of the young one's, {_least(ratio)}")
    return ratio >= LEAST_SPEED


def slope(looks: Sequence[Look], across: str, up: str) -> float:
    """Of the line that fits best."""
    count = len(looks)
    mean_x, mean_y = (sum(look[name] for look in looks) / count for name in (across, up))
    spread = sum((look[across] - mean_x) ** 2 for look in looks)
    return sum((look[across] - mean_x) * (look[up] - mean_y) for look in looks) / spread if spread else 0.0


def speed(looks: Sequence[Look], of: str) -> float:
    first, last = looks[0], looks[-1]
    return (last["pages"] - first["pages"]) / (last[of] - first[of])


def yardstick(looks: Sequence[Look]) -> float:
    """CPU seconds that the same work took in that time, on the average."""
    first, last = looks[0], looks[-1]
    return (last["yardstick"] - first["yardstick"]) / (last["measures"] - first["measures"])


def report(looks: Sequence[Look]) -> bool:
    columns = ("minutes", "pages", "waiting links", "memory, MB", "descriptors", "tasks", "threads")
    print(f"| {' | '.join(columns)} | pages per CPU second | yardstick, ms |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    step = max(len(looks) // 12, 1)
    for before, look in zip(looks[::step], looks[step::step], strict=False):
        print(
            f"| {look['seconds'] / 60:.1f} | {look['pages']:,.0f} | {look['waiting']:,.0f} "
            f"| {look['memory'] / 1e6:.0f} | {look['descriptors']:.0f} | {look['tasks']:.0f} | {look['threads']:.0f} "
            f"| {speed([before, look], 'cpu'):.1f} | {1000 * yardstick([before, look]):.2f} |"
        )
    fifth, third = len(looks) // 5, len(looks) // 3
    print()
    return all(
        [
            _memory([look for look in looks if look["waiting"] > FULL_HEAD]),
            *(
                _leak(name, looks[third : 2 * third], looks[2 * third :])
                for name in ("descriptors", "tasks", "threads")
            ),
            _speed(looks[fifth : 2 * fifth + 1], looks[-fifth - 1 :]),
        ]
    )


def _memory(looks: Sequence[Look]) -> bool:
    if len(looks) < 5:
        print(f"memory: fewer than {FULL_HEAD:,} links wait; run longer")
        return False
    grown = slope(looks, "waiting", "memory")
    print(
        f"memory: {looks[0]['memory'] / 1e6:.0f} MB at {looks[0]['waiting']:,.0f} waiting links, "
        f"{looks[-1]['memory'] / 1e6:.0f} MB at {looks[-1]['waiting']:,.0f}: {grown:.0f} bytes a link, "
        f"{_verdict(grown <= MOST_BYTES_A_LINK)} {MOST_BYTES_A_LINK:.0f}"
    )
    return grown <= MOST_BYTES_A_LINK


def _leak(name: str, before: Sequence[Look], after: Sequence[Look]) -> bool:
    earlier, later = (max(look[name] for look in looks) for looks in (before, after))
    # What is open at a moment depends on the answers of that moment; what leaks grows by the thousand.
    fine = later <= earlier * 1.5 + 20
    print(f"{name}: {earlier:.0f} at most in the second third, {later:.0f} in the last: {'fine' if fine else 'A LEAK'}")
    return fine


def _speed(early: Sequence[Look], late: Sequence[Look]) -> bool:
    cpu, wall = (speed(late, of) / speed(early, of) for of in ("cpu", "seconds"))
    ratio = cpu * yardstick(late) / yardstick(early)
    print(
        f"speed at the end: {ratio:.2f} of the start by the yardstick ({cpu:.2f} by CPU time, {wall:.2f} by clock), "
        f"{_least(ratio)}"
    )
    return ratio >= LEAST_SPEED


def _least(ratio: float) -> str:
    return f"{'at least' if ratio >= LEAST_SPEED else 'BELOW'} {LEAST_SPEED}"


def _verdict(within: bool) -> str:
    return "within" if within else "OVER"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--trace", action="store_true", help="say which lines hold more memory than half-way")
    parser.add_argument("--side-by-side", type=int, nargs=2, metavar="TIMES", help="two crawls, of different ages")
    given = parser.parse_args()
    if given.side_by_side:
        return 0 if side_by_side(given.minutes, given.side_by_side) else 1
    return 0 if report(soak(given.minutes, given.trace)) else 1


if __name__ == "__main__":
    sys.exit(main())

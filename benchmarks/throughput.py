"""Five crawlers on the same 2,500 pages, one after the other: pages/s, CPU per page, peak memory.

    ./run python benchmarks/throughput.py                  every crawler once (a few minutes)
    ./run python benchmarks/throughput.py --rounds 5       five times in turn; medians
    ./run python benchmarks/throughput.py --only scenthound --only bare

| name | what it is |
|---|---|
| `scrapy` | Scrapy as it comes: CrawlSpider, LinkExtractor, JSON lines |
| `scrapy-equalised` | Scrapy with our HTML parser, our URL library and a seen-set of its own |
| `bare` | fetch, parse, follow, in forty lines: no robots, no judgement, no order, no store |
| `scenthound` | the real engine: robots, judge and strategy (both `auto`), near-duplicates, SQLite and WARC |
| `scenthound-plain` | the same with best-first and the judge `keywords`, which learn nothing |

All start at the same page with 64 requests in flight and no delays, each in a process of its own; a third process
serves the pages from memory. Seconds are those of the crawl, CPU time and memory those of the whole process and of the
processes it starts. The second table has Scenthound's pages/s over those of each other one: the median over the rounds,
for a machine's speed drifts, and least so within a round. The third one says where our time goes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from threading import Timer
from typing import Any, NamedTuple

from throughput_parts.race import task

PARTS = Path(__file__).parent / "throughput_parts"
CONTESTANTS = ("scrapy", "scrapy-equalised", "bare", "scenthound-plain", "scenthound")
OURS = ("scenthound-plain", "scenthound")
PARTS_OF_A_CRAWL = ("crawling", "storing", "parsing")
GOALS = {"scrapy": 8.0, "scrapy-equalised": 1.5, "bare": 0.4}
MEMORY_GOAL = 250.0
LONGEST = 1200.0  # seconds after which a crawl is taken to hang
AS_USUAL = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With byte code kept, as where programs are used: one that starts processes would compile itself each time."""


CONTEST = "--contest"  # how a contestant's process is told to be one


def contest(name: str, told: str) -> None:
    """One crawl, in this process. Each loads what it needs, and nothing of the others."""
    match name:
        case "scrapy":
            from throughput_parts.scrapy_plain import main
        case "scrapy-equalised":
            from throughput_parts.scrapy_equalised import main
        case "bare":
            from throughput_parts.bare import main
        case "scenthound-plain":
            from throughput_parts.hound_plain import main
        case _:
            from throughput_parts.hound import main
    main(task(told))


class Result(NamedTuple):
    pages: int
    seconds: float
    cpu: float  # seconds, user and system
    memory: float  # MB at the peak
    # of ours, CPU seconds: of the thread that crawls, of those that store, of the processes that parse
    crawling: float = 0.0
    storing: float = 0.0
    parsing: float = 0.0

    @property
    def rate(self) -> float:
        return self.pages / self.seconds


@contextmanager
def served(kind: str, pages: int) -> Iterator[dict[str, Any]]:
    """The web, served by a process that lives as long as this block; what it says about itself."""
    command = [sys.executable, str(PARTS / "server.py"), kind, str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline() or sys.exit("The server did not start; see above."))
        finally:
            server.terminate()


def run(name: str, web: dict[str, Any]) -> Result:
    """One crawl in a process of its own, weighed by the operating system."""
    with tempfile.TemporaryDirectory() as folder:
        told = json.dumps({"start": web["start"], "topic": web["topic"], "folder": folder})
        command = [sys.executable, __file__, CONTEST, name, told]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=AS_USUAL)
        assert process.stdout is not None
        deadline = Timer(LONGEST, process.kill)
        deadline.start()
        with process.stdout as stdout:
            said = stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        deadline.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{name} failed; see above.")
    told = json.loads(said.splitlines()[-1])
    peak = (used.ru_maxrss + told.get("memory_of_helpers", 0)) / (1e6 if sys.platform == "darwin" else 1e3 / 1.024)
    parts = (told.get(name, 0.0) for name in PARTS_OF_A_CRAWL)
    return Result(told["pages"], told["seconds"], used.ru_utime + used.ru_stime, peak, *parts)


def middle(results: list[Result]) -> Result:
    """Of each figure the median over the rounds."""
    pages, *others = (median(column) for column in zip(*results, strict=True))
    return Result(int(pages), *others)


def ratio(ours: list[Result], theirs: list[Result]) -> float:
    """How many times as many pages/s as the others: round by round, then the median."""
    return median(mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True))


def race(names: list[str], web: dict[str, Any], rounds: int) -> dict[str, list[Result]]:
    results: dict[str, list[Result]] = {name: [] for name in names}
    for number in range(1, rounds + 1):
        for name in names:
            result = run(name, web)
            results[name].append(result)
            print(
                f"round {number} of {rounds}: {name}, {result.pages:,} pages in {result.seconds:.1f} s, "
                f"{1000 * result.cpu / max(result.pages, 1):.2f} ms CPU a page, load {os.getloadavg()[0]:.1f}",
                file=sys.stderr,
                flush=True,
            )
    return results


def report(rounds: dict[str, list[Result]], expected: int) -> None:
    results = {name: middle(rows) for name, rows in rounds.items()}
    print("| crawler | pages | seconds | pages/s | CPU ms a page | peak memory, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, result in results.items():
        print(
            f"| {name} | {result.pages:,} | {result.seconds:.1f} | {result.rate:,.0f} "
            f"| {1000 * result.cpu / max(result.pages, 1):.2f} | {result.memory:.0f} |"
        )
    print()
    for name, result in results.items():
        if result.pages != expected:
            print(f"NOT THE SAME WORK: {name} fetched {result.pages:,} pages, the web has {expected:,}")
    goals(rounds, results)
    where_time_goes(results)


def where_time_goes(results: dict[str, Result]) -> None:
    """Of our crawls. Threads of one process share its lock: what one of them takes, the others wait for."""
    ours = {name: result for name, result in results.items() if result.crawling}
    if not ours:
        return
    print("\n| ms a page | by the clock | the thread that crawls | threads that store | processes that parse |")
    print("|---|---:|---:|---:|---:|")
    for name, result in ours.items():
        spent = (result.seconds, result.crawling, result.storing, result.parsing)
        print(f"| {name} | {' | '.join(f'{1000 * each / max(result.pages, 1):.2f}' for each in spent)} |")


def goals(rounds: dict[str, list[Result]], results: dict[str, Result]) -> None:
    """Pages/s of ours over those of the others, and memory: each in bold where its goal is met."""
    ours = [name for name in OURS if name in rounds]
    if not ours:
        return
    print(f"\n| | goal | {' | '.join(ours)} |\n|---|---:|{'---:|' * len(ours)}")
    for name, goal in GOALS.items():
        if name in rounds:
            reached = (ratio(rounds[each], rounds[name]) for each in ours)
            cells = " | ".join(cell(value, value >= goal) for value in reached)
            print(f"| pages/s, times those of {name} | at least {goal:g} | {cells} |")
    memory = (results[each].memory for each in ours)
    cells = " | ".join(cell(value, value < MEMORY_GOAL, 0) for value in memory)
    print(f"| peak memory, MB, helping processes included | under {MEMORY_GOAL:.0f} | {cells} |")


def cell(value: float, met: bool, digits: int = 2) -> str:
    return f"**{value:.{digits}f}**" if met else f"{value:.{digits}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2500)
    parser.add_argument("--rounds", type=int, default=1, help="with more than one: in turn, and medians")
    parser.add_argument("--only", action="append", choices=CONTESTANTS, help="repeatable")
    parser.add_argument(
        "--web",
        default="auto",
        help='"generated", a folder of HTML files, or "auto": installed documentation if there is enough of it, '
        "else generated",
    )
    given = parser.parse_args()
    names = [name for name in CONTESTANTS if not given.only or name in given.only]
    if find_spec("scrapy") is None and any(name.startswith("scrapy") for name in names):
        sys.exit(
            "Scrapy is not installed. It is a development dependency: start this with ./run python, "
            "or leave Scrapy out: --only bare --only scenthound"
        )
    with served(given.web, given.pages) as web:
        print(f"throughput, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        print(f"{web['about']}\n", flush=True)
        report(race(names, web, given.rounds), web["pages"])


if __name__ == "__main__":
    if sys.argv[1:2] == [CONTEST]:
        contest(*sys.argv[2:])
    else:
        main()

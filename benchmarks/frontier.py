"""Put and take rates, and memory, of the frontier at 1e5, 1e6 and 1e7 waiting links.

    ./run python benchmarks/frontier.py            1e5 and 1e6 waiting links
    ./run python benchmarks/frontier.py --full     and 1e7 (about ten minutes, 5 GB of disk)
    ./run python benchmarks/frontier.py 20000 3e6  sizes of your own

Each size runs in a process of its own, over a real SQLite library in a temporary folder. First the frontier is filled,
every link new. Then a crawl goes on in it, page by page: take a lease, end it, put the 77 links of its page, of
which 70 are known (links all over the frontier, drawn at random: in memory, in the store, or over; every fourth comes
with a better priority than before). Times are CPU times of the frontier's thread; what a `take` waits for the store
is told apart, as wall time, and what the library spends on storing is left out. Last come the questions that matter:
does the cost grow no faster than log n, does memory stay bounded? For the first, a frontier of the smallest size is
crawled in turns with the large one, in the same process: a machine's speed drifts too much for figures taken minutes
apart to be compared.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter, thread_time

from scenthound.config import LibrarySection, PolitenessSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.lab.report.tables import markdown_table
from scenthound.library import open_library
from scenthound.model import Link, Ranked, State, Step, Waiting
from scenthound.protocols.library import Library
from scenthound.protocols.records import HostQueue

LINKS, KNOWN = 77, 70
PAGES = 3000
TURN = 20  # pages of one frontier, then as many of the other
MEMORY_LIMIT = 1.5e9
CONTEXT = "the words before a link, then the link, and what is said behind it, as a parser cuts them out"


class TimedStore:
    """A library's store with a stop-watch."""

    def __init__(self, library: Library) -> None:
        self.library, self.seconds, self.cpu, self.reads = library, 0.0, 0.0, 0

    def waiting(self, host: str, limit: int) -> Sequence[Waiting]:
        started, cpu = perf_counter(), thread_time()
        rows = self.library.waiting(host, limit)
        self.cpu += thread_time() - cpu
        self.seconds += perf_counter() - started
        self.reads += 1
        return rows

    def queues(self) -> Iterable[HostQueue]:
        return self.library.queues()

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        return self.library.leases(numbers)

    def known(self) -> Iterable[tuple[int, bool]]:
        return self.library.known()

    def next_order(self) -> int:
        return self.library.next_order()


class Run:
    """One size, from the first link to the last page."""

    def __init__(self, size: int, library: Library, in_memory: int) -> None:
        self.size, self.library, self.random = size, library, Random(size)
        # Webs grow in hosts, too: a hundred links a host, a hundred thousand hosts at most.
        self.hosts = min(max(size // 100, 100), 100_000)
        self.store = TimedStore(library)
        self.frontier = PoliteFrontier(self.store, PolitenessSection(robots=False), in_memory=in_memory)
        self.next = 0
        self.now = 0.0

    def link(self, number: int, known: bool = False) -> Ranked:
        host = number * 2654435761 % self.hosts
        url = f"https://www.host-{host}.example/section/{number % 97}/page-{number}.html"
        priority = self.random.random() * (self.random.random() if known else 1.0)
        return Ranked(Link(url, "https://www.host-0.example/", f"anchor of {number}", "", CONTEXT), priority)

    def new(self, count: int) -> list[Ranked]:
        self.next += count
        return [self.link(number) for number in range(self.next - count, self.next)]

    def put(self, links: list[Ranked], lease: Waiting | None = None) -> float:
        started = thread_time()
        rows = self.frontier.put(links, 1)
        spent = thread_time() - started
        state: State = "failed" if lease else "waiting"  # failed: nothing of a page need be stored
        self.library.record(Step(lease=lease or rows[0], state=state, at=0.0, found=tuple(rows)))
        return spent

    def fill(self) -> float:
        return sum(self.put(self.new(min(LINKS, self.size - self.next))) for _ in range(0, self.size, LINKS))

    def crawl(self, pages: int) -> tuple[float, float]:
        """Seconds spent on puts, and on takes and dones."""
        puts = takes = 0.0
        for _ in range(pages):
            self.now += 0.02
            started = thread_time()
            (lease,) = self.frontier.take(1, self.now)
            self.frontier.done(lease, self.now, slow=0.1)
            takes += thread_time() - started
            known = [self.link(self.random.randrange(self.next), known=True) for _ in range(KNOWN)]
            puts += self.put(known + self.new(LINKS - KNOWN), lease)
        return puts, takes


def measure(size: int, in_memory: int, yardstick: int) -> dict[str, float]:
    with frontier_of(size, in_memory) as run:
        filled = run.fill()
        run.crawl(PAGES // 10)  # the store's first reads wait for the filling to be stored
        memory = peak_memory()
        run.store.seconds, run.store.cpu, run.store.reads = 0.0, 0.0, 0
        with frontier_of(yardstick, in_memory) as small:
            small.fill()
            small.crawl(PAGES // 10)
            small.store.cpu = 0.0
            turns = [(*run.crawl(TURN), *small.crawl(TURN)) for _ in range(PAGES // TURN)]
        puts, takes, small_puts, small_takes = (sum(part) for part in zip(*turns, strict=True))
        ours, theirs = puts + takes - run.store.cpu, small_puts + small_takes - small.store.cpu
        return {
            "size": size,
            "hosts": run.hosts,
            "waiting": len(run.frontier),
            "fill": filled / size,
            "put": puts / PAGES,
            "take": (takes - run.store.cpu) / PAGES,
            "store": run.store.seconds / PAGES,
            "reads": run.store.reads / PAGES,
            "growth": ours / theirs,
            "memory": memory,
        }


@contextmanager
def frontier_of(size: int, in_memory: int) -> Iterator[Run]:
    with tempfile.TemporaryDirectory() as folder:
        settings = LibrarySection(warc=False)
        with open_library(Path(folder) / "library", create=True, settings=settings) as library:
            yield Run(size, library, in_memory)


def peak_memory() -> float:
    """Of this process, in bytes."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)


def report(results: list[dict[str, float]]) -> None:
    print(f"frontier, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    first = results[0]["size"]
    head = [
        "waiting links", "hosts", "new link, µs", "put of a page, µs", "take + done, µs", "store per take, µs (reads)",
        "peak, MB", f"put, take and done, times those at {first:.0e}", "log n, times that",
    ]  # fmt: skip
    lines = [
        [
            f"{row['size']:,.0f}", f"{row['hosts']:,.0f}", f"{row['fill'] * 1e6:.1f}", f"{row['put'] * 1e6:.0f}",
            f"{row['take'] * 1e6:.1f}", f"{row['store'] * 1e6:.0f} ({row['reads']:.2f})", f"{row['memory'] / 1e6:,.0f}",
            f"{row['growth']:.2f}", f"{math.log(row['size']) / math.log(first):.2f}",
        ]
        for row in results
    ]  # fmt: skip
    print("\n".join(markdown_table(head, lines)) + "\n")
    worst = max(row["memory"] for row in results)
    print(f"memory {worst / 1e6:,.0f} MB: {'within' if worst < MEMORY_LIMIT else 'OVER'} {MEMORY_LIMIT / 1e6:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=float, help="waiting links (default: 1e5 1e6)")
    parser.add_argument("--full", action="store_true", help="with 1e7")
    parser.add_argument("--in-memory", type=int, default=100_000, help="waiting links held in memory")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes or [1e5, 1e6, *([1e7] if given.full else [])]]
    if given.one:
        print(json.dumps(measure(sizes[1], given.in_memory, sizes[0])))
        return
    results = []
    for size in sizes:
        command = [sys.executable, __file__, "--one", "--in-memory", str(given.in_memory), str(min(sizes)), str(size)]
        results.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    report(results)


if __name__ == "__main__":
    main()

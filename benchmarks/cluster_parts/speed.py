"""Pages a second by one process and by workers, and what a page costs: in the workers, in PostgreSQL, in questions.

Every crawl starts at the same 32 hosts of `light_server.py`, has no delays, parses in its own process, and stores WARC
files. The rate is that of the middle of a crawl (from a quarter of its pages to nineteen twentieths), when all are at
work. CPU is what the operating system counted: of the crawling processes once they crawl, and of PostgreSQL.

Two cores have to do for the workers, for PostgreSQL and for the server of pages. So the same is measured twice: with
answers at once, where cores are the limit; and with answers that take their time and few requests under way, where a
worker waits for the network as it does outside, and what is measured is whether workers hold each other up.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct
from msgspec.structs import astuple, replace

from cluster_parts import light_server
from cluster_parts.one_worker import SETTINGS, Asked
from cluster_parts.own_web import served
from scenthound.config import Config, LibrarySection, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.library import open_library, shard_leases
from scenthound.library.postgres.own_server import start_server

HERE = Path(__file__).parent
FIRST, LAST = 0.25, 0.95
WAITS, FEW = 0.15, 8
"""Seconds an answer takes, and requests of a worker under way, where it waits for the network."""


class Speed(Struct):
    """Of one crawl."""

    pages: int
    rate: float
    worker_ms: float  # CPU a page
    server_ms: float = 0.0
    web_ms: float = 0.0  # of the process that serves the pages
    asked: Asked | None = None  # by all workers together

    def cells(self) -> tuple[str, ...]:
        asked = f"{self.asked.messages / self.pages:.2f}" if self.asked is not None else ""
        busy = self.rate * (self.worker_ms + self.server_ms + self.web_ms) / 1000
        return f"{self.rate:.1f}", f"{self.worker_ms:.2f}", f"{self.server_ms:.2f}", f"{busy:.2f}", asked

    def costs(self) -> tuple[str, ...]:
        """Of coordination."""
        asked = self.asked or Asked()
        return (
            f"{1000 * asked.lock_held / self.pages:.2f}",
            f"{self.pages / max(1, asked.batches):.1f}",
            f"{1000 * asked.allotting / max(1, asked.allotments):.2f}",
            f"{self.pages / max(1, asked.allotments):.1f}",
            f"{1000 * asked.reporting / max(1, asked.reports):.2f}",
            f"{asked.told / self.pages:.0f}",
            f"{1000 * asked.hearing / max(1, asked.heard):.3f}",
        )


RATES = (
    "crawl", "pages a second", "crawler, ms", "PostgreSQL, ms", "cores busy", "messages a page", "efficiency",
)  # fmt: skip
COSTS = (
    "crawl", "lock a page, ms", "pages a batch", "an allotment, ms", "pages an allotment", "a report, ms",
    "told a page, bytes", "heard, ms each",
)  # fmt: skip


def settings(port: int, address: str, pages: int, strategy: str, parallel: int) -> Config:
    judge = "auto" if strategy == "auto" else "keywords"
    seeds = [f"http://{host}/0" for host in light_server.hosts(port)]
    config = from_dict(
        {
            "topic": {"name": "otters", "keywords": ["otter", "heron"]},
            "crawl": {"seeds": seeds, "judge": judge, "strategy": strategy, "pages": pages, "parsers": 0},
            "politeness": {"delay": 0.0},
            "fetch": {"private_addresses": True, "parallel": parallel},
        }
    )
    return replace(config, library=LibrarySection(address=address))


def alone(folder: Path, config: Config) -> Speed:
    """One process, an ordinary crawl: in SQLite, or where the settings say."""
    before, web = time.process_time(), web_seconds()
    server = server_seconds(folder.parent)

    async def crawl() -> None:
        async with assembled(config, folder) as crawl:
            await crawl.run()

    asyncio.run(crawl())
    return _speed(folder, time.process_time() - before, server_seconds(folder.parent) - server, web_seconds() - web)


def with_workers(folder: Path, config: Config, count: int) -> Speed:
    async def prepare() -> None:
        async with assembled(config, folder):
            pass

    asyncio.run(prepare())
    first = shard_leases(folder, "driver")
    first.begin()
    first.close()
    (folder / SETTINGS).write_bytes(msgspec.json.encode(config))
    server, web = server_seconds(folder.parent), web_seconds()
    command = [sys.executable, str(HERE / "one_worker.py"), str(folder)]
    path = os.pathsep.join([str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    workers = [
        subprocess.Popen([*command, f"worker-{n}"], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path})
        for n in range(count)
    ]
    asked = [msgspec.json.decode(each.communicate()[0], type=Asked) for each in workers]
    whole = Asked(*(sum(values) for values in zip(*map(astuple, asked), strict=True)))
    speed = _speed(folder, whole.cpu, server_seconds(folder.parent) - server, web_seconds() - web)
    speed.asked = whole
    return speed


def _speed(folder: Path, seconds: float, server: float, web: float) -> Speed:
    with open_library(folder, write=False) as library:
        times = sorted(page.fetched_at for page in library.pages())
    first, last = int(len(times) * FIRST), int(len(times) * LAST)
    rate = (last - first) / (times[last] - times[first])
    return Speed(len(times), rate, *(1000 * each / len(times) for each in (seconds, server, web)))


def web_seconds() -> float:
    """CPU of the process that serves the pages."""
    for child in psutil.Process().children():
        if any(part.endswith("light_server.py") for part in child.cmdline()):
            used = child.cpu_times()
            return float(used.user + used.system)
    return 0.0


def server_seconds(place: Path) -> float:
    """CPU that the PostgreSQL of a folder has used so far, ended connections included."""
    try:
        postmaster = psutil.Process(int((place / "postgres" / "postmaster.pid").read_text().split()[0]))
    except (OSError, psutil.Error):
        return 0.0
    own = postmaster.cpu_times()
    seconds = own.user + own.system + own.children_user + own.children_system
    for child in postmaster.children():
        try:
            each = child.cpu_times()
        except psutil.Error:
            continue
        seconds += each.user + each.system
    return float(seconds)


def measure(
    counts: Sequence[int], pages: int, strategy: str, latency: float, parallel: int, alone_too: bool
) -> Iterator[tuple[str, Speed, str]]:
    """What was crawled how, and how fast; of workers, the efficiency beside the first number of them."""
    how = f"{strategy}, {'answers at once' if not latency else f'{parallel} at once, {1000 * latency:.0f} ms'}"
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place,
        served("light_server.py", str(latency)) as port,
    ):
        address, rates = start_server(Path(place)), dict[int, float]()
        if alone_too:
            for name, where in (("SQLite", ""), ("PostgreSQL", f"{address}#alone")):
                found = alone(Path(place, f"alone-{name}"), settings(port, where, pages, strategy, parallel))
                yield f"{how}, no workers, {name}", found, ""
        for count in counts:
            config = settings(port, f"{address}#with{count}", pages, strategy, parallel)
            found = with_workers(Path(place, f"with-{count}"), config, count)
            rates[count] = found.rate
            efficiency = found.rate / (count * rates[counts[0]] / counts[0])
            yield f"{how}, {count} worker{'s' * (count > 1)}", found, f"{efficiency:.2f}"


def measure_all(counts: Sequence[int], pages: int, waits: Sequence[float] = (WAITS,)) -> None:
    """With answers at once, where cores are the limit, and with few requests under way that take their time."""
    found = []
    waiting = [(strategy, latency, FEW) for latency in waits for strategy in ("best-first", "auto")]
    for strategy, latency, parallel in (("best-first", 0.0, 32), *waiting):
        for each in measure(counts, pages if not latency else pages // 2, strategy, latency, parallel, not latency):
            print(each[0], f"{each[1].rate:.1f} pages a second", file=sys.stderr, flush=True)
            found.append(each)
    _print_table(RATES, [(name, *speed.cells(), efficiency) for name, speed, efficiency in found])
    print()
    _print_table(COSTS, [(name, *speed.costs()) for name, speed, efficiency in found if efficiency])


def _print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for cells in (headings, ["---"] * len(headings), *rows):
        print(f"| {' | '.join(cells)} |")

"""Pages a second by one process and by workers, and what a page costs: in the workers, in PostgreSQL, in questions.

Every crawl starts at the same 32 hosts of `light_server.py`, has no delays, parses in its own process, and stores WARC
files. The rate is that of the middle of a crawl (from a quarter of its pages to nineteen twentieths), when all are at
work. CPU is what the operating system counted: of the crawling processes from their start, and of PostgreSQL.

Two cores have to do for the workers, for PostgreSQL and for the server of pages. So the same is measured twice: with
answers at once, where cores are the limit; and with answers that take their time and few requests under way, where a
worker waits for the network as it does outside, and what is measured is whether workers hold each other up.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct
from msgspec.structs import replace

from cluster_parts import light_server
from cluster_parts.one_worker import SETTINGS
from scenthound.config import Config, LibrarySection, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.library import open_library, shard_leases
from scenthound.library.postgres.own_server import start_server

HERE = Path(__file__).parent
FIRST, LAST = 0.25, 0.95
WAITS, FEW = 0.15, 8


class Speed(Struct):
    """Of one crawl."""

    pages: int
    rate: float
    worker_ms: float  # CPU a page
    server_ms: float = 0.0
    statements: float = 0.0  # a page
    asking_ms: float = 0.0

    def __str__(self) -> str:
        said = f"{self.rate:.1f} pages a second, CPU a page {self.worker_ms:.1f} ms"
        if self.server_ms:
            said += f" and {self.server_ms:.1f} ms in PostgreSQL"
        if self.statements:
            said += f"; {self.statements:.1f} statements a page, {self.asking_ms:.1f} ms"
        return said


@contextmanager
def served(latency: float) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HERE / "light_server.py"), str(port), str(latency)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield port
    finally:
        server.kill()
        server.wait()


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
    before = time.process_time()
    server = server_seconds(folder.parent)

    async def crawl() -> None:
        async with assembled(config, folder) as crawl:
            await crawl.run()

    asyncio.run(crawl())
    return _speed(folder, time.process_time() - before, server_seconds(folder.parent) - server)


def with_workers(folder: Path, config: Config, count: int) -> Speed:
    async def prepare() -> None:
        async with assembled(config, folder):
            pass

    asyncio.run(prepare())
    first = shard_leases(folder, "driver")
    first.begin()
    first.close()
    (folder / SETTINGS).write_bytes(msgspec.json.encode(config))
    server = server_seconds(folder.parent)
    command = [sys.executable, str(HERE / "one_worker.py"), str(folder)]
    workers = [
        subprocess.Popen(
            [*command, f"worker-{n}"], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(HERE.parent)}
        )
        for n in range(count)
    ]
    asked, seconds = [], 0.0
    for each in workers:
        assert each.stdout is not None
        asked.append(json.loads(each.stdout.read() or b"{}"))
        _, status, used = os.wait4(each.pid, 0)
        each.returncode = status
        seconds += used.ru_utime + used.ru_stime
    speed = _speed(folder, seconds, server_seconds(folder.parent) - server)
    speed.statements = sum(each["statements"] for each in asked) / speed.pages
    speed.asking_ms = 1000 * sum(each["seconds"] for each in asked) / speed.pages
    return speed


def _speed(folder: Path, seconds: float, server: float) -> Speed:
    with open_library(folder, write=False) as library:
        times = sorted(page.fetched_at for page in library.pages())
    first, last = int(len(times) * FIRST), int(len(times) * LAST)
    rate = (last - first) / (times[last] - times[first])
    return Speed(len(times), rate, 1000 * seconds / len(times), 1000 * server / len(times))


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


def measure(counts: list[int], pages: int, strategy: str, latency: float, parallel: int, alone_too: bool) -> None:
    how = f"{strategy}, answers after {1000 * latency:.0f} ms, {parallel} requests under way a worker"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, served(latency) as port:
        address, rates = start_server(Path(place)), {}
        if alone_too:
            for name, where in (("SQLite", ""), ("PostgreSQL", f"{address}#alone")):
                found = alone(Path(place, f"alone-{name}"), settings(port, where, pages, strategy, parallel))
                print(f"{how}, one process without workers, {name}: {found}", flush=True)
        for count in counts:
            config = settings(port, f"{address}#with{count}", pages, strategy, parallel)
            found = with_workers(Path(place, f"with-{count}"), config, count)
            rates[count] = found.rate
            efficiency = found.rate / (count * rates[counts[0]] / counts[0])
            print(f"{how}, {count} worker{'s' * (count > 1)}: {found}; efficiency {efficiency:.2f}", flush=True)


def measure_all(counts: list[int], pages: int) -> None:
    """With answers at once, where cores are the limit, and with few requests under way that take their time."""
    measure(counts, pages, "best-first", 0.0, 32, alone_too=True)
    measure(counts, pages // 2, "best-first", WAITS, FEW, alone_too=False)
    measure(counts, pages // 2, "auto", WAITS, FEW, alone_too=False)

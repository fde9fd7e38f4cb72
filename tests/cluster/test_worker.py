"""Workers on one web: each page once, links handed over, hosts in peace, and nothing lost with a worker that dies."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scenthound.config import Config, LibrarySection, from_dict, save
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web_server import DemoResolver, ServedRequest, serve
from scenthound.library import keep_address, open_library, shard_leases
from scenthound.library.shards import SHARDS
from scenthound.protocols.crawl import Fetcher
from scenthound.protocols.shards import Allotment, ShardLeases, Worth
from tests.cluster.worker_to_be_stopped import WEB
from tests.crawler.test_two_engines import SEED, web
from tests.small_web import ScriptedFetcher, page

pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from benchmarks.cluster_parts.postgres_proxy import PostgresProxy
from scenthound.cluster import worker as module
from scenthound.cluster.worker import ShardWorker, work

DELAY = 0.05
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT", 0.05)
    monkeypatch.setattr(module, "PAUSE", 0.01)


def settings(postgres: str, **crawl: object) -> Config:
    config = from_dict(
        {"topic": {"name": "otters", "keywords": ["otter"]}, "crawl": {"judge": "keywords", "parsers": 0, **crawl}}
    )
    return replace(config, library=LibrarySection(address=postgres, warc=False))


class Cluster:
    """Workers in one event loop, each with leases of its own."""

    def __init__(self, folder: Path, config: Config, fetcher: Callable[[], Fetcher]) -> None:
        self.folder, self.config, self.fetcher = folder, config, fetcher
        self.leases: list[ShardLeases] = []
        self.tasks: list[asyncio.Task[str]] = []

    async def prepare(self) -> None:
        async with assembled(self.config, self.folder, fetcher=self.fetcher()):
            pass
        first = shard_leases(self.folder, "driver")
        first.begin()
        first.close()

    def join(self, name: str, seconds: float = 5.0) -> asyncio.Task[str]:
        leases = shard_leases(self.folder, name)
        leases.seconds = seconds
        self.leases.append(leases)
        worker = ShardWorker(self.folder, self.config, leases, fetcher=self.fetcher)
        self.tasks.append(asyncio.create_task(worker.run()))
        return self.tasks[-1]

    async def end(self) -> set[str]:
        endings = await asyncio.gather(*(task for task in self.tasks if not task.cancelled()))
        for each in self.leases:
            each.close()
        return set(endings)


async def until(happened: Callable[[], bool]) -> None:
    while not happened():  # noqa: ASYNC110  (a list grows, and nobody tells)
        await asyncio.sleep(0.02)


async def test_three_workers_fetch_every_page_once(tmp_path: Path, postgres: str) -> None:
    script = web(pages=60, hosts=12)
    fetcher = ScriptedFetcher(script, parallel=4)
    config = settings(postgres, seeds=[SEED])
    config.politeness.delay, config.politeness.robots = 0.0, False
    cluster = Cluster(tmp_path, config, lambda: fetcher)
    await cluster.prepare()
    for name in ("one", "two", "three"):
        cluster.join(name)
    assert await cluster.end() == {"frontier empty"}
    assert Counter(fetcher.asked) == Counter(script.keys())
    with open_library(tmp_path, write=False) as library:
        assert {page.url for page in library.pages()} == set(script)
        assert library.counts().waiting == 0


async def test_a_budget_is_kept_by_all_together(tmp_path: Path, postgres: str) -> None:
    fetcher = ScriptedFetcher(web(pages=80, hosts=12), parallel=2)
    config = settings(postgres, seeds=[SEED], pages=30)
    config.politeness.delay, config.politeness.robots = 0.0, False
    cluster = Cluster(tmp_path, config, lambda: fetcher)
    await cluster.prepare()
    cluster.join("one")
    cluster.join("two")
    assert await cluster.end() == {"pages"}
    with open_library(tmp_path, write=False) as library:
        assert library.counts().fetched == 30


class CountedLeases:
    """Leases that note how many requests they allotted, and for what."""

    def __init__(self, inside: ShardLeases) -> None:
        self._inside = inside
        self.allotted = 0
        self.told: list[Worth] = []

    def allot(self, worth: Worth, *given: Any, **named: Any) -> Allotment:
        self.told.append(worth)
        allotment = self._inside.allot(worth, *given, **named)
        self.allotted += allotment.requests
        return allotment

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inside, name)


async def test_a_dead_link_uses_up_what_it_was_allotted(tmp_path: Path, postgres: str) -> None:
    """Else whoever has dead links only would ask for all of them, down to the worst, with one page."""
    dead = [f"0.5=http://h1.test/dead-{n}" for n in range(60)]
    fetcher = ScriptedFetcher({SEED: page(*dead, "0.1=http://h1.test/alive"), "http://h1.test/alive": page()})
    config = settings(postgres, seeds=[SEED], pages=50)
    config.politeness.delay, config.politeness.robots = 0.0, False
    cluster = Cluster(tmp_path, config, lambda: fetcher)
    await cluster.prepare()
    with closing(shard_leases(tmp_path, "one")) as leases:
        counted = CountedLeases(leases)
        ending = await ShardWorker(tmp_path, config, counted, fetcher=cluster.fetcher).run()
    assert ending == "frontier empty"
    assert len(fetcher.asked) == 62
    assert counted.allotted >= 62


@pytest.mark.parametrize("strategy", ["best-first", "auto"])
async def test_links_that_waited_before_a_worker_came_are_worth_something(
    tmp_path: Path, postgres: str, strategy: str
) -> None:
    """Else whoever comes late, or takes hosts over, gets nothing for as long as others have links at hand."""
    fetcher = ScriptedFetcher({SEED: page("http://h0.test/1", text="otter"), "http://h0.test/1": page()})
    config = settings(postgres, seeds=[SEED], pages=50, strategy=strategy)
    config.politeness.delay, config.politeness.robots = 0.0, False
    cluster = Cluster(tmp_path, config, lambda: fetcher)
    await cluster.prepare()
    with closing(shard_leases(tmp_path, "one")) as leases:
        counted = CountedLeases(leases)
        await ShardWorker(tmp_path, config, counted, fetcher=cluster.fetcher).run()
    assert isfinite(counted.told[0].at_hand[0])
    assert not counted.told[0].far, "it is the start page"


@pytest.mark.parametrize("minutes", [0.0, 600.0])
async def test_poor_links_far_from_the_start_wait_while_a_better_host_rests(
    tmp_path: Path, postgres: str, minutes: float
) -> None:
    """Where time is what is short, they need not."""
    good, poor = [f"http://h0.test/{n}" for n in range(30)], [f"http://far{n}.test/" for n in range(8)]
    script = {SEED: page("http://h0.test/list", *good, text="otter"), "http://h0.test/list": page(*poor)}
    fetcher = ScriptedFetcher(script | {url: page(text="otter") for url in [*good, *poor]}, parallel=4)
    config = settings(postgres, seeds=[SEED], pages=12, minutes=minutes, strategy="best-first")
    config.politeness.delay, config.politeness.robots = DELAY, False
    cluster = Cluster(tmp_path, config, lambda: fetcher)
    await cluster.prepare()
    cluster.join("one")
    assert await cluster.end() == {"pages"}
    assert bool(set(fetcher.asked) & set(poor)) == bool(minutes)


def smallest_gap(log: list[ServedRequest]) -> float:
    """Between the end of a request and the next one to the same host, by the servers' own log."""
    by_host = defaultdict(list)
    for asked in sorted(log, key=lambda asked: asked.start):
        by_host[asked.host].append(asked)
    return min(later.start - earlier.end for requests in by_host.values() for earlier, later in pairwise(requests))


@asynccontextmanager
async def crawled_web(
    folder: Path, postgres: str, pages: int
) -> AsyncIterator[tuple[Cluster, list[ServedRequest], int]]:
    """A cluster that is to fetch so many pages of a real server, the server's log, and its port. What it fetched is
    there once, and each host was left in peace."""
    log: list[ServedRequest] = []
    config = settings(postgres, seeds=[f"http://{host}/" for host in WEB.hosts()], pages=pages)
    config.politeness.delay, config.fetch.private_addresses = DELAY, True
    async with serve(WEB, log=log) as address:
        cluster = Cluster(folder, config, lambda: fetcher_for(config, resolver=DemoResolver(WEB, address)))
        await cluster.prepare()
        yield cluster, log, address.port
        assert await cluster.end() == {"pages"}
    assert smallest_gap(log) >= DELAY
    with open_library(folder, write=False) as library:
        urls = [page.url for page in library.pages()]
    assert len(urls) == len(set(urls)) == pages


def owners(cluster: Cluster) -> Counter[str]:
    """Who has how many shards, by the database."""
    library = open_library(cluster.folder, write=False)
    with library:
        rows = library._ask("SELECT worker FROM shards WHERE until > clock_timestamp()").fetchall()  # type: ignore[attr-defined]
    return Counter(worker for (worker,) in rows)


async def test_politeness_holds_while_workers_come_and_die(tmp_path: Path, postgres: str) -> None:
    async with crawled_web(tmp_path, postgres, pages=70) as (cluster, log, _):
        doomed = cluster.join("one", seconds=1.0)
        await until(lambda: len(log) > 15)
        cluster.join("two")
        await until(lambda: len(log) > 40)
        doomed.cancel()  # it gives nothing back, as a process that is killed
        with suppress(asyncio.CancelledError):
            await doomed
        dead_at = len(log)
    assert len(log) > dead_at


async def test_politeness_holds_while_a_worker_is_stopped_and_goes_on(tmp_path: Path, postgres: str) -> None:
    """The fencing case: a process that sleeps through the end of its lease wakes up and believes to own its hosts."""
    async with crawled_web(tmp_path, postgres, pages=120) as (cluster, log, port):
        save(cluster.config, tmp_path / "topic.toml")
        command = [sys.executable, "-m", "tests.cluster.worker_to_be_stopped", str(tmp_path), "1.0", str(port)]
        process = subprocess.Popen(command, cwd=ROOT)  # noqa: ASYNC220
        await until(lambda: len(log) > 15)
        process.send_signal(signal.SIGSTOP)
        cluster.join("two")
        await until(lambda: owners(cluster)["two"] == SHARDS)
        woken_at = len(log)
        await until(lambda: len(log) > woken_at + 5)
        process.send_signal(signal.SIGCONT)
        await until(lambda: process.poll() is not None)
        assert process.returncode == 0


async def test_politeness_holds_while_a_worker_is_cut_off_from_the_database(tmp_path: Path, postgres: str) -> None:
    socket, name = postgres.partition("host=")[2].split("#")
    through = tmp_path / "through"
    with closing(PostgresProxy(f"{socket}/.s.PGSQL.5432")) as proxy:
        keep_address(through, f"postgresql://postgres@127.0.0.1:{proxy.port}/postgres#{name}")
        async with crawled_web(tmp_path / "here", postgres, pages=120) as (cluster, log, _):
            # In a thread of its own, which is held up for as long as the database does not answer.
            working = partial(work, through, cluster.config, fetcher=cluster.fetcher, seconds=1.0)
            apart = asyncio.create_task(asyncio.to_thread(working))
            await until(lambda: len(log) > 15)
            proxy.cut()
            try:
                cluster.join("two")
                await until(lambda: owners(cluster)["two"] == SHARDS)
                taken_at = len(log)
                await until(lambda: len(log) > taken_at + 5)
            finally:
                proxy.mend()
            assert await apart == "pages"

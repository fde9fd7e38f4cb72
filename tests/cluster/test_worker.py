"""Workers on one web: each page once, links handed over, hosts in peace, and nothing lost with a worker that dies."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.config import Config, LibrarySection, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, ServedRequest, serve
from scenthound.library import open_library, shard_leases
from scenthound.protocols.crawl import Fetcher
from scenthound.protocols.shards import ShardLeases
from tests.crawler.test_two_engines import SEED, web
from tests.small_web import ScriptedFetcher

pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.cluster import worker as module
from scenthound.cluster.worker import ShardWorker

DELAY = 0.05


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


async def test_politeness_holds_while_workers_come_and_die(tmp_path: Path, postgres: str) -> None:
    """From the servers' own log: one request a host at a time, and its delay between two, whoever asks."""
    generated = GeneratedWeb(seed=5, pages=700, hosts=12, topics=3)
    log: list[ServedRequest] = []
    config = settings(postgres, seeds=[f"http://{host}/" for host in generated.hosts()], pages=70)
    config.politeness.delay, config.fetch.private_addresses = DELAY, True
    async with serve(generated, log=log) as address:
        cluster = Cluster(tmp_path, config, lambda: fetcher_for(config, resolver=DemoResolver(generated, address)))
        await cluster.prepare()
        doomed = cluster.join("one", seconds=1.0)
        await until(lambda: len(log) > 15)
        cluster.join("two")
        await until(lambda: len(log) > 40)
        doomed.cancel()  # it gives nothing back, as a process that is killed
        with suppress(asyncio.CancelledError):
            await doomed
        dead_at = len(log)
        assert await cluster.end() == {"pages"}
    by_host = defaultdict(list)
    for asked in sorted(log, key=lambda asked: asked.start):
        by_host[asked.host].append(asked)
    gaps = [later.start - earlier.end for requests in by_host.values() for earlier, later in pairwise(requests)]
    assert min(gaps) >= DELAY
    assert len(log) > dead_at
    with open_library(tmp_path, write=False) as library:
        assert library.counts().fetched == 70
        urls = [page.url for page in library.pages()]
    assert len(urls) == len(set(urls)) == 70

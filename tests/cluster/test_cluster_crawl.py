"""The driver of a crawl by workers: from its start to its end, with and without a server, and without workers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from scenthound.cluster import cluster_crawl as module
from scenthound.cluster.cluster_crawl import ClusterOutcome, crawl_with_workers
from scenthound.config import Config, LibrarySection, from_dict
from scenthound.errors import ConfigError, LibraryError
from scenthound.library import open_library
from scenthound.protocols.records import LibraryCounts
from tests.crawler.test_two_engines import SEED, web
from tests.small_web import ScriptedFetcher

psycopg = pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.cluster.worker import work  # noqa: E402

PAGES = 60


class ThreadWorkers:
    """`cluster_crawl.Workers`, each in a thread of this process."""

    def __init__(self, fetcher: ScriptedFetcher) -> None:
        self._fetcher = fetcher
        self._threads: list[threading.Thread] = []

    def start(self, folder: Path, config: Config, count: int) -> None:
        for _ in range(count):
            run: Callable[[], object] = lambda: work(folder, config, fetcher=lambda: self._fetcher)  # noqa: E731
            self._threads.append(threading.Thread(target=run))
            self._threads[-1].start()

    def check(self) -> None: ...

    def shortage(self) -> str:
        return ": Ray has 0 of 2 CPUs free, a worker wants one"

    def stop(self) -> None:
        for thread in self._threads:
            thread.join()


@pytest.fixture
def fetcher() -> ScriptedFetcher:
    return ScriptedFetcher(web(pages=PAGES, hosts=12), parallel=4)


@pytest.fixture
def config(postgres: str) -> Config:
    made = from_dict(
        {
            "topic": {"name": "otters", "keywords": ["otter"]},
            "crawl": {"judge": "keywords", "strategy": "best-first", "parsers": 0, "seeds": [SEED]},
        }
    )
    made.library = LibrarySection(address=postgres, warc=False)
    made.politeness.delay, made.politeness.robots = 0.0, False
    return made


async def crawled(
    config: Config, folder: Path, fetcher: ScriptedFetcher, count: int = 2, told: Callable[[], object] = lambda: None
) -> ClusterOutcome:
    def hear(counts: LibraryCounts) -> None:
        told()

    return await crawl_with_workers(config, folder, ThreadWorkers(fetcher), count, fetcher=fetcher, told=hear)


async def test_a_crawl_from_its_start_to_its_end(tmp_path: Path, config: Config, fetcher: ScriptedFetcher) -> None:
    outcome = await crawled(config, tmp_path, fetcher)
    assert (outcome.ending, outcome.new_pages) == ("frontier empty", PAGES)
    with open_library(tmp_path, write=False) as library:
        assert library.counts().fetched == PAGES
        assert library.runs()[-1].reason == "frontier empty"


async def test_a_driver_whose_connection_is_lost_goes_on(
    tmp_path: Path, config: Config, fetcher: ScriptedFetcher, postgres: str
) -> None:
    ended: list[int] = []

    def end_all_connections() -> None:
        """As a server that is started anew: of driver and workers alike."""
        if ended:
            return
        server, _, name = postgres.partition("#")
        with psycopg.connect(server, autocommit=True) as connection:
            query = (
                "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory' AND objid IN "
                "(SELECT CAST(hashtextextended(k || %s, 0) & 4294967295 AS OID) "
                "FROM unnest(ARRAY['scenthound driver ', 'scenthound write ']) k)"
            )
            ended.append(connection.execute(query, (name,)).fetchone()[0])

    outcome = await crawled(config, tmp_path, fetcher, told=end_all_connections)
    assert ended[0] >= 1
    assert (outcome.ending, outcome.counts.fetched) == ("frontier empty", PAGES)


async def test_where_no_worker_comes_that_is_said(
    tmp_path: Path, config: Config, fetcher: ScriptedFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NO_WORKER", -1.0)
    with pytest.raises(LibraryError, match=r"No worker has reported .* 0 of 2 CPUs free, .* the same command goes on"):
        await crawled(config, tmp_path, fetcher, count=0)


@pytest.mark.parametrize(("setting", "value"), [("requests", 100), ("until", ["recall=0.9"]), ("rebuild_topic", 10)])
async def test_what_workers_cannot_keep_is_refused_before_anything_begins(
    tmp_path: Path, config: Config, fetcher: ScriptedFetcher, setting: str, value: object
) -> None:
    setattr(config.crawl, setting, value)
    with pytest.raises(ConfigError, match="without workers"):
        await crawled(config, tmp_path, fetcher)
    assert not fetcher.asked

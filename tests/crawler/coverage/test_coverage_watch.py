"""Whole crawls that know when to stop, over a generated web: what is drawn, when they end, and what a stop changes."""

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.crawler.coverage.coverage_watch import next_look, random_fingerprint
from scenthound.crawler.coverage.crawl_record import CrawlRecord, asked_coverage, record_of
from scenthound.crawler.coverage.recall_estimate import RecallEstimate
from scenthound.crawler.engine import Crawl
from scenthound.frontier.random_draw import DRAWN
from scenthound.library import memory_library, open_library
from scenthound.model import Failed, Link, Response, Step
from scenthound.protocols.library import Library
from scenthound.urls import fingerprint
from tests.crawler.test_crawl_snapshots import WEB, CalmFetcher, check, settings
from tests.small_web import ScriptedFetcher, page


async def crawled(config: Config, place: Path | Library) -> Crawl:
    async with assembled(config, place, fetcher=CalmFetcher(WEB)) as crawl:
        await crawl.run()
        return crawl


def drawn(library: Library) -> list[str]:
    ids = [fingerprint(page.url) for page in library.pages()]
    return [lease.link.url for lease in library.leases(ids) if lease.priority == DRAWN]


async def test_a_share_of_the_pages_is_drawn_and_only_where_recall_is_asked_for(tmp_path: Path) -> None:
    for until, share in (([], 0), (["harvest=0.001"], 0), (["recall=0.99"], 10)):
        library = memory_library()
        await crawled(settings(tmp_path, strategy="best-first", until=until, pages=100), library)
        assert share * 0.6 <= len(drawn(library)) <= share


async def test_a_crawl_that_was_stopped_draws_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    config = settings(tmp_path / "files", strategy="best-first", until=["recall=0.9"], pages=150)
    await check(config, tmp_path / "whole", tmp_path / "stopped")
    ends = []
    for name in ("whole", "stopped"):
        with open_library(tmp_path / name, write=False) as library:
            ends.append((drawn(library), asked_coverage(library, config)))
    assert ends[0] == ends[1]
    assert len(ends[0][0]) > 5


async def test_the_record_of_a_library_is_that_of_the_crawl(tmp_path: Path) -> None:
    config = settings(tmp_path / "files", strategy="best-first", until=["recall=0.99"], pages=130)
    crawl = await crawled(config, tmp_path / "library")
    assert crawl.coverage is not None
    with open_library(tmp_path / "library", write=False) as library:
        assert vars_of(record_of(library)) == vars_of(crawl.coverage.record)
        assert asked_coverage(library, config) == crawl.coverage.estimate()
        assert asked_coverage(library, Config()) is None


def vars_of(record: CrawlRecord) -> dict[str, Any]:
    return {name: getattr(value, "times", value) for name, value in vars(record).items()}


async def test_it_ends_when_enough_is_found_and_not_before(tmp_path: Path) -> None:
    config = settings(tmp_path, strategy="best-first", until=["recall=0.5"], pages=0)
    config.crawl.confidence = 0.8
    looks: list[RecallEstimate] = []
    async with assembled(config, memory_library(), fetcher=CalmFetcher(WEB)) as crawl:
        assert crawl.coverage is not None
        crawl.coverage.on_estimate = looks.append
        assert await crawl.run() == "coverage reached"
    assert looks[-1].at_least >= 0.5
    assert all(look.at_least < 0.5 for look in looks[:-1])


class LateHost(ScriptedFetcher):
    """One page is on the way until so many others have come."""

    def __init__(self, script: dict[str, str], late: str, others: int) -> None:
        super().__init__(script, parallel=2)
        self.late, self.others = late, others
        self.come = asyncio.Event()

    def hear(self, step: Step) -> None:
        self.others -= step.visit is not None
        if self.others == 0:
            self.come.set()

    async def __call__(self, link: Link) -> Response | Failed:
        if link.url == self.late:
            await self.come.wait()
        return await super().__call__(link)


async def test_what_is_under_way_may_lead_on(tmp_path: Path) -> None:
    """After sixty pages no link waits, but a page is on the way that shows forty others."""
    birds = {f"http://quick.test/{number}": page(text=f"birds sing number{number}") for number in range(59)}
    more = {f"http://late.test/{number}": page(text=f"birds fly away{number}") for number in range(40)}
    script = {
        "http://quick.test/": page(*(f"birds={url}" for url in birds), text="birds"),
        "http://late.test/": page(*(f"birds={url}" for url in more), text="birds"),
        **birds,
        **more,
    }
    topic = {"name": "birds", "keywords": ["birds"]}
    crawl = {"seeds": ["http://quick.test/", "http://late.test/"], "strategy": "best-first", "judge": "keywords"}
    limits = {"pages": 0, "parsers": 0, "until": ["recall=0.9"]}
    config = from_dict({"topic": topic, "crawl": crawl | limits, "politeness": {"delay": 0, "robots": False}})
    fetcher = LateHost(script, "http://late.test/", others=60)
    async with assembled(config, tmp_path / "library", fetcher=fetcher) as running:
        running.observers = [*running.observers, fetcher.hear]
        await running.run()
    assert running.tally.pages == 101


async def test_it_ends_when_the_harvest_falls(tmp_path: Path) -> None:
    config = settings(tmp_path, strategy="best-first", until=["harvest=0.2"], pages=0)
    crawl = await crawled(config, memory_library())
    assert crawl.ending == "harvest fell"
    assert crawl.coverage is not None
    record, window = crawl.coverage.record, 50
    assert record.found > 0
    assert record.recently_found(window) / window < 0.2
    assert record.pages < 300


async def test_it_ends_where_nothing_is_relevant(tmp_path: Path) -> None:
    config = settings(tmp_path, strategy="best-first", until=["harvest=0.2"], threshold=1.0, pages=0)
    crawl = await crawled(config, memory_library())
    assert (crawl.ending, crawl.tally.relevant, crawl.tally.pages) == ("nothing relevant", 0, 50)


async def test_other_kinds_of_limits_still_hold(tmp_path: Path) -> None:
    config = settings(tmp_path, strategy="best-first", until=["recall=0.99"], pages=20)
    assert (await crawled(config, memory_library())).ending == "pages"


def test_looks_become_rarer() -> None:
    looks = [next_look(0)]
    while looks[-1] < 2000:
        looks.append(next_look(looks[-1]))
    assert looks[:4] == [50, 60, 70, 80]
    assert all(10 <= later - look <= max(10, look / 20) for look, later in pairwise(looks))
    assert [next_look(pages) for pages in (59, 60, 61)] == [60, 70, 70]


@pytest.mark.parametrize("pages", [0, 10, 10**9])
def test_draws_follow_from_seed_and_pages(pages: int) -> None:
    numbers = {random_fingerprint(seed, pages) for seed in range(50)}
    assert len(numbers) == 50
    assert all(-(2**63) <= number < 2**63 for number in numbers)

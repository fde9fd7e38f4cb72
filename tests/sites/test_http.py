"""A website crawl over real HTTP: sites on loopback, found through robots, redirects and politeness, and listed."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.vocabulary import TOPICS
from scenthound.lab.generated.web_server import DemoResolver, ServedRequest, serve
from scenthound.sites.parts import SiteCrawlParts, as_run
from scenthound.sites.site_list import found_sites

DELAY = 0.03


Crawled = tuple[Path, SiteWeb, list[ServedRequest], int]


def settings(web: SiteWeb, delay: float, parallel: int) -> Config:
    config = Config()
    config.topic.name = TOPICS[0].name
    config.topic.keywords = list(TOPICS[0].nouns[:8])
    relevant = set(web.relevant(config.topic.name))
    config.crawl.seeds = [site.homepage for site in web.sites if site.key in relevant][:2]
    config.crawl.pages = 130
    config.crawl.parsers = 0
    config.politeness.delay = delay
    config.fetch.private_addresses = True
    config.fetch.parallel = parallel
    config.sites.active = 4
    config.sites.site_pages = 10
    return as_run(config)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl_of(tmp_path_factory.mktemp("sites"), DELAY, parallel=8)


def crawl_of(folder: Path, delay: float, parallel: int) -> Crawled:
    web, log = SiteWeb(seed=5, sites=60, classes=4), list[ServedRequest]()

    async def run() -> int:
        most = 0
        async with serve(web, log=log) as address:
            config = settings(web, delay, parallel)
            fetcher = fetcher_for(config, resolver=DemoResolver(web, address))
            async with assembled(config, folder, fetcher=fetcher, parts=SiteCrawlParts()) as crawl:

                def look(step: object) -> None:
                    nonlocal most
                    most = max(most, len(crawl.frontier.under_way()))  # type: ignore[attr-defined]

                crawl.observers = [look]
                await crawl.run()
        return most

    return folder, web, log, asyncio.run(run())


def test_relevant_sites_are_found_and_listed(tmp_path: Path) -> None:
    """One request at a time and no pauses: which sites come first does not depend on who answers first."""
    folder, web, _, _ = crawl_of(tmp_path, delay=0.0, parallel=1)
    rows = found_sites(folder)
    assert rows
    relevant = set(web.relevant(TOPICS[0].name))
    right = [row for row in rows if row.site in relevant]
    assert len(right) >= 3
    assert len(right) >= 0.5 * len(rows)
    found = next(row for row in right if row.way)
    assert found.found_on.startswith("http://")
    assert found.strongest[0].confidence >= found.strongest[-1].confidence
    assert [row.confidence for row in rows] == sorted((row.confidence for row in rows), reverse=True)


def test_every_host_is_asked_for_its_robots_first_and_then_in_peace(
    crawled: Crawled,
) -> None:
    _, _, log, _ = crawled
    hosts: dict[str, list[ServedRequest]] = {}
    for asked in log:
        hosts.setdefault(asked.host, []).append(asked)
    assert len(hosts) > 8
    for requests in hosts.values():
        assert requests[0].path == "/robots.txt"
        for before, after in pairwise(requests):
            assert after.start - before.end >= DELAY * 0.9


def test_no_site_is_asked_more_than_its_limit(crawled: Crawled) -> None:
    folder, _, log, most = crawled
    rows = found_sites(folder, everything=True)
    assert rows is not None
    assert max(row.pages for row in rows) <= 10
    pages = [asked for asked in log if asked.path != "/robots.txt"]
    assert max(sum(asked.host == host for asked in pages) for host in {asked.host for asked in pages}) <= 11
    # Seeds and the four that may be under way, and no crowd.
    assert most <= 6

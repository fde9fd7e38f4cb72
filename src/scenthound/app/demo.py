"""The built-in web that `crawl --demo` crawls, over real HTTP and without the internet.

The web is generated, so it is known what there is to find: at the end what counts as relevant is held against that,
and the crawl against a walk of the same length that takes links as they come.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from scenthound.app.crawl_plan import (
    CRAWLS,
    CrawlOptions,
    CrawlPlan,
    apply_options,
    is_crawl_folder,
    start_or_go_on,
)
from scenthound.config import Config
from scenthound.errors import UnknownName
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.topics import GeneratedTopic
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.library import open_library
from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import Fetcher

PAGES = 3000
HOSTS = 40
TOPICS = 6
BUDGET = 600
DELAY = 0.02
"""Seconds between two requests to a host: short, because the server is ours and people are watching."""

LATENCY = 0.012
"""Seconds an answer is on its way. Without it all is over before one has seen anything."""

PARALLEL = 1
"""One at a time, so that there is a choice: with as many requests as hosts, every host's best link is taken anyhow."""


class DistantFetcher:
    """A fetcher whose web is a little way off."""

    def __init__(self, fetcher: Fetcher, latency: float) -> None:
        self.parallel = fetcher.parallel
        self._fetcher = fetcher
        self._latency = latency

    async def __call__(self, link: Link) -> Response | Failed:
        await asyncio.sleep(self._latency)
        return await self._fetcher(link)

    async def close(self) -> None:
        await self._fetcher.close()


class DemoTruth(Struct, frozen=True):
    """What the library of a demo counts as relevant, held against what there is."""

    counted: int  # pages that count as relevant, as the library counts them
    right: int  # of these, pages about the topic
    related: int  # of these, pages that have something to do with it
    targets: int  # pages about the topic that there are
    fetched: int  # of the targets, also those that do not count
    fetched_breadth_first: int  # by a walk of the same length

    @property
    def precision(self) -> float:
        return self.right / self.counted if self.counted else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.targets if self.targets else 0.0


def demo_web() -> GeneratedWeb:
    return GeneratedWeb(seed=1, pages=PAGES, hosts=HOSTS, topics=TOPICS)


def plan_demo(topic: str | None, options: CrawlOptions) -> CrawlPlan:
    """The demo on one of its topics, the first of them where none is named."""
    return make_plan(choose(demo_web().topics(), topic), options)


@asynccontextmanager
async def fetching(config: Config, latency: float = LATENCY) -> AsyncIterator[Fetcher]:
    """A fetcher of the built-in web, which is served as long as this lasts. Who gets the fetcher closes it."""
    web = demo_web()
    from scenthound.lab.generated.web_server import DemoResolver, serve  # brings an HTTP server along

    async with serve(web) as address:
        fetcher = fetcher_for(config, resolver=DemoResolver(web, address))
        yield DistantFetcher(fetcher, latency) if latency else fetcher


def measure(plan: CrawlPlan) -> DemoTruth:
    """Holds what the library of a demo has against what there is."""
    web = demo_web()
    subject = choose(web.topics(), plan.config.topic.name)
    truth = set(subject.targets)
    with open_library(plan.folder, write=False) as library:
        pages = list(library.pages())
    fetched = {page.url for page in pages}
    counted = {page.url for page in pages if page.relevant and not page.duplicate_of}
    # Of a page and its copy the one fetched first counts, and stands for the other.
    stand_for = {page.url: page.duplicate_of or page.url for page in pages}
    right = {stand_for[url] for url in truth & fetched} & counted
    return DemoTruth(
        counted=len(counted),
        right=len(right),
        related=len(counted & set(subject.related) - right),
        targets=len(truth),
        fetched=len(truth & fetched),
        fetched_breadth_first=len(truth & set(walk(web, subject.seeds, len(fetched)))),
    )


def choose(topics: list[GeneratedTopic], name: str | None) -> GeneratedTopic:
    if name is None:
        return topics[0]
    for topic in topics:
        if topic.name.casefold() == name.casefold():
            return topic
    raise UnknownName(f"The demo knows nothing of {name!r}. Its topics: {', '.join(topic.name for topic in topics)}.")


def make_plan(subject: GeneratedTopic, options: CrawlOptions) -> CrawlPlan:
    """A folder of its own for every demo, unless --into names one: then that one goes on."""
    settings = Config()
    settings.topic.name = subject.name
    settings.topic.keywords = list(subject.keywords)
    settings.crawl.seeds = list(subject.seeds)
    settings.crawl.pages = BUDGET
    settings.politeness.delay = DELAY
    settings.fetch.private_addresses = True
    settings.fetch.demo = True
    settings.fetch.parallel = PARALLEL
    settings.fetch.backoff = 0.5
    return start_or_go_on(options.into or fresh_folder(), apply_options(settings, options), options)


def fresh_folder(name: str = "demo") -> Path:
    number = 1
    while is_crawl_folder(folder := CRAWLS / (f"{name}-{number}" if number > 1 else name)):
        number += 1
    return folder


def walk(web: GeneratedWeb, seeds: tuple[str, ...], pages: int) -> list[str]:
    """The first pages a breadth-first crawler meets. No page fails it and no trap holds it: it has it easy."""
    starts = [page for seed in seeds if (page := web.page(seed)) is not None]
    known, queue = set(starts), deque(starts)
    walked: list[str] = []
    while queue and len(walked) < pages:
        page = queue.popleft()
        walked.append(web.url(page))
        for target in web.links(page):
            if target not in known:
                known.add(target)
                queue.append(target)
    return walked

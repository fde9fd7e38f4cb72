"""`scenthound crawl --demo`: a crawl of a built-in web, over real HTTP, that needs no internet.

The web is generated, so it is known what there is to find: at the end the crawl is measured against that, and
against a walk of the same length that takes links as they come.
"""

from __future__ import annotations

import asyncio
import shlex
from collections import deque
from pathlib import Path

from rich.console import Console
from rich.text import Text

from scenthound.cli import session
from scenthound.cli.crawl_settings import CRAWLS, CrawlOptions, CrawlPlan, apply, begin, is_library
from scenthound.cli.summary import CrawlOutcome, Style, sum_up
from scenthound.config import Config
from scenthound.errors import UnknownName
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.lab.generated.topics import GeneratedTopic
from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, serve
from scenthound.library.sqlite.library import SqliteLibrary
from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import Fetcher
from scenthound.report.figures import percent
from scenthound.sites.site_list import write_whole_report

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


class Distant:
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


def run_demo(topic: str | None, options: CrawlOptions, style: Style) -> int:
    """`scenthound crawl --demo`."""
    web = GeneratedWeb(seed=1, pages=PAGES, hosts=HOSTS, topics=TOPICS)
    subject = choose(web.topics(), topic)
    return _run(web, subject, make_plan(subject, options), style)


def go_on(plan: CrawlPlan, style: Style) -> int:
    """`scenthound crawl FOLDER`, where the folder is a demo's."""
    web = GeneratedWeb(seed=1, pages=PAGES, hosts=HOSTS, topics=TOPICS)
    return _run(web, choose(web.topics(), plan.config.topic.name), plan, style)


def _run(web: GeneratedWeb, subject: GeneratedTopic, plan: CrawlPlan, style: Style) -> int:
    session.check(plan)
    console = Console(highlight=False)
    if style in ("live", "plain"):
        console.print(
            Text(f" A built-in web of {PAGES:,} pages on {HOSTS} hosts; the hound is after {subject.name!r}.\n", "dim")
        )
    outcome = session.run(_crawl(web, plan, style, console))
    write_whole_report(plan.folder)
    found = fetched(plan.folder)
    truth = set(subject.targets)
    hits = len(truth & found)
    blind = len(truth & set(walk(web, subject.seeds, len(found))))
    extra = {"targets": len(truth), "targets_found": hits, "targets_found_breadth_first": blind}
    sum_up(outcome, plan, style, console, f"scenthound crawl {shlex.quote(str(plan.folder))}", extra)
    if style in ("live", "plain"):
        console.print(_truth(hits, blind, len(truth)))
    return outcome.exit_code


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
    return begin(options.into or fresh_folder(), apply(settings, options), options)


def fresh_folder() -> Path:
    number = 1
    while is_library(folder := CRAWLS / (f"demo-{number}" if number > 1 else "demo")):
        number += 1
    return folder


async def _crawl(web: GeneratedWeb, plan: CrawlPlan, style: Style, console: Console) -> CrawlOutcome:
    async with serve(web) as address:
        resolver = DemoResolver(web, address)
        fetcher = fetcher_for(plan.config, resolver=resolver)
        return await session.crawl(plan, style, console, Distant(fetcher, LATENCY))


def fetched(folder: Path) -> set[str]:
    with SqliteLibrary.open(folder, write=False) as library:
        return {page.url for page in library.pages()}


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


def _truth(hits: int, blind: int, targets: int) -> Text:
    return Text.assemble(
        "\n The demo knows the truth: ",
        (f"{hits} of {targets}", "bold green"),
        f" pages about the topic were found ({percent(hits, targets)}).\n",
        (f" Following links as they come, breadth first, finds {blind} in as many pages.", "dim"),
    )

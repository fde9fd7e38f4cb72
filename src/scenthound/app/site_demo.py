"""The built-in web of sites that `sites --demo` crawls, over real HTTP and without the internet.

The web is generated, so it is known which sites are of the topic's class, and the list is held against that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from msgspec import Struct

from scenthound.app.crawl_plan import CrawlOptions, CrawlPlan, apply_options, start_or_go_on
from scenthound.app.demo import fresh_folder
from scenthound.config import Config
from scenthound.errors import UnknownName
from scenthound.fetch.resolve import StaticResolver
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.vocabulary import TOPICS

SITES = 300
SEEDS = 3
KEYWORDS = 8
BUDGET = 600
DELAY = 0.02
"""Seconds between two requests to a host: short, because the server is ours and people are watching."""


def web() -> SiteWeb:
    return SiteWeb(seed=1, sites=SITES)


def plan_demo(topic: str | None, options: CrawlOptions) -> CrawlPlan:
    """A folder of its own for every demo, unless --into names one: then that one goes on."""
    there = web()
    name = _choose(there.classes, topic)
    theme = next(theme for theme in TOPICS if theme.name == name)
    settings = Config()
    settings.topic.name = name
    settings.topic.keywords = list(theme.nouns[:KEYWORDS])
    settings.crawl.seeds = [site.homepage for site in there.sites if site.key in set(there.relevant(name))][:SEEDS]
    settings.crawl.pages = BUDGET
    settings.crawl.parsers = 0  # small pages: processes to parse them take longer to start than they save
    settings.politeness.delay = DELAY
    settings.fetch.private_addresses = True
    settings.fetch.demo = True
    settings.fetch.backoff = 0.5
    return start_or_go_on(options.into or fresh_folder("sites-demo"), apply_options(settings, options), options)


def _choose(names: list[str], topic: str | None) -> str:
    if topic is None:
        return names[0]
    for name in names:
        if name.casefold() == topic.casefold():
            return name
    raise UnknownName(f"The demo knows nothing of {topic!r}. Its topics: {', '.join(names)}.")


@asynccontextmanager
async def served(config: Config) -> AsyncIterator[StaticResolver | None]:
    """Where the hosts of the demo are found while it runs; None where the settings are no demo's."""
    if not config.fetch.demo:
        yield None
        return
    from scenthound.lab.generated.web_server import DemoResolver, serve  # brings an HTTP server along

    there = web()
    async with serve(there) as address:
        yield DemoResolver(there, address)


class SiteTruth(Struct, frozen=True):
    """The list of sites held against what there is."""

    listed: int
    right: int  # of the list
    sites: int  # about the topic that there are

    @property
    def precision(self) -> float:
        return self.right / self.listed if self.listed else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.sites if self.sites else 0.0


def measure(config: Config, found: Iterable[str]) -> SiteTruth:
    """Holds the list against what the demo knows."""
    right, listed = set(web().relevant(config.topic.name)), set(found)
    return SiteTruth(len(listed), len(right & listed), len(right))

"""Some pages and no others: a crawl that follows nothing but redirects.

For whoever needs pages besides a crawl: examples of a topic, pages to learn from. Robots.txt, delays, retries, limits
and guards are those of any crawl, since it is one; no request is made on the side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import Config, ScopeSection
from scenthound.crawler.crawl_parts import CrawlParts, noted_run, put_together
from scenthound.fetch.fetcher_for import settings_for
from scenthound.model import Page, Ranked, Response, Step, Visit
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Clock, Fetcher
from scenthound.protocols.library import Library
from scenthound.scope.scope import Scope


async def fetch_pages(
    wanted: Sequence[str],
    config: Config,
    fetcher: Fetcher,
    library: Library,
    *,
    clock: Clock = time.time,
    observers: Sequence[Callable[[Step], None]] = (),
) -> None:
    """Fetches canonical URLs into a library. What it asked for before, be it in vain, is not asked for again."""
    settings = _settings(settings_for(fetcher, config))
    parts = CrawlParts(
        strategy=Stay(),
        judge=_no_judgement,
        scope=Scope(language=config.topic.language, html_only=True),
        parse=_without_links,
    )
    crawl = put_together(settings, parts, library, fetcher, clock=clock, observers=observers)
    crawl.add_seeds(wanted)
    with noted_run(crawl, library):
        await crawl.run()


class PageOutcomes:
    """An observer that knows what each URL came to."""

    def __init__(self) -> None:
        self._answers: dict[str, Response] = {}
        self._moved: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        self._hosts: dict[str, str] = {}  # whose robots.txt could not be read, and why: they are asked for nothing else

    def __call__(self, step: Step) -> None:
        url = step.lease.link.url
        if step.lease.link.kind == "robots":
            self._hosts[(step.lease.memory or b"").decode()] = step.reason
        elif step.state == "fetched" and step.response is not None:
            self._answers[url] = step.response
        elif step.state == "moved":
            self._moved[url] = step.reason
            self._reasons.update((refused.link.url, refused.reason) for refused in step.refused)
        elif step.state in ("failed", "refused"):
            self._reasons[url] = step.reason

    def of(self, url: str) -> Response | str:
        """The answer, redirects followed, or why there is none."""
        passed = set()
        while url in self._moved and url not in passed:
            passed.add(url)
            url = self._moved[url]
        return self._answers.get(url) or self._reasons.get(url) or self._hosts.get(urls.host(url), "no answer")


class Stay:
    """A strategy that goes nowhere."""

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return ()


def _settings(config: Config) -> Config:
    """The manners and limits of the crawl, but none of its budgets, and nothing that leads further."""
    crawl = replace(
        config.crawl,
        seeds=[],
        pages=0,
        requests=0,
        minutes=0.0,
        depth=0,
        ascend=False,
        sitemaps=False,
        feeds=False,
        frontier_limit=0,
    )
    return replace(config, crawl=crawl, scope=ScopeSection(traps=False, mirrors=False))


def _no_judgement(page: Page) -> float:
    return 0.0


def _without_links(response: Response, language: str) -> Page:
    """Links are read off the stored answer when they are wanted; here there is nothing to be done with them."""
    return replace(parse_safely(response, language), links=(), canonical="")

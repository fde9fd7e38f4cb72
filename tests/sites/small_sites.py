"""A few sites written out by hand, whose pages say themselves how confident one may be of them: `conf 0.9`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.crawler.budget import Ending
from scenthound.model import Page, Step, Visit
from scenthound.sites.parts import SiteCrawlParts, as_run
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.taught import TaughtSites
from tests.small_web import Script, ScriptedFetcher, page


class SaysItself:
    """In the place of the trained classifier."""

    p_err = 0.1

    def confidence(self, page: Page) -> float:
        found = re.search(r"conf (\d\.?\d*)", page.text)
        return float(found[1]) if found else 0.5


class AsJudged:
    """Evidence that takes the judge's relevance for the confidence."""

    reads_words = False
    topic = None

    def __init__(self, p_err: float) -> None:
        self.p_err = p_err

    def __call__(self, visit: Visit) -> float:
        return visit.relevance


def said(confidence: float, *links: str, words: str = "") -> str:
    """A page of that confidence."""
    return page(*links, text=f"conf {confidence} {words}")


def settings(*seeds: str, **sites: Any) -> Config:
    config = Config()
    config.crawl.judge = "keywords"
    config.topic.name = "hounds"
    config.crawl.seeds = list(seeds)
    config.crawl.pages = 0
    config.crawl.parsers = 0
    config.politeness.delay = 0.0
    config.politeness.robots = False
    config.fetch.backoff = 0.01
    for name, value in ({"active": 1} | sites).items():
        setattr(config.sites, name, value)
    return config


class Done:
    """A crawl that has ended."""

    def __init__(self, sites: SiteCrawl, asked: list[str], steps: list[Step], ending: Ending) -> None:
        self.sites, self.asked, self.steps, self.ending = sites, asked, steps, ending

    def verdicts(self) -> dict[str, bool]:
        return {site.name: site.relevant for site in self.sites.sites.values() if site.pages}

    def refusals(self) -> dict[str, str]:
        late = {step.lease.link.url: step.reason for step in self.steps if step.state == "refused"}
        return late | {refusal.link.url: refusal.reason for step in self.steps for refusal in step.refused}


def crawl(
    folder: Path,
    script: Script | ScriptedFetcher,
    config: Config,
    classifier: Any = None,
    labels: dict[str, bool] | None = None,
) -> Done:
    fetcher = script if isinstance(script, ScriptedFetcher) else ScriptedFetcher(script)
    steps: list[Step] = []
    parts = SiteCrawlParts(TaughtSites(classifier or SaysItself()), labels)

    async def run() -> Ending:
        given = as_run(config)
        async with assembled(given, folder, fetcher=fetcher, observers=[steps.append], parts=parts) as crawl:
            return await crawl.run()

    ending = asyncio.run(run())
    assert parts.crawl is not None
    return Done(parts.crawl, fetcher.asked, steps, ending)

"""On the built-in web a quarter of a topic's pages lie behind tunnels of pages that say nothing of it."""

from __future__ import annotations

from scenthound.app.demo import BUDGET, demo_web
from scenthound.config import from_dict
from scenthound.crawler.assemble import assembled
from scenthound.lab.crawls.lab_crawl import standing_still
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.library import memory_library


async def found(strategy: str | dict[str, str]) -> float:
    """The share of the pages about orchids that a crawl fetches."""
    web = demo_web()
    subject = web.topics()[0]
    config = from_dict(
        {
            "topic": {"name": subject.name, "keywords": list(subject.keywords)},
            "crawl": {"seeds": list(subject.seeds), "pages": BUDGET, "parsers": 0, "strategy": strategy},
            "politeness": {"delay": 0, "robots": False},
        }
    )
    came: set[str] = set()
    fetcher = GeneratedFetcher(web, standing_still)
    library = memory_library(texts=False, answers=False)
    async with assembled(config, library, fetcher=fetcher, clock=standing_still) as crawl:
        crawl.observers = [*crawl.observers, lambda step: came.update([step.visit.page.url] if step.visit else [])]
        await crawl.run()
    return len(came & set(subject.targets)) / len(subject.targets)


async def test_what_lies_behind_tunnels_is_found_once_the_rest_is() -> None:
    without = {"name": "auto", "without": "new ground"}
    assert await found(without) < 0.8
    assert await found("auto") > 0.85

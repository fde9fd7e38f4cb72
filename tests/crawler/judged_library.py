"""A library of a few pages about birds, ferns or both, whose judgements can be made again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled, page_crawl_parts
from scenthound.crawler.crawl_judgements import CrawlJudgements, JudgedCrawl, judge_stored, present_parts
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.judge_again import JudgedPages
from scenthound.library import open_library
from scenthound.protocols.library import Library
from tests.small_web import ScriptedFetcher, page

SITE = "http://a.test"
BIRDS, FERNS, BOTH, NOTHING = (f"{SITE}/{name}" for name in ("birds", "ferns", "both", "nothing"))
WAITING = {"bird": f"{SITE}/wait/1", "fern": f"{SITE}/wait/2"}
PLAIN = {"politeness": {"delay": 0, "robots": False}, "scope": {"traps": False, "deny": "path:/never"}}

WEB = {
    f"{SITE}/": page(f"a={BIRDS}", f"b={FERNS}", f"c={BOTH}", f"d={NOTHING}", text="where to go from here"),
    BIRDS: page(f"more birds={WAITING['bird']}", text="birds sing in the morning and build a nest. " * 8),
    FERNS: page(f"more ferns={WAITING['fern']}", text="ferns grow in the shade, with spores below each frond. " * 8),
    BOTH: page(text="birds and ferns share the wood, side by side. " * 8),
    NOTHING: page(text="tickets for the tram are sold at the counter near the museum. " * 8),
}


def settings(*keywords: str, pages: int = 5, **sections: Any) -> Config:
    crawl = {
        "seeds": [f"{SITE}/", BIRDS, FERNS, BOTH, NOTHING],
        "pages": pages,
        "parsers": 0,
        "judge": "keywords",
        "strategy": "best-first",
        **sections.pop("crawl", {}),
    }
    topic = {"name": "x", "keywords": list(keywords), **sections.pop("topic", {})}
    return from_dict({"topic": topic, "crawl": crawl, **PLAIN, **sections})


async def crawl(
    place: Path | Library, config: Config, judgements: CrawlJudgements | None = None, web: dict[str, str] | None = None
) -> None:
    fetcher = ScriptedFetcher(WEB if web is None else web)
    judgements = judgements or CrawlJudgements()
    async with assembled(config, place, fetcher=fetcher, judgements=judgements) as running:
        await running.run()


async def judged(place: Path, config: Config, **more: Any) -> JudgedPages:
    with open_library(place) as library:
        crawl = JudgedCrawl(config, library, ExamplePages(), page_crawl_parts)
        return await judge_stored(crawl, await present_parts(crawl), **more)


def relevant(library: Library) -> set[str]:
    return {page.url for page in library.pages(relevant=True)}

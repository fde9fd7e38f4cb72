"""A crawl that looks at stored pages again: the ordinary crawl, whose answers go through a `RevisitDigest`.

async with recrawling(config, folder, fetcher=fetcher) as (crawl, looks):
    looks.look_again(list(looks.history.watched()))
    await crawl.run(Budget(least=LOOK_AGAIN))
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.assemble import assembled, page_crawl_parts
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.engine import Crawl
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Step
from scenthound.protocols.crawl import Clock, Context, Fetcher
from scenthound.protocols.library import Library
from scenthound.revisit.detect.conditional_fetcher import ConditionalFetcher
from scenthound.revisit.revisit_digest import RevisitDigest


@asynccontextmanager
async def recrawling(
    config: Config,
    place: Path | Library,
    *,
    fetcher: Fetcher,
    images: bool = False,
    clock: Clock = time.time,
    observers: Sequence[Callable[[Step], None]] = (),
) -> AsyncIterator[tuple[Crawl, RevisitDigest]]:
    """The crawl over the library at a place, and what one tells which pages are due. `images`: look at theirs, too."""
    conditional = ConditionalFetcher(fetcher)
    made: list[RevisitDigest] = []

    def around(pages: PageDigest, frontier: PoliteFrontier, library: Library) -> RevisitDigest:
        made.append(RevisitDigest(pages, frontier, library, conditional, images=images))
        return made[0]

    def parts(config: Config, context: Context) -> CrawlParts:
        return replace(page_crawl_parts(config, context), digest=around, examples=())

    async with assembled(config, place, fetcher=conditional, clock=clock, observers=observers, parts=parts) as crawl:
        yield crawl, made[0]

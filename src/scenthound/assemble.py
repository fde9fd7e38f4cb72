"""From settings to a crawl that is ready to run: the one place that knows which class plays which part.

    async with assembled(config, folder) as crawl:
        ending = await crawl.run()
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import msgspec

from scenthound import registry, urls
from scenthound.config import Config, named
from scenthound.engine import Crawl, Tally
from scenthound.errors import ConfigError
from scenthound.fetch.http import HttpFetcher
from scenthound.frontier.polite import PoliteFrontier
from scenthound.library.folder import SqliteLibrary
from scenthound.model import Step
from scenthound.protocols import Clock, Fetcher, Ground, Idf
from scenthound.scope import Scope
from scenthound.text import idf
from scenthound.text.simhash import NearDuplicates


@asynccontextmanager
async def assembled(
    config: Config,
    folder: Path,
    *,
    fetcher: Fetcher | None = None,
    clock: Clock = time.time,
    observers: Sequence[Callable[[Step], None]] = (),
) -> AsyncIterator[Crawl]:
    """Opens or makes the library in `folder` and yields the crawl that goes on where the last one stopped."""
    seeds = canonical_seeds(config.crawl.seeds)
    fetcher = fetcher or HttpFetcher(config.fetch, config.politeness, clock=clock)
    library = SqliteLibrary.open(folder, create=True, settings=config.library)
    try:
        ground = make_ground(config, *await examples_of(config, folder, fetcher))
        crawl = _crawl(config, ground, library, fetcher, clock, observers)
        if seeds:
            crawl.sow(seeds)
        elif not len(crawl.frontier):
            raise ConfigError("There is nowhere to start: give a seed with --seed URL, or seeds = [...] under [crawl].")
        library.start_run(msgspec.json.encode(config).decode())
        ending = "crashed"
        try:
            yield crawl
            ending = "ended"
        finally:
            library.end_run(ending)
    finally:
        library.close()
        await fetcher.close()

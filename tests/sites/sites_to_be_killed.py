"""A website crawl of a generated web in a process of its own, for tests that kill it: FOLDER LOG."""

import asyncio
import sys
from pathlib import Path

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.generated.vocabulary import TOPICS
from scenthound.lab.generated.web import GeneratedFetcher
from scenthound.model import Failed, Link, Response
from scenthound.sites.parts import SiteCrawlParts, as_run

PAGES = 150


class LoggingFetcher(GeneratedFetcher):
    """Notes each request before it is made, and takes its time."""

    def __init__(self, web: SiteWeb, log: Path) -> None:
        super().__init__(web)  # type: ignore[arg-type]
        self.log = log.open("a", buffering=1)

    async def __call__(self, link: Link) -> Response | Failed:
        self.log.write(link.url + "\n")
        await asyncio.sleep(0.002)
        return await super().__call__(link)

    async def close(self) -> None:
        self.log.close()


def settings(web: SiteWeb) -> Config:
    config = Config()
    config.topic.name = TOPICS[0].name
    config.topic.keywords = list(TOPICS[0].nouns[:8])
    relevant = set(web.relevant(config.topic.name))
    config.crawl.seeds = [site.homepage for site in web.sites if site.key in relevant][:2]
    config.crawl.pages = PAGES
    config.crawl.parsers = 0
    config.politeness.delay = 0.0
    config.politeness.robots = False
    config.fetch.backoff = 0.01
    config.sites.active = 3
    config.sites.l_threshold = 8.0
    return config


async def main(folder: Path, log: Path) -> None:
    web = SiteWeb(seed=5, sites=60, classes=4)
    config = as_run(settings(web))
    async with assembled(config, folder, fetcher=LoggingFetcher(web, log), parts=SiteCrawlParts()) as crawl:
        await crawl.run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))

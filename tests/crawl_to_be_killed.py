"""A crawl of a generated web in a process of its own, for tests that kill it: FOLDER LOG."""

import asyncio
import sys
from pathlib import Path

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.model import Failed, Link, Response

PAGES = 300


class LoggingFetcher(GeneratedFetcher):
    """Notes each request before it is made, and takes its time."""

    def __init__(self, web: GeneratedWeb, log: Path) -> None:
        super().__init__(web)
        self.log = log.open("a", buffering=1)

    async def __call__(self, link: Link) -> Response | Failed:
        self.log.write(link.url + "\n")
        await asyncio.sleep(0.002)
        return await super().__call__(link)

    async def close(self) -> None:
        self.log.close()


def settings(web: GeneratedWeb) -> Config:
    topic = web.topics()[0]
    config = Config()
    config.topic.name = topic.name
    config.topic.keywords = list(topic.keywords)
    config.crawl.seeds = list(topic.seeds)
    config.crawl.pages = PAGES
    config.politeness.delay = 0.0
    config.politeness.robots = False
    config.fetch.backoff = 0.01
    config.library.warc_bytes = 200_000  # several files, so that some moment hits a change of file
    return config


async def main(folder: Path, log: Path) -> None:
    web = GeneratedWeb(seed=3, pages=1000, hosts=20, topics=4)
    async with assembled(settings(web), folder, fetcher=LoggingFetcher(web, log)) as crawl:
        await crawl.run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))

"""Scrapy as it comes: `CrawlSpider` and `LinkExtractor`, settings as its project template has them, delays off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from throughput_parts.race import IN_FLIGHT, Task, finish


class Pages(CrawlSpider):
    name = "pages"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def parse_start_url(self, response: Response, **kwargs: Any) -> Iterator[dict[str, str]]:
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[dict[str, str]]:
        yield {"url": response.url, "title": response.css("title::text").get("")}


def settings(folder: Any) -> dict[str, Any]:
    return {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": IN_FLIGHT,
        "CONCURRENT_REQUESTS_PER_DOMAIN": IN_FLIGHT,
        "DOWNLOAD_DELAY": 0,
        "FEEDS": {str(folder / "pages.jsonl"): {"format": "jsonlines"}},
        "FEED_EXPORT_ENCODING": "utf-8",
        "LOG_ENABLED": False,
    }


def crawl(spider: type, given: Task) -> None:
    process = CrawlerProcess(settings(given.folder))
    started = perf_counter()
    process.crawl(spider, start_urls=[given.start], allowed_domains=["127.0.0.1"])
    process.start()
    seconds = perf_counter() - started
    with open(given.folder / "pages.jsonl", "rb") as lines:
        # Different ones: Scrapy keeps no note of its start page, and fetches it again when a link leads to it.
        finish(len({json.loads(line)["url"] for line in lines}), seconds)


def main(given: Task) -> None:
    crawl(Pages, given)

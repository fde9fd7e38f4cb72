"""An ordinary spider with our scheduler: it says what to follow, and the topic says in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import scrapy
from scrapy.http import TextResponse


class ReefSpider(scrapy.Spider):
    name = "reefs"
    custom_settings: ClassVar[dict[str, Any]] = {
        "SCHEDULER": "scenthound.scrapy_bridge.FocusedScheduler",
        "SCENTHOUND": {"topic": {"name": "coral bleaching", "keywords": ["coral bleaching", "reef", "warm water"]}},
        "SCENTHOUND_LIBRARY": "crawls/reefs",
        "CLOSESPIDER_PAGECOUNT": 500,
        "DOWNLOAD_DELAY": 1.0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "ROBOTSTXT_OBEY": True,
    }

    def __init__(self, start: str = "https://example.org/", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [start]

    def parse(self, response: TextResponse, **kwargs: Any) -> Iterator[Any]:
        yield {
            "url": response.url,
            "title": response.css("title::text").get(""),
            "relevance": round(response.meta.get("relevance", 0.0), 3),
        }
        yield from response.follow_all(css="a::attr(href)")

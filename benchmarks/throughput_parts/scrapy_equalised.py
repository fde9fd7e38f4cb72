"""Scrapy with our HTML parser and URL library and a seen-set of its own: what is left is Scrapy's engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import can_ada
from scrapy import Request, Spider
from scrapy.http import Response
from selectolax.lexbor import LexborHTMLParser

from throughput_parts.race import Task
from throughput_parts.scrapy_plain import crawl


class Pages(Spider):
    name = "pages"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen = set(self.start_urls)
        self.origin = "/".join(self.start_urls[0].split("/")[:3]) + "/"

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Any]:
        tree = LexborHTMLParser(response.body)
        title = tree.css_first("title")
        yield {"url": response.url, "title": title.text() if title else ""}
        base = can_ada.parse(response.url)
        for node in tree.css("a[href]"):
            try:
                url = (base + (node.attributes["href"] or "")).href.partition("#")[0]
            except ValueError:
                continue
            if url not in self.seen and url.startswith(self.origin):
                self.seen.add(url)
                yield Request(url, dont_filter=True)


def main(given: Task) -> None:
    crawl(Pages, given)

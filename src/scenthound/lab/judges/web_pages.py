"""The pages of a web that holds still, each parsed once for all topics and judges."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.config import Config
from scenthound.crawler.assemble import make_scope
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.webs import Web
from scenthound.model import Link, Page

UNBOUNDED = 1 << 62
"""All pages are needed for every topic: forgetting some would mean to parse them again and again."""

TOLD_EVERY = 100


class WebPages:
    """`tell` hears how many more pages were read."""

    def __init__(self, web: Web, tell: Callable[[int], None] = lambda pages: None) -> None:
        self._web = web
        self._crawler = LabCrawler(web, remembered=UNBOUNDED)
        self._urls = list(web.urls())
        self._read: set[tuple[str, str]] = set()
        self._tell = tell

    def page(self, url: str, language: str) -> Page | None:
        """One page, wherever a redirect leads."""
        return self._crawler.page(url, language)

    def in_scope(self, config: Config) -> dict[str, Page]:
        """Every page that a crawl with these settings could see, by its URL."""
        scope, language = make_scope(config), config.topic.language
        found: dict[str, Page] = {}
        unread = 0
        for url in self._urls:
            if scope.refuses(Link(url=url), 0) is not None:
                continue
            page = self._crawler.page(url, language)
            if page is not None:
                found.setdefault(page.url, page)
            if (url, language) not in self._read:
                self._read.add((url, language))
                unread += 1
                if unread % TOLD_EVERY == 0:
                    self._tell(TOLD_EVERY)
        return found

"""The pages of a web that holds still, each parsed once for all topics and judges."""

from __future__ import annotations

from scenthound.config import Config
from scenthound.crawler.assemble import make_scope
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.judges.parsed_pages import load_parsed
from scenthound.lab.webs import Web
from scenthound.model import Link, Page

UNBOUNDED = 1 << 62
"""All pages are needed for every topic: forgetting some would mean to parse them again and again."""


class WebPages:
    """Pages that were parsed and kept before (`parsed_pages.py`), and the rest as they are asked for."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._crawler = LabCrawler(web, remembered=UNBOUNDED)
        self._urls = list(web.urls())
        self._kept: dict[str, dict[str, Page]] = {}  # by language

    def page(self, url: str, language: str) -> Page | None:
        """One page, wherever a redirect leads."""
        kept = self._kept.get(language, {}).get(url)
        return kept if kept is not None else self._crawler.page(url, language)

    def in_scope(self, config: Config) -> dict[str, Page]:
        """Every page that a crawl with these settings could see, by its URL."""
        scope, language = make_scope(config), config.topic.language
        if language not in self._kept:
            self._kept[language] = load_parsed(self._web, language)
        found: dict[str, Page] = {}
        for url in self._urls:
            if scope.refuses(Link(url=url), 0) is None and (page := self.page(url, language)) is not None:
                found.setdefault(page.url, page)
        return found

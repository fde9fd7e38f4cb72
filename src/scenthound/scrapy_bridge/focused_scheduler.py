"""A scheduler for Scrapy: of all requests that wait, the one goes next whose link promises most.

Requests are told apart by their URL, in our spelling. Only a GET is a link: any other, and a request that wants not to
be filtered (`dont_filter`), goes out as it came, before all links. Start requests are links to begin with. Scrapy asks
for robots.txt (ROBOTSTXT_OBEY), retries and follows redirects, as ever; delays and how many requests a host gets at
once are those of its settings, too.
"""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse

from scenthound import config as toml
from scenthound import urls
from scenthound.config import Config, from_dict
from scenthound.errors import ConfigError
from scenthound.library import memory_library, open_library
from scenthound.model import Response, Waiting
from scenthound.protocols.library import Library
from scenthound.scrapy_bridge.topic_focus import TopicFocus, canonical

LEASE = "scenthound_lease"
"""In the meta of a request that was handed out: which lease it is."""

EXAMPLE = 'SCENTHOUND = "coral bleaching", the path of a topic.toml, or {"topic": {"name": "...", "keywords": [...]}}'


class FocusedScheduler(BaseScheduler):
    """As Scrapy wants it; the settings are in the docstring of the package."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.focus: TopicFocus | None = None
        self._library: Library | None = None
        self._requests: dict[int, Request] = {}  # of links that wait, by the link's id
        self._out: dict[int, tuple[Waiting, Request]] = {}
        self._others: deque[Request] = deque()
        self._alarm: Any = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FocusedScheduler:
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        settings = crawl_settings(self.crawler.settings)
        place = self.crawler.settings.get("SCENTHOUND_LIBRARY")
        self._library = open_library(Path(place), create=True) if place else memory_library(answers=False)
        self.focus = TopicFocus(settings, self._library)
        self.crawler.signals.connect(self._came, signals.response_received)

    def close(self, reason: str) -> None:
        if self.focus is not None:
            self._end_unanswered(everything=True)
            self.focus.close(finished=reason == "finished")
        if self._library is not None:
            self._library.close()
        if self._alarm is not None and self._alarm.active():
            self._alarm.cancel()

    def has_pending_requests(self) -> bool:
        return bool(self._others) or len(self._focus.frontier) > 0

    def enqueue_request(self, request: Request) -> bool:
        url = canonical(request.url)
        if (lease := self._out.pop(request.meta.get(LEASE, 0), None)) is not None and url is not None:
            return self._comes_back(lease[0], url, request)
        starts = request.meta.get("is_start_request", False)  # then dont_filter is no wish, but a habit of Scrapy's
        if url is None or request.method != "GET" or (request.dont_filter and not starts):
            self._others.append(request)
            return True
        source = canonical((request.headers.get("Referer") or b"").decode("latin-1"))
        taken = self._focus.follow(url, source) if source else self._focus.start(url)
        if taken:
            self._requests[urls.fingerprint(url)] = request
        elif self.crawler.stats is not None:
            self.crawler.stats.set_value("scenthound/out_of_scope", self._focus.out_of_scope)
        return taken

    def next_request(self) -> Request | None:
        if self._others:
            return self._others.popleft()
        self._end_unanswered()
        lease = self._focus.take()
        if lease is None:
            self._look_again_later()
            return None
        # A link of an earlier run has no request of this one: the spider's `parse` is to have it.
        request = self._requests.pop(lease.id, None) or Request(lease.link.url)
        request.meta[LEASE] = lease.id
        self._out[lease.id] = (lease, request)
        return request

    # What became of requests

    def _came(self, response: ScrapyResponse, request: Request, **ignored: Any) -> None:
        """An answer, before the spider sees it."""
        if (out := self._out.pop(request.meta.get(LEASE, 0), None)) is None:
            return
        visit = self._focus.came(out[0], _answer(response, out[0].link.url, request))
        if visit is not None:
            request.meta["relevance"], request.meta["relevant"] = visit.relevance, visit.relevant
            stats = self.crawler.stats
            if stats is not None:
                stats.inc_value("scenthound/pages")
                stats.inc_value("scenthound/relevant", int(visit.relevant))

    def _comes_back(self, lease: Waiting, url: str, request: Request) -> bool:
        """A request that Scrapy puts in the place of one it made: to be tried again, or for where that led."""
        request.meta.pop(LEASE, None)
        if url == lease.link.url:
            self._focus.again(lease)
        elif not self._focus.moved(lease, url):
            return False
        self._requests[urls.fingerprint(url)] = request
        return True

    def _end_unanswered(self, everything: bool = False) -> None:
        """Ends leases of requests that are over and brought nothing: no connection, or robots.txt says no."""
        engine = self.crawler.engine
        active = engine.downloader.active if engine is not None and not everything else ()
        for number in [number for number, (_, request) in self._out.items() if request not in active]:
            self._focus.failed(self._out.pop(number)[0], "connect: no answer")

    def _look_again_later(self) -> None:
        """Has Scrapy ask once more when a host may be asked again: by itself it does so every five seconds."""
        wait, engine = self._focus.wait(), self.crawler.engine
        if wait is None or engine is None or (self._alarm is not None and self._alarm.active()):
            return
        from twisted.internet import reactor

        slot = engine._slot
        if slot is not None:
            self._alarm = reactor.callLater(wait, slot.nextcall.schedule)  # type: ignore[arg-type]

    @property
    def _focus(self) -> TopicFocus:
        assert self.focus is not None, "the spider is not open"
        return self.focus


def crawl_settings(scrapy: Any) -> Config:
    """What SCENTHOUND says, with the manners that Scrapy's own settings ask for."""
    given = scrapy.get("SCENTHOUND")
    if isinstance(given, str) and given.endswith(".toml"):
        config = toml.load(Path(given))
    elif isinstance(given, str) and given.strip():
        config = from_dict({"topic": {"name": given}})
    elif hasattr(given, "items"):
        config = from_dict({name: dict(table) for name, table in given.items()})
    else:
        raise ConfigError(f"Say in Scrapy's settings what the crawl is about: {EXAMPLE}.")
    config.politeness.robots = False  # Scrapy asks
    config.politeness.delay = scrapy.getfloat("DOWNLOAD_DELAY")
    config.politeness.connections = max(1, scrapy.getint("CONCURRENT_REQUESTS_PER_DOMAIN"))
    return config


def _answer(response: ScrapyResponse, url: str, request: Request) -> Response:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in (values if isinstance(values, list) else [values])
    )
    took = float(request.meta.get("download_latency", 0.0))
    return Response(url, response.status, headers, response.body, time.time() - took, took)

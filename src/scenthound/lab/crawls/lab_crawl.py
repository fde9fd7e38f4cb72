"""Where a crawl of the lab takes place: the real engine and frontier, a web that holds still, and nothing kept.

    trace, spent = LabCrawler(open_web(spec)).crawl(settings, page_crawl_parts(settings, context))

It is put together as every crawl is, so the same settings make the same requests here and from the command line. The
library of such a crawl is in memory, without texts, since all that the lab wants to know is in the steps it sees go by;
pages are parsed once and remembered, because ten strategies on one topic visit much the same pages, and so is what
follows from a page alone (`page_memo`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Container, Sequence
from operator import itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.config import Config, without_manners
from scenthound.crawler.assemble import assembled
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.lab.measures.trace import Request, Trace
from scenthound.lab.webs import Web
from scenthound.library import memory_library
from scenthound.model import Failed, Link, Page, Response, Step
from scenthound.page_memo import PageMemo
from scenthound.parse.safe_parse import parse_timed
from scenthound.protocols.library import Library

REMEMBERED = 800_000_000
"""Bytes of parsed pages, about, that a process keeps: some six thousand pages of 30 KB."""


class CrawlCost(Struct):
    """What a crawl took: CPU seconds by stage, and how many of its pages had been parsed for another crawl before."""

    seconds: dict[str, float] = field(default_factory=dict)
    parsed_before: int = 0
    ending: str = ""
    wall: float = 0.0


class CachingParser:
    """Parses a page the first time it is met. What that cost is charged to every crawl that visits the page."""

    def __init__(self, limit: int = REMEMBERED) -> None:
        self.memo = PageMemo(limit)  # holds the pages that are held here, and no others
        self.charged = 0.0
        self.hits = 0
        self._pages: BoundedCache[tuple[str, str], tuple[Page, float, int]] = BoundedCache(limit, weigh=itemgetter(2))

    def __call__(self, response: Response, language: str) -> Page:
        key = response.url, language
        kept = self._pages.use(key)
        if kept is not None:
            self.hits += 1
        else:
            page, seconds = parse_timed(response, language)
            kept = page, seconds, _size(response, page)
            self._pages.put(key, kept)
        self.charged += kept[1]
        self.memo.introduce(kept[0], kept[2])
        return kept[0]


def _size(response: Response, page: Page) -> int:
    """Roughly what a page takes in memory, as measured: text is held twice (whole and in blocks), links are small."""
    return 3 * len(response.body) + 400 * len(page.links) + 2000


class LabFetcher:
    """A web as the engine sees it: one request at a time, answered at once, timed."""

    parallel = 1
    recorded = True

    def __init__(self, answer: Callable[[Link], Response | Failed]) -> None:
        self._answer = answer
        self.seconds = 0.0

    async def __call__(self, link: Link) -> Response | Failed:
        started = time.thread_time()
        answer = self._answer(link)
        self.seconds += time.thread_time() - started
        return answer

    async def close(self) -> None:
        pass


class LabCrawler:
    """One web, and the pages of it that were parsed."""

    fetches_by: type[LabFetcher] = LabFetcher

    def __init__(self, web: Web, *, remembered: int = REMEMBERED) -> None:
        self.web = web
        self.parse = CachingParser(remembered)
        self.memo = self.parse.memo

    def page(self, url: str, language: str, hops: int = 3) -> Page | None:
        """A page outside any crawl: an example, or one the evaluation holds against a crawl."""
        answer = self.web.answer(Link(url=url))
        if not isinstance(answer, Response):
            return None
        if 300 <= answer.status < 400:
            target = urls.Base(url).resolve(answer.header("location"))
            return self.page(target, language, hops - 1) if isinstance(target, str) and hops else None
        return self.parse(answer, language)

    def crawl(
        self,
        config: Config,
        parts: CrawlParts,
        *,
        library: Library | None = None,
        observers: Sequence[Callable[[Step], None]] = (),
    ) -> tuple[Trace, CrawlCost]:
        """A crawl from the seeds to the end of its budget. Without a library, storing is not part of it."""
        with self.memo.opened():
            return asyncio.run(self._crawl(config, parts, library, observers))

    async def _crawl(
        self,
        config: Config,
        parts: CrawlParts,
        library: Library | None,
        observers: Sequence[Callable[[Step], None]],
    ) -> tuple[Trace, CrawlCost]:
        fetcher, requests = self.fetches_by(self.web.answer), list[Request]()
        parser, given = self.parse, frozenset(parts.examples)
        async with assembled(
            _with_room_for(given, config),
            library if library is not None else memory_library(texts=False, answers=False),
            fetcher=fetcher,
            clock=standing_still,
            observers=[lambda step: _note(step, requests, given), *observers],
            parts=replace(parts, parse=parser),
        ) as crawl:
            watch, charged, hits, spared = _StopWatch(), parser.charged, parser.hits, dict(self.memo.spared)
            ending = await crawl.run()
            seconds = watch.cpu_of(crawl.seconds) | {"fetch": fetcher.seconds, "parse": parser.charged - charged}
            for stage in seconds:
                seconds[stage] += self.memo.spared.get(stage, 0.0) - spared.get(stage, 0.0)
            if library is None:
                del seconds["store"]
            else:
                seconds["store"] += watch.other_threads()
            cost = CrawlCost(seconds, parser.hits - hits, ending, watch.wall())
        trace = Trace(
            requests=tuple(requests),
            budget=config.crawl.pages,
            seconds={stage: (spent,) for stage, spent in seconds.items()},
        )
        return trace, cost


class _StopWatch:
    """Tells CPU time from time that passed while another process had the core."""

    def __init__(self) -> None:
        self._wall, self._thread, self._process = time.perf_counter(), time.thread_time(), time.process_time()

    def wall(self) -> float:
        return time.perf_counter() - self._wall

    def cpu_of(self, seconds: dict[str, float]) -> dict[str, float]:
        """The engine times its stages by the wall clock; the share of it that was ours is theirs, too."""
        share = min(1.0, (time.thread_time() - self._thread) / max(self.wall(), 1e-9))
        return {stage: spent * share for stage, spent in seconds.items()}

    def other_threads(self) -> float:
        """CPU seconds outside this thread: a library writes in one of its own."""
        return max(0.0, (time.process_time() - self._process) - (time.thread_time() - self._thread))


def lab_settings(config: Config) -> Config:
    """The settings as a web that holds still needs them: no manners, and nothing asked twice."""
    return replace(
        config,
        politeness=without_manners(config.politeness),
        fetch=replace(config.fetch, retries=0),
    )


def _with_room_for(given: Collection[str], config: Config) -> Config:
    """What was shown beforehand costs nothing of the budget of a strategy that starts from it."""
    crawl, more = config.crawl, len(given)
    pages, requests = (budget + more if budget else 0 for budget in (crawl.pages, crawl.requests))
    return replace(config, crawl=replace(crawl, pages=pages, requests=requests))


def _note(step: Step, requests: list[Request], given: Container[str]) -> None:
    if step.state == "waiting" or step.state == "refused":
        return  # seeds being added, or a link that was never asked for
    if step.lease.link.url in given:
        return
    answer, visit = step.response, step.visit
    requests.append(
        Request(
            url=step.lease.link.url,
            ok=step.state == "fetched",
            bytes=(answer.wire or len(answer.body)) if answer is not None else 0,
            relevance=visit.relevance if visit is not None else 0.0,
            depth=step.lease.depth,
        )
    )


def standing_still() -> float:
    """The clock of a web that holds still."""
    return 0.0

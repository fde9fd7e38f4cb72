"""Where a crawl of the lab takes place: the real engine and frontier, a web that holds still, and nothing kept.

    trace, spent = LabCrawler(open_web(spec)).crawl(settings, topic, strategy, judge)

The library of such a crawl is a `Forgetful` one, since all that the lab wants to know is in the steps it sees go by;
pages are parsed once and remembered, because ten strategies on one topic visit much the same pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.config import Config, without_manners
from scenthound.crawl.answer_digest import PageDigest
from scenthound.crawl.engine import Crawl
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.lab.measures.trace import Request, Trace
from scenthound.lab.webs import Web
from scenthound.model import Failed, Link, Page, Response, Step, Waiting
from scenthound.parse.page import parse
from scenthound.protocols.crawl import Judge, Strategy
from scenthound.protocols.library import Library
from scenthound.protocols.records import HostQueue
from scenthound.scope.scope import Scope

REMEMBERED = 800_000_000
"""Bytes of parsed pages, about, that a process keeps: some six thousand pages of 30 KB."""


class CrawlCost(Struct):
    """What a crawl took: CPU seconds by stage, and how many of its pages had been parsed for another crawl before."""

    seconds: dict[str, float] = field(default_factory=dict)
    parsed_before: int = 0
    ending: str = ""
    wall: float = 0.0


class Forgetful:
    """A library that keeps nothing; the frontier holds all that waits, and the lab watches the steps."""

    def record(self, step: Step) -> None:
        pass

    def flush(self) -> None:
        pass

    def start_run(self, config: str) -> None:
        pass

    def end_run(self, reason: str, counters: Mapping[str, float] | None = None) -> None:
        pass

    def waiting(self, host: str, limit: int) -> Sequence[Waiting]:
        return []

    def queues(self) -> Iterable[HostQueue]:
        return []

    def known(self) -> Iterable[tuple[int, bool]]:
        return []

    def next_order(self) -> int:
        return 0


class CachingParser:
    """Parses a page the first time it is met. What that cost is charged to every crawl that visits the page."""

    def __init__(self, limit: int = REMEMBERED) -> None:
        self.charged = 0.0
        self.hits = 0
        self._pages: BoundedCache[tuple[str, str], tuple[Page, float, int]] = BoundedCache(limit, weigh=itemgetter(2))

    def __call__(self, response: Response, language: str) -> Page:
        key = response.url, language
        kept = self._pages.use(key)
        if kept is not None:
            self.hits += 1
        else:
            started = time.thread_time()
            page = parse(response, language)
            kept = page, time.thread_time() - started, _size(response, page)
            self._pages.put(key, kept)
        self.charged += kept[1]
        return kept[0]


def _size(response: Response, page: Page) -> int:
    """Roughly what a page takes in memory, as measured: text is held twice (whole and in blocks), links are small."""
    return 3 * len(response.body) + 400 * len(page.links) + 2000


class LabFetcher:
    """A web as the engine sees it: one request at a time, answered at once, timed."""

    parallel = 1

    def __init__(self, web: Web) -> None:
        self._web = web
        self.seconds = 0.0

    async def __call__(self, link: Link) -> Response | Failed:
        started = time.thread_time()
        answer = self._web.answer(link)
        self.seconds += time.thread_time() - started
        return answer

    async def close(self) -> None:
        pass


class LabCrawler:
    """One web, and the pages of it that were parsed."""

    def __init__(self, web: Web, *, remembered: int = REMEMBERED) -> None:
        self.web = web
        self.parse = CachingParser(remembered)

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
        strategy: Strategy,
        judge: Judge,
        *,
        library: Library | None = None,
        observers: Sequence[Callable[[Step], None]] = (),
    ) -> tuple[Trace, CrawlCost]:
        """A crawl from the seeds to the end of its budget. Without a library, storing is not part of it."""
        return asyncio.run(self._crawl(config, strategy, judge, library, observers))

    async def _crawl(
        self,
        config: Config,
        strategy: Strategy,
        judge: Judge,
        library: Library | None,
        observers: Sequence[Callable[[Step], None]],
    ) -> tuple[Trace, CrawlCost]:
        fetcher, requests = LabFetcher(self.web), list[Request]()
        frontier = self._frontier(config, strategy, library)
        digest = PageDigest(
            config,
            strategy=strategy,
            judge=judge,
            frontier=frontier,
            scope=Scope(config.scope.allow, config.scope.deny, config.crawl.depth),
            clock=_standing_still,
            parse=self.parse,
        )
        crawl = Crawl(
            config,
            digest=digest,
            frontier=frontier,
            fetcher=fetcher,
            library=library or Forgetful(),
            clock=_standing_still,
            observers=[lambda step: _note(step, requests), *observers],
        )
        parser, watch = self.parse, _StopWatch()
        charged, hits = parser.charged, parser.hits
        crawl.add_seeds(config.crawl.seeds)
        ending = await crawl.run()
        seconds = watch.cpu_of(crawl.seconds) | {"fetch": fetcher.seconds, "parse": parser.charged - charged}
        if library is None:
            del seconds["store"]
        else:
            seconds["store"] += watch.other_threads()
        trace = Trace(
            requests=tuple(requests),
            budget=config.crawl.pages,
            seconds={stage: (spent,) for stage, spent in seconds.items()},
        )
        return trace, CrawlCost(seconds, parser.hits - hits, ending, watch.wall())

    def _frontier(self, config: Config, strategy: Any, library: Library | None) -> PoliteFrontier:
        rules: dict[str, Any] = {
            "host_pages": config.scope.host_pages,
            "limit": config.crawl.frontier_limit,
            "merge": getattr(strategy, "merge", "max"),
            "gives_up": getattr(strategy, "gives_up", None),
        }
        if library is None:
            return PoliteFrontier(None, config.politeness, **rules)
        return PoliteFrontier.resume(library, _standing_still(), config.politeness, **rules)


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


def _note(step: Step, requests: list[Request]) -> None:
    if step.state == "waiting" or step.state == "refused":
        return  # seeds being added, or a link that was never asked for
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


def _standing_still() -> float:
    return 0.0

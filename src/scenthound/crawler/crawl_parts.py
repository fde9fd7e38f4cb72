"""The parts of a crawl, and the one place that puts them together: who else needs a crawl comes here for it.

Most come by way of `assemble`, which makes the parts as the settings say and opens the library.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.answer_digest import AnswerDigest, PageDigest, Parser
from scenthound.crawler.budget import Ending, Tally
from scenthound.crawler.coverage.coverage_watch import CoverageWatch
from scenthound.crawler.engine import Crawl
from scenthound.crawler.feeds_and_sitemaps import FeedsAndSitemaps
from scenthound.crawler.form_questions import FormQuestions
from scenthound.crawler.mirrors import Mirrors
from scenthound.crawler.part_requests import PartRequests
from scenthound.crawler.steady_clock import pacing_for
from scenthound.crawler.topic_update import TopicUpdate
from scenthound.crawler.trap_watch import TrapWatch
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Step, Waiting
from scenthound.parse.parser_pool import ParserPool
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import AsksForParts, Clock, Fetcher, Frontier, GivesUp, Judge, Rescores, Strategy
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library, Recorder
from scenthound.scope.scope import Scope
from scenthound.text.near_duplicates import NearDuplicates

T = TypeVar("T")

REMEMBERED_VISITS = 20_000
"""How many of the last visits teach mirrors again after a restart, and traps where nothing was kept of them."""


class CrawlParts(Struct, frozen=True):
    """What makes a crawl the kind it is.

    `around` gets the polite frontier and may put another one around it. `digest` gets what says of answers what they
    mean for a crawl for pages, and may put another around that.
    """

    strategy: Strategy
    judge: Judge
    scope: Scope
    denies: Callable[[str], str | None] | None = None  # says of a URL whose turn has come why it is not asked after all
    topic_update: TopicUpdate | None = None  # of the topic, from pages found
    around: Callable[[PoliteFrontier, Library], Frontier] = lambda frontier, library: frontier
    filled: bool = False  # the frontier's memory at once, though the strategy does not rescore
    digest: Callable[[PageDigest, PoliteFrontier, Library], AnswerDigest] = lambda pages, *parts: pages
    judge_relives: bool = False  # pages keep the judgements they came with: after a restart the judge sees each again
    enough: Callable[[], Ending | None] | None = None  # says why the crawl has what it wants, once it has
    parse: Parser = parse_safely  # another one does all the work itself: no process helps it
    traps: TrapWatch | None = None  # else one is made as the settings say
    examples: tuple[str, ...] = ()  # pages of the topic's examples that the crawl starts from, as from its seeds


def put_together(
    config: Config,
    parts: CrawlParts,
    library: Library,
    fetcher: Fetcher,
    *,
    clock: Clock = time.time,
    pacing: Clock | None = None,
    observers: Sequence[Callable[[Step], None]] = (),
    parser_pool: ParserPool | None = None,
    starts: Sequence[str] = (),
) -> Crawl:
    """The crawl that goes on where the last one into this library stopped.

    Its seeds, the `starts`, are yet to be added where they are new.
    """
    config.check()
    strategy, pacing = parts.strategy, pacing or pacing_for(clock)
    near = NearDuplicates()
    for fingerprint, url in library.simhashes():
        near.add(fingerprint, url)
    counts, hosts = library.counts(), library.hosts()
    traps = parts.traps or TrapWatch.of(config, library.folder, clock)
    mirrors = Mirrors() if config.scope.mirrors else None
    _relive_figures(library, counts.fetched, traps if traps is not None and not traps.goes_on else None, mirrors)
    polite = PoliteFrontier.resume(
        library,
        pacing(),
        politeness=config.politeness,
        host_pages=config.scope.host_pages,
        limit=config.crawl.frontier_limit,
        merge=getattr(strategy, "merge", "max"),
        pages={row.host: row.pages for row in hosts},
        delays={row.host: row.delay for row in hosts},
        near=map(urls.host, starts),
        denies=_either(_either(traps.refuses if traps else None, mirrors.refuses if mirrors else None), parts.denies),
        gives_up=_either(traps.gives_up if traps else None, lambda waiting: _given_up(pages.strategy, waiting)),
        filled=parts.filled or hook(strategy, Rescores) is not None,
    )
    frontier = parts.around(polite, library)
    pages = PageDigest(
        config,
        strategy=strategy,
        judge=parts.judge,
        frontier=frontier,
        scope=parts.scope,
        feeds_and_sitemaps=FeedsAndSitemaps(config.crawl.feeds, config.crawl.sitemaps),
        traps=traps,
        mirrors=mirrors,
        forms=FormQuestions(config.make_topic()) if config.crawl.forms else None,
        near=near,
        tally=Tally(pages=counts.fetched, relevant=counts.relevant),
        clock=clock,
        pacing=pacing,
        parse=parts.parse,
    )
    if (asks := hook(fetcher, AsksForParts)) is not None:
        asks.ask_through(PartRequests(config, polite.side_requests, pacing))
    if parser_pool is not None:
        parser_pool.read_for(parts.judge)
    digest = parts.digest(pages, polite, library)
    coverage = CoverageWatch(config, library, polite) if config.crawl.until and digest is pages else None
    crawl = Crawl(
        config,
        digest=digest,
        frontier=frontier,
        fetcher=fetcher,
        library=library,
        clock=clock,
        pacing=pacing,
        observers=[*observers, *(each for each in (parts.topic_update, coverage) if each is not None)],
        enough=parts.enough or (coverage.enough if coverage is not None else None),
        unread=(link.url for link in library.failed("robots")),
        parser_pool=parser_pool if parts.parse is parse_safely else None,
    )
    if coverage is not None:
        crawl.coverage, coverage.moved = coverage, crawl.take_moved
    return crawl


def _relive_figures(library: Library, fetched: int, traps: TrapWatch | None, mirrors: Mirrors | None) -> None:
    """What the last pages taught when they came, once more."""
    if traps is None and mirrors is None:
        return
    for stored in library.pages(after=max(0, fetched - REMEMBERED_VISITS)):
        if traps is not None:
            traps.relive_figures(stored)
        if mirrors is not None:
            mirrors.learn(stored.url, stored.duplicate_of, words=bool(stored.simhash))


@contextmanager
def noted_run(crawl: Crawl, library: Recorder) -> Iterator[None]:
    """Has the library note that a crawl begins, under which settings, and why it ended."""
    pages_before = crawl.tally.pages
    library.start_run(msgspec.json.encode(crawl.config).decode())
    try:
        yield
    finally:
        looks = {"looks": crawl.tally.looks} if crawl.tally.looks else {}
        held = {"held": float(links)} if (links := sum(crawl.held().values())) else {}
        counters = {"pages": crawl.tally.pages - pages_before, **looks, **held, **crawl.tally.scripts.counters()}
        library.end_run(crawl.ending or "crashed", counters)


def _given_up(strategy: Strategy, waiting: Waiting) -> str | None:
    giver = hook(strategy, GivesUp)
    return giver.gives_up(waiting) if giver is not None else None


def _either(
    first: Callable[[T], str | None] | None, second: Callable[[T], str | None] | None
) -> Callable[[T], str | None] | None:
    if first is None or second is None:
        return first or second
    return lambda asked: first(asked) or second(asked)

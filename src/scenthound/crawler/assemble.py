"""From settings to a crawl that is ready to run: the one place that knows which class plays which part.

async with assembled(config, folder) as crawl:
    ending = await crawl.run()
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scenthound import registry, urls
from scenthound.config import Config
from scenthound.crawler import examples
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.context import build, make_context
from scenthound.crawler.crawl_judgements import CrawlJudgements, JudgedCrawl, show_read_back
from scenthound.crawler.crawl_parts import CrawlParts, noted_run, put_together
from scenthound.crawler.crawl_snapshots import CrawlSnapshots, learn_again, made_with, relive_since
from scenthound.crawler.engine import Crawl
from scenthound.crawler.kept_pages import KeptPages
from scenthound.crawler.labels_on_the_way import LabelsOnTheWay
from scenthound.crawler.link_filter import LinkFilter
from scenthound.crawler.present_judge import present_context
from scenthound.crawler.rank_again import rank_all_again
from scenthound.crawler.topic_update import TopicUpdate
from scenthound.crawler.trap_watch import TrapWatch
from scenthound.errors import ConfigError
from scenthound.fetch.fetcher_for import fetcher_for, settings_for
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.in_language import in_languages
from scenthound.judges.labelled import LabelledJudge, labels_of
from scenthound.library import open_library
from scenthound.library.run_settings import last_settings
from scenthound.library.stored_pages import redirects_to, visits
from scenthound.model import Link, Step
from scenthound.parse.document import checked_formats
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import (
    Clock,
    Context,
    Fetcher,
    HearsMisses,
    HearsMoves,
    Judge,
    Learns,
    Progress,
    Strategy,
    Watches,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import CutFile
from scenthound.scope.conditions import Condition
from scenthound.scope.scope import Scope

__all__ = [
    "assembled",
    "build",
    "canonical_seeds",
    "make_context",
    "make_scope",
    "page_crawl_parts",
    "replay_visits",
    "strategy_entry",
]


def page_crawl_parts(config: Config, context: Context, strategy: Strategy | None = None) -> CrawlParts:
    """A crawl for pages: strategy and judge as the settings name them. `strategy`: one that is there already."""
    judge = context.judge or crawl_judge(config, context)
    context = replace(context, judge=judge)
    strategy = strategy or build(registry.strategy, strategy_entry(config), context)
    every = config.crawl.rebuild_topic
    topic_update = TopicUpdate(every, context, strategy, judge) if every > 0 else None
    scope = make_scope(config)
    return CrawlParts(
        strategy, judge, scope, topic_update=topic_update, examples=_start_examples(config, context, strategy, scope)
    )


def _start_examples(config: Config, context: Context, strategy: Strategy, scope: Scope) -> tuple[str, ...]:
    """Those that lie on the web, where the strategy wants to start from them and the scope lets it."""
    if not getattr(strategy, "from_examples", False):
        return ()
    seeds = set(canonical_seeds(config.crawl.seeds))
    links = [Link(url=page.url, kind="seed") for page in context.examples if page.url not in seeds]
    return tuple(link.url for link in links if urls.host(link.url) and scope.refuses(link, 0) is None)


def crawl_judge(config: Config, context: Context) -> Judge:
    """As the settings name it; what was said of pages goes before its word."""
    judge = in_languages(build(registry.judge, config.crawl.judge, context), config.scope.languages)
    return LabelledJudge(judge, labels_of(context))


@asynccontextmanager
async def assembled(
    config: Config,
    place: Path | Library,
    *,
    fetcher: Fetcher | None = None,
    clock: Clock = time.time,
    observers: Sequence[Callable[[Step], None]] = (),
    parts: CrawlParts | Callable[[Config, Context], CrawlParts] = page_crawl_parts,
    reliving: Progress | None = None,
    judgements: CrawlJudgements | None = None,
    on_cut: Callable[[CutFile], None] | None = None,
    may_be_empty: bool = False,
) -> AsyncIterator[Crawl]:
    """Yields the crawl that goes on where the last one stopped.

    | parameter | meaning |
    |---|---|
    | `place` | a folder, in which the library is opened or made; or a library that is open, and stays so |
    | `fetcher` | who answers; the one the settings name, where none is given. It is closed at the end |
    | `parts` | what kind of crawl it is: ready, or made from settings and context |
    | `reliving` | is told how far a strategy is that has to relive what was visited, or the last part of it |
    | `on_cut` | is told of WARC files that had lost their end; they are mended where somebody hears of it |
    | `may_be_empty` | nothing need wait yet: others may bring links |
    | `judgements` | judges stored pages again where that is due; without it they keep the judgements they have |
    """
    seeds = canonical_seeds(config.crawl.seeds)
    fetcher = fetcher or fetcher_for(config, clock=clock)
    config = settings_for(fetcher, config)
    parser_pool = ParserPool.of(config.crawl.parsers)
    folder = place if isinstance(place, Path) else place.folder
    try:
        with ExitStack() as stack:
            library: Library
            if isinstance(place, Path):
                library = stack.enter_context(open_library(place, create=True, settings=config.library))
            else:
                library = place
            again = _mended(library, on_cut) if on_cut is not None else 0
            found, judged, snapshots = examples.ExamplePages(), None, None
            if isinstance(parts, CrawlParts):
                replay_visits(parts, library, config, reliving)
            else:
                found = await examples.load(config, folder, fetcher, clock)
                kept = KeptPages(config, library.counts().fetched)
                judged = JudgedCrawl(config, library, found, parts, parser_pool, kept=kept)
                observers = observers if judgements is None else [*observers, kept]
                parts, snapshots = await taken_up(judged, judgements, reliving, clock)
            crawl = put_together(
                config,
                parts,
                library,
                fetcher,
                clock=clock,
                observers=observers,
                parser_pool=parser_pool,
                starts=[*seeds, *parts.examples],
            )
            crawl.tally.pages -= again  # they come once more, and count then
            for host, until in found.free_at.items():
                crawl.frontier.rest(host, until)
            starts = _new_seeds(seeds, library) + _new_examples(parts.examples, library)
            crawl.at_hand = {url: found.answers[url] for url in starts if url in found.answers}
            crawl.add_seeds(starts)
            if not len(crawl.frontier) and not crawl.tally.pages and not may_be_empty:
                raise ConfigError(
                    "There is nowhere to start: give a --seed URL. To have some looked for: scenthound seeds"
                )
            if snapshots is not None and type(crawl.digest) is PageDigest:  # others may be ahead of what is recorded
                crawl.observers = [*crawl.observers, snapshots]
                if not crawl.tally.pages:
                    snapshots.begin()
                if judged is not None and judgements is not None:
                    _heed_labels(crawl, judged, judgements, snapshots)
            with noted_run(crawl, library):
                yield crawl
                if snapshots is not None:
                    snapshots.take()
    finally:
        await parser_pool.close()
        await fetcher.close()


async def taken_up(
    crawl: JudgedCrawl,
    judgements: CrawlJudgements | None = None,
    reliving: Progress | None = None,
    clock: Clock = time.time,
) -> tuple[CrawlParts, CrawlSnapshots]:
    """Strategy and judge as the last crawl left them: by what was kept of them, or by reliving every page."""
    config, library = crawl.config, crawl.library
    context = present_context(config, library, crawl.examples)
    parts = replace(crawl.make_parts(config, context), traps=TrapWatch.of(config, library.folder, clock))
    snapshots = CrawlSnapshots(library, parts, made_with(config, library, crawl.examples))
    last = snapshots.restore() if judgements is None or judgements.waits(crawl) else None
    if last is not None:
        relive_since(parts, library, config, last, reliving)
        return parts, snapshots
    if parts.judge_relives:
        replay_visits(parts, library, config, reliving)
        return parts, snapshots
    await show_read_back(parts.judge, context, crawl)
    judged = judgements is not None and await judgements.before(crawl, parts)
    crawl.read.clear()
    if not judged and parts.topic_update is None and _another_ranked(config, library):
        rank_all_again(config, parts.strategy, parts.scope, library, reliving)
    elif not judged:
        replay_visits(parts, library, config, reliving)
    snapshots.hurry()
    return parts, snapshots


def _another_ranked(config: Config, library: Library) -> bool:
    """Whether the links that wait have their priorities from another strategy than these settings name."""
    if not library.counts().fetched or not library.runs():
        return False
    return strategy_entry(last_settings(library)) != strategy_entry(config)


def _heed_labels(crawl: Crawl, judged: JudgedCrawl, judgements: CrawlJudgements, snapshots: CrawlSnapshots) -> None:
    """Lets labels that are set while it runs change its course."""
    digest, frontier, rebuilt = crawl.digest, crawl.frontier, crawl.config.crawl.rebuild_topic
    if isinstance(digest, PageDigest) and isinstance(frontier, PoliteFrontier) and not rebuilt:
        heeding = LabelsOnTheWay(
            digest, frontier, judged, snapshots, on_judged=judgements.on_judged, on_moved=crawl.take_moved
        )
        crawl.beside, crawl.retopic = heeding.watch, heeding.change_topic
        crawl.look_at_labels, crawl.judging_again = heeding.look, heeding.progress


def _mended(library: Library, on_cut: Callable[[CutFile], None]) -> int:
    """Mends WARC files that had lost their end; how many stored pages wait again because of it."""
    cut_files = library.mend_archive()
    for cut in cut_files:
        on_cut(cut)
    return sum(cut.pages for cut in cut_files)


def canonical_seeds(seeds: Sequence[str]) -> list[str]:
    """Seeds in canonical form; `example.org/x` is taken as https. A seed that is no URL is the user's error."""
    found = []
    for seed in seeds:
        url = urls.canonical(seed if "://" in seed else f"https://{seed}")
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"The seed {seed!r} is no usable URL: {url.reason}.")
        found.append(url)
    return found


def _new_seeds(seeds: Sequence[str], library: Library) -> list[str]:
    """Those that the last crawl did not have. The others are visited or wait, by now perhaps behind better links."""
    before = set(canonical_seeds(last_settings(library).crawl.seeds)) if library.runs() else set()
    rows = {seed: library.url_row(seed) for seed in seeds if seed in before}
    return [seed for seed in seeds if (row := rows.get(seed)) is None or row.state == "refused"]


def _new_examples(examples: Sequence[str], library: Library) -> list[str]:
    """Those that no crawl into the library has met."""
    return [url for url in examples if not library.runs() or library.url_row(url) is None]


def strategy_entry(config: Config) -> str | dict[str, Any]:
    """The strategy as the settings name it, in a tunneller's hands if they say so."""
    if not config.crawl.tunnel:
        return config.crawl.strategy
    return {"name": "tunnelling", "strategy": config.crawl.strategy, **config.crawl.tunnel}


def make_scope(config: Config, *, first: Sequence[Condition] = (), also: Sequence[Condition] = ()) -> Scope:
    """The user's scope, and what a kind of crawl demands before it and after it."""
    rules, depth, language = config.scope, config.crawl.depth, config.topic.language
    want = checked_formats(rules.want)
    return Scope(
        rules.allow,
        rules.deny,
        depth,
        language,
        rules.html_only,
        first=first,
        also=also,
        want=want,
        languages=rules.languages,
    )


def replay_visits(parts: CrawlParts, library: Library, config: Config, progress: Progress | None = None) -> None:
    """Lets a strategy that learns go once more through all visits, so that it knows what it knew before a restart.

    Where the topic is rebuilt from pages found, that is relived, too, in the same order; and so is what the judge has
    seen, where the parts say so.
    """
    strategy, topic_update = parts.strategy, parts.topic_update
    if (hearer := hook(strategy, HearsMisses)) is not None:
        for link in library.failed():
            if link.kind != "robots":
                hearer.missed(link)
    watcher = hook(parts.judge, Watches) if parts.judge_relives else None
    if hook(strategy, Learns) is None and topic_update is None and watcher is None:
        return
    links, whole = LinkFilter(config, parts.scope), library.counts().fetched
    follower = hook(strategy, HearsMoves)
    for done, each in enumerate(visits(library, config.topic.language, whole=True)):
        if progress is not None:
            progress(done, whole)
        if watcher is not None:
            parts.judge(each.visit.page)  # it may have something to learn before it speaks
            watcher.saw(each.visit.page)
        if follower is not None:
            for link, target in redirects_to(library, each.visit.link):
                follower.moved(link, target)
        learn_again(strategy, each.visit, each.hops, links)
        if topic_update is not None:
            topic_update.saw(each.visit, duplicate=bool(each.stored.duplicate_of))

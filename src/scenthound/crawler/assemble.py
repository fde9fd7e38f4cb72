"""From settings to a crawl that is ready to run: the one place that knows which class plays which part.

async with assembled(config, folder) as crawl:
    ending = await crawl.run()
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from scenthound import registry, urls
from scenthound.config import Config, named
from scenthound.crawler import examples
from scenthound.crawler.crawl_parts import CrawlParts, noted_run, put_together
from scenthound.crawler.engine import Crawl
from scenthound.crawler.topic_update import TopicUpdate
from scenthound.errors import ConfigError
from scenthound.fetch.fetcher_for import fetcher_for, settings_for
from scenthound.learn import model_file
from scenthound.library import open_library
from scenthound.library.stored_pages import visits
from scenthound.model import Page, Step
from scenthound.ontology import open_ontology
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import (
    Begins,
    Clock,
    Context,
    Fetcher,
    HearsMisses,
    Idf,
    Learns,
    Progress,
    Strategy,
    Trains,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.scope.conditions import Condition
from scenthound.scope.scope import Scope
from scenthound.text import idf


def page_crawl_parts(config: Config, context: Context, strategy: Strategy | None = None) -> CrawlParts:
    """A crawl for pages: strategy and judge as the settings name them. `strategy`: one that is there already."""
    strategy = strategy or build(registry.strategy, strategy_entry(config), context)
    judge = build(registry.judge, config.crawl.judge, context)
    every = config.crawl.rebuild_topic
    topic_update = TopicUpdate(every, context, strategy, judge) if every > 0 else None
    return CrawlParts(strategy, judge, make_scope(config), topic_update=topic_update)


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
) -> AsyncIterator[Crawl]:
    """Yields the crawl that goes on where the last one stopped.

    | parameter | meaning |
    |---|---|
    | `place` | a folder, in which the library is opened or made; or a library that is open, and stays so |
    | `fetcher` | who answers; the one the settings name, where none is given. It is closed at the end |
    | `parts` | what kind of crawl it is: ready, or made from settings and context |
    | `reliving` | is told how far a strategy is that has to relive what was visited |
    """
    seeds = canonical_seeds(config.crawl.seeds)
    fetcher = fetcher or fetcher_for(config, clock=clock)
    config = settings_for(fetcher, config)
    parser_pool = ParserPool(None if config.crawl.parsers < 0 else config.crawl.parsers)
    folder = place if isinstance(place, Path) else place.folder
    try:
        with ExitStack() as stack:
            library: Library
            if isinstance(place, Path):
                library = stack.enter_context(open_library(place, create=True, settings=config.library))
            else:
                library = place
            found = examples.ExamplePages()
            if not isinstance(parts, CrawlParts):
                found = await examples.load(config, folder, fetcher, clock)
                context = make_context(config, found.relevant, found.irrelevant, folder=folder or Path())
                parts = parts(config, context)
            replay_visits(parts.strategy, library, config.topic.language, parts.topic_update, reliving)
            crawl = put_together(
                config, parts, library, fetcher, clock=clock, observers=observers, parser_pool=parser_pool
            )
            for host, until in found.free_at.items():
                crawl.frontier.rest(host, until)
            crawl.add_seeds(seeds)
            if not len(crawl.frontier) and not crawl.tally.pages:
                raise ConfigError("There is nowhere to start: give a --seed URL, or seeds = [...] under [crawl].")
            with noted_run(crawl, library):
                yield crawl
    finally:
        await parser_pool.close()
        await fetcher.close()


def canonical_seeds(seeds: Sequence[str]) -> list[str]:
    """Seeds in canonical form; `example.org/x` is taken as https. A seed that is no URL is the user's error."""
    found = []
    for seed in seeds:
        url = urls.canonical(seed if "://" in seed else f"https://{seed}")
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"The seed {seed!r} is no usable URL: {url.reason}.")
        found.append(url)
    return found


def make_context(
    config: Config, relevant: tuple[Page, ...] = (), irrelevant: tuple[Page, ...] = (), folder: Path = Path()
) -> Context:
    """What a strategy may know. Files that the topic names are looked for in the folder, then where we stand."""
    topic = config.make_topic()
    if not topic.keywords and not relevant:
        raise ConfigError("The topic is empty: give it a name, keywords, or example pages.")
    return Context(
        topic=topic,
        idf=_idf(config, relevant + irrelevant),
        random=Random(config.crawl.random_seed),
        examples=relevant,
        counterexamples=irrelevant,
        ontology=open_ontology.beside(config.topic.ontology, folder),
        models=folder / model_file.FOLDER if folder != Path() else None,
    )


def _idf(config: Config, pages: Sequence[Page]) -> Idf:
    source = config.crawl.idf
    if source == "background":
        return idf.background(config.topic.language)
    if source == "none":
        return idf.none()
    if source == "examples":
        if not pages:
            raise ConfigError('idf = "examples" needs example pages: give examples = [...] under [topic].')
        return idf.trained([page.terms for page in pages])
    raise ConfigError(f"idf = {source!r} is unknown; it is one of: background, examples, none.")


def build(kind: registry.Registry, entry: str | dict[str, Any], context: Context) -> Any:
    """A strategy or judge by its name and parameters, taught if it must be, and introduced to what it may know."""
    name, params = named(entry, kind.noun)
    made = kind.build(name, params)
    _load_or_train(name, made, context)
    if (beginner := hook(made, Begins)) is not None:
        beginner.begin(context)
    return made


def _load_or_train(name: str, made: Any, context: Context) -> None:
    """Gives a strategy that learns ahead of the crawl what it learned before, or else the lessons.

    Where there is neither it is left as it is: some can do without, and the others say so when they begin.
    """
    if isinstance(inner := getattr(made, "strategy", None), (str, dict)):  # one that goes around another
        _load_or_train(named(inner, "strategy")[0], getattr(made, "inner_", None), context)
    if (pupil := hook(made, Trains)) is None or model_file.is_trained(made):
        return
    kept = model_file.path_of(context.models, name, made) if context.models else None
    if kept is not None and kept.exists():
        model_file.load(kept, name, made)
    elif context.lessons is not None:
        pupil.train(context)


def strategy_entry(config: Config) -> str | dict[str, Any]:
    """The strategy as the settings name it, in a tunneller's hands if they say so."""
    if not config.crawl.tunnel:
        return config.crawl.strategy
    return {"name": "tunnelling", "strategy": config.crawl.strategy, **config.crawl.tunnel}


def make_scope(config: Config, *, first: Sequence[Condition] = (), also: Sequence[Condition] = ()) -> Scope:
    """The user's scope, and what a kind of crawl demands before it and after it."""
    rules, depth, language = config.scope, config.crawl.depth, config.topic.language
    return Scope(rules.allow, rules.deny, depth, language, rules.html_only, first=first, also=also)


def replay_visits(
    strategy: Any,
    library: Library,
    language: str,
    topic_update: TopicUpdate | None = None,
    progress: Progress | None = None,
) -> None:
    """Lets a strategy that learns go once more through all visits, so that it knows what it knew before a restart.

    Where the topic is rebuilt from pages found, that is relived, too, in the same order.
    """
    if (hearer := hook(strategy, HearsMisses)) is not None:
        for link in library.failed():
            hearer.missed(link)
    learner = hook(strategy, Learns)
    if learner is None and topic_update is None:
        return
    whole = library.counts().fetched
    for done, each in enumerate(visits(library, language, whole=True)):
        if progress is not None:
            progress(done, whole)
        if learner is not None:
            learner.learn(each.visit)
        if topic_update is not None:
            topic_update.saw(each.visit, duplicate=bool(each.stored.duplicate_of))

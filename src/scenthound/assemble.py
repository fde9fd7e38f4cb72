"""From settings to a crawl that is ready to run: the one place that knows which class plays which part.

async with assembled(config, folder) as crawl:
    ending = await crawl.run()
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import examples, registry, urls
from scenthound.config import Config, named
from scenthound.engine import Crawl, Tally
from scenthound.errors import ConfigError
from scenthound.fetch.http import HttpFetcher
from scenthound.frontier.polite import PoliteFrontier
from scenthound.learn import model_file
from scenthound.library.folder import SqliteLibrary
from scenthound.listings import Listings
from scenthound.model import Page, Step, Visit
from scenthound.ontology import choosing
from scenthound.parse.page import parse
from scenthound.parse.processes import Crew
from scenthound.protocols import Clock, Fetcher, Frontier, Ground, Idf, Judge, Progress, Strategy
from scenthound.rebuilding import Rebuilding
from scenthound.scope.scope import Scope
from scenthound.text import idf
from scenthound.text.near_duplicates import NearDuplicates
from scenthound.traps import Traps

REMEMBERED_VISITS = 20_000
"""How many of the last visits teach the traps again after a restart."""


class Outfit(Struct, frozen=True):
    """What makes a crawl the kind it is. `around` gets the polite frontier and may put another one around it."""

    strategy: Strategy
    judge: Judge
    scope: Scope
    denies: Callable[[str], str | None] | None = None  # says of a URL whose turn has come why it is not asked after all
    rebuilding: Rebuilding | None = None  # of the topic, from pages found
    around: Callable[[PoliteFrontier, SqliteLibrary], Frontier] = lambda frontier, library: frontier


def page_outfit(config: Config, ground: Ground) -> Outfit:
    """A crawl for pages: strategy and judge as the settings name them."""
    strategy = build(registry.strategy, strategy_entry(config), ground)
    judge = build(registry.judge, config.crawl.judge, ground)
    every = config.crawl.rebuild_topic
    rebuilding = Rebuilding(every, ground, strategy, judge) if every > 0 else None
    return Outfit(strategy, judge, make_scope(config), rebuilding=rebuilding)


@asynccontextmanager
async def assembled(
    config: Config,
    folder: Path,
    *,
    fetcher: Fetcher | None = None,
    clock: Clock = time.time,
    observers: Sequence[Callable[[Step], None]] = (),
    outfit: Callable[[Config, Ground], Outfit] = page_outfit,
    kind: type[Crawl] = Crawl,
    shelves: type[SqliteLibrary] = SqliteLibrary,
    reliving: Progress | None = None,
) -> AsyncIterator[Crawl]:
    """Opens or makes the library in `folder` and yields the crawl that goes on where the last one stopped.

    `kind` and `shelves`: for a crawl and a library that can do more. `reliving` is told how far a strategy is that has
    to relive what was visited.
    """
    seeds = canonical_seeds(config.crawl.seeds)
    fetcher = fetcher or HttpFetcher(config.fetch, config.politeness, clock=clock)
    crew = Crew(None if config.crawl.parsers < 0 else config.crawl.parsers)
    try:
        with shelves.open(folder, create=True, settings=config.library) as library:
            ground = make_ground(config, *await examples.load(config, folder, fetcher), folder=folder)
            fitted = outfit(config, ground)
            relive(fitted.strategy, library, config.topic.language, fitted.rebuilding, reliving)
            crawl = _crawl(config, fitted, library, fetcher, crew, clock, observers, kind)
            crawl.sow(seeds)
            if not len(crawl.frontier) and not crawl.tally.pages:
                raise ConfigError("There is nowhere to start: give a --seed URL, or seeds = [...] under [crawl].")
            pages_before = crawl.tally.pages
            library.start_run(msgspec.json.encode(config).decode())
            try:
                yield crawl
            finally:
                looks = {"looks": crawl.tally.looks} if crawl.tally.looks else {}
                library.end_run(crawl.ending or "crashed", {"pages": crawl.tally.pages - pages_before} | looks)
    finally:
        await crew.close()
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


def make_ground(
    config: Config, relevant: tuple[Page, ...] = (), irrelevant: tuple[Page, ...] = (), folder: Path = Path()
) -> Ground:
    """What a strategy may know. Files that the topic names are looked for in the folder, then where we stand."""
    topic = config.make_topic()
    if not topic.keywords and not relevant:
        raise ConfigError("The topic is empty: give it a name, keywords, or example pages.")
    return Ground(
        topic=topic,
        idf=_idf(config, relevant + irrelevant),
        random=Random(config.crawl.random_seed),
        examples=relevant,
        counterexamples=irrelevant,
        ontology=choosing.beside(config.topic.ontology, folder),
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


def build(kind: registry.Registry, entry: str | dict[str, Any], ground: Ground) -> Any:
    """A strategy or judge by its name and parameters, taught if it must be, and introduced to what it may know."""
    name, params = named(entry, kind.noun)
    made = kind.build(name, params)
    _teach(name, made, ground)
    if (begin := getattr(made, "begin", None)) is not None:
        begin(ground)
    return made


def _teach(name: str, made: Any, ground: Ground) -> None:
    """Gives a strategy that learns ahead of the crawl what it learned before, or else the lessons.

    Where there is neither it is left as it is: some can do without, and the others say so when they begin.
    """
    if isinstance(inner := getattr(made, "strategy", None), (str, dict)):  # one that goes around another
        _teach(named(inner, "strategy")[0], getattr(made, "inner_", None), ground)
    if not hasattr(made, "train") or model_file.is_trained(made):
        return
    kept = model_file.path_of(ground.models, name, made) if ground.models else None
    if kept is not None and kept.exists():
        model_file.load(kept, name, made)
    elif ground.lessons is not None:
        made.train(ground)


def strategy_entry(config: Config) -> str | dict[str, Any]:
    """The strategy as the settings name it, in a tunneller's hands if they say so."""
    if not config.crawl.tunnel:
        return config.crawl.strategy
    return {"name": "tunnelling", "strategy": config.crawl.strategy, **config.crawl.tunnel}


def make_scope(config: Config) -> Scope:
    rules = config.scope
    return Scope(rules.allow, rules.deny, config.crawl.depth, config.topic.language, rules.html_only)


def relive(
    strategy: Any,
    library: SqliteLibrary,
    language: str,
    rebuilding: Rebuilding | None = None,
    progress: Progress | None = None,
) -> None:
    """Lets a strategy that learns go once more through all visits, so that it knows what it knew before a restart.

    Where the topic is rebuilt from pages found, that is relived, too, in the same order.
    """
    if (missed := getattr(strategy, "missed", None)) is not None:
        for link in library.failed():
            missed(link)
    learn = getattr(strategy, "learn", None)
    if learn is None and rebuilding is None:
        return
    whole = library.counts().fetched
    for done, stored in enumerate(library.pages()):
        if progress is not None:
            progress(done, whole)
        response, row = library.body(stored.url), library.url_row(stored.url)
        if response is not None and row is not None:
            page = parse(response, language)
            visit = Visit(row.link, page, stored.relevance, stored.relevant, row.depth, row.memory)
            if learn is not None:
                learn(visit)
            if rebuilding is not None:
                rebuilding.saw(visit, duplicate=bool(stored.duplicate_of))


def _crawl(
    config: Config,
    outfit: Outfit,
    library: SqliteLibrary,
    fetcher: Fetcher,
    crew: Crew,
    clock: Clock,
    observers: Sequence[Callable[[Step], None]],
    kind: type[Crawl],
) -> Crawl:
    strategy = outfit.strategy
    near = NearDuplicates()
    for fingerprint, url in library.simhashes():
        near.add(fingerprint, url)
    counts, hosts = library.counts(), library.hosts()
    traps = Traps(clock) if config.scope.traps else None
    if traps is not None:
        for stored in library.pages(after=max(0, counts.fetched - REMEMBERED_VISITS)):
            traps.learn(stored.url, duplicate=bool(stored.duplicate_of), relevant=stored.relevant)
    frontier = PoliteFrontier.resume(
        library,
        clock(),
        politeness=config.politeness,
        host_pages=config.scope.host_pages,
        limit=config.crawl.frontier_limit,
        merge=getattr(strategy, "merge", "max"),
        pages={row.host: row.pages for row in hosts},
        delays={row.host: row.delay for row in hosts},
        denies=_either(traps.refuses if traps else None, outfit.denies),
        gives_up=getattr(strategy, "gives_up", None),
    )
    return kind(
        config,
        strategy=strategy,
        judge=outfit.judge,
        frontier=outfit.around(frontier, library),
        fetcher=fetcher,
        library=library,
        scope=outfit.scope,
        listings=Listings(config.crawl.feeds, config.crawl.sitemaps),
        traps=traps,
        seen_before=near,
        tally=Tally(pages=counts.fetched, relevant=counts.relevant),
        clock=clock,
        observers=[*observers, outfit.rebuilding] if outfit.rebuilding is not None else observers,
        crew=crew if crew.size else None,
    )


def _either(
    first: Callable[[str], str | None] | None, second: Callable[[str], str | None] | None
) -> Callable[[str], str | None] | None:
    if first is None or second is None:
        return first or second
    return lambda url: first(url) or second(url)

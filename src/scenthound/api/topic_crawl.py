"""A crawl in a script or a notebook: `scenthound.crawl(...)`.

    crawl = scenthound.crawl("dengue fever", seeds=["https://example.org"], pages=200)
    for page in crawl:                      # or: async for page in crawl
        print(f"{page.relevance:.2f} {page.title}")
    crawl.plot()

It runs in a thread of its own while the loop's body does its work. Whoever leaves the loop stops the crawl; whoever
begins another one goes on with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scenthound.api.background import BackgroundWork
from scenthound.api.open_library import OpenLibrary
from scenthound.api.picture import Picture
from scenthound.api.progress_display import progress_display
from scenthound.app.crawl import CrawlSession, check_plan
from scenthound.app.crawl_plan import (
    CRAWLS,
    CrawlOptions,
    CrawlPlan,
    apply_options,
    folder_name,
    plan_crawl,
    start_or_go_on,
)
from scenthound.app.demo import plan_demo
from scenthound.app.events import Event, Listener, Summary, Visited
from scenthound.blas_threads import one_blas_thread
from scenthound.config import Config, WeightedTerm
from scenthound.errors import UsageError
from scenthound.model import Topic
from scenthound.report.formatting import plural

StrPath = str | PathLike[str]


def crawl(
    topic: str | PathLike[str] | Topic | Config,
    *,
    seeds: Sequence[str] = (),
    into: StrPath | None = None,
    pages: int | None = None,
    minutes: float | None = None,
    until: Sequence[str] = (),
    confidence: float | None = None,
    host_pages: int | None = None,
    examples: Sequence[str] = (),
    language: str | None = None,
    strategy: str | dict[str, Any] | None = None,
    judge: str | None = None,
    threshold: float | None = None,
    allow: str | None = None,
    deny: str | None = None,
    delay: float | None = None,
    parallel: int | None = None,
    contact: str | None = None,
    allow_private: bool = False,
    replay: Sequence[StrPath] = (),
    random_seed: int | None = None,
    demo: bool = False,
    progress: bool | None = None,
) -> TopicCrawl:
    """A crawl about a topic, ready to run; nothing is asked of anybody yet.

    `topic`: words or a sentence, a `Topic`, a whole `Config`, or the path of a library or a `topic.toml` to go on with.
    `into`: the library's folder, ./crawls/<topic> by default. `strategy`: a name, or a dict of its name and parameters.
    `replay`: WARC files to crawl in place of the live web; `demo`: a built-in web. `progress`: None shows it in
    notebooks and terminals only. The others are the options of `scenthound crawl`, and mean the same.

    What cannot work is refused here, before anything is made on the disk.
    """
    for name, given in (("seeds", seeds), ("examples", examples), ("replay", replay), ("until", until)):
        if isinstance(given, (str, bytes)):
            raise UsageError(f"{name} takes a list, even of one: {name}=[{given!r}]")
    params = dict(strategy) if isinstance(strategy, dict) else {}
    options = CrawlOptions(
        seeds=list(seeds),
        examples=list(examples),
        language=language,
        into=Path(into) if into is not None else None,
        pages=pages,
        minutes=minutes,
        until=list(until),
        confidence=confidence,
        host_pages=host_pages,
        strategy=params.pop("name", None) if isinstance(strategy, dict) else strategy,
        judge=judge,
        threshold=threshold,
        allow=allow,
        deny=deny,
        delay=delay,
        parallel=parallel,
        contact=contact,
        allow_private=allow_private,
        replay=[Path(path) for path in replay],
        random_seed=random_seed,
    )
    plan = _with_params(plan_demo(str(topic), options) if demo else _plan(topic, options), params)
    check_plan(plan)
    return TopicCrawl(plan, progress)


def _plan(topic: str | PathLike[str] | Topic | Config, options: CrawlOptions) -> CrawlPlan:
    if isinstance(topic, (str, PathLike)):
        return plan_crawl(str(topic), options)
    if isinstance(topic, Topic):
        topic = _settings(topic)
    if not isinstance(topic, Config):
        raise UsageError(f"A topic is words, a Topic, a Config or a path, not a {type(topic).__name__}.")
    folder = options.into or CRAWLS / (folder_name(topic.topic.name) or "crawl")
    return start_or_go_on(folder, apply_options(topic, options), options)


def _settings(topic: Topic) -> Config:
    settings = Config()
    settings.topic.name = topic.name
    settings.topic.language = topic.language
    settings.topic.keywords = [WeightedTerm(keyword.term, keyword.weight) for keyword in topic.keywords]
    return settings


def _with_params(plan: CrawlPlan, params: dict[str, Any]) -> CrawlPlan:
    """Parameters of the strategy as values, which the options of a command line can only spell."""
    if not params:
        return plan

    def applied(config: Config) -> Config:
        entry = config.crawl.strategy
        named = dict(entry) if isinstance(entry, dict) else {"name": entry}
        return replace(config, crawl=replace(config.crawl, strategy=named | params))

    return replace(plan, config=applied(plan.config), keep=applied(plan.keep) if plan.keep is not None else None)


class TopicCrawl:
    """A crawl and what came of it so far. Made by `scenthound.crawl`."""

    def __init__(self, plan: CrawlPlan, progress: bool | None = None) -> None:
        self.plan = plan
        self.summary: Summary | None = None  # once it has ended
        self._progress = progress
        self._session: CrawlSession | None = None
        self._work: BackgroundWork[Event] | None = None

    @property
    def folder(self) -> Path:
        """Where its library is."""
        return self.plan.folder

    @property
    def library(self) -> OpenLibrary:
        """What it has brought home, also while it runs. To be closed, or used in a `with`."""
        return OpenLibrary(self.folder)

    def run(self) -> Summary:
        """Crawls to the end, and says what came of it."""
        for _ in self.events():
            pass
        assert self.summary is not None
        return self.summary

    def __iter__(self) -> Iterator[Visited]:
        """Pages as they arrive."""
        return (event for event in self.events() if isinstance(event, Visited))

    async def __aiter__(self) -> AsyncIterator[Visited]:
        async with aclosing(self.events_async()) as events:
            async for event in events:
                if isinstance(event, Visited):
                    yield event

    def events(self) -> Iterator[Event]:
        """All that happens: see `scenthound.app.events`."""
        work = self._start()
        try:
            yield from work
        finally:
            self.stop()
            work.join()
            self._work = None

    async def events_async(self) -> AsyncGenerator[Event, None]:
        """The same, in a program that has an event loop."""
        work = self._start()
        try:
            async for event in work:
                yield event
        finally:
            self.stop()
            await asyncio.to_thread(work.join)
            self._work = None

    def stop(self) -> None:
        """Ends it at a clean point: what is under way is finished. From any thread; at any time."""
        if self._work is not None and self._session is not None:
            self._work.call(self._session.stop)

    def plot(self) -> Picture:
        """The harvest curve of the library: relevant pages over pages fetched."""
        with self.library as library:
            return library.plot()

    def _start(self) -> BackgroundWork[Event]:
        if self._work is not None:
            raise UsageError("This crawl is running already. Leave the other loop first, or make another crawl.")
        session = self._session = CrawlSession(self.plan)
        session.listeners.append(progress_display(self._progress, session.progress, self.plan))

        async def work(tell: Listener) -> None:
            session.listeners.append(tell)
            with one_blas_thread():
                self.summary = (await session.run()).summary

        self._work = BackgroundWork(work, f"scenthound crawl {self.folder}")
        return self._work

    def __repr__(self) -> str:
        topic = self.plan.config.topic.name or "by example"
        if self.summary is None:
            return f"<crawl about {topic!r} into {self.folder}>"
        told = self.summary
        return f"<crawl about {topic!r}: {plural(told.pages, 'page')}, {told.relevant:,} relevant, in {self.folder}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

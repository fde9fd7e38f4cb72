"""One crawl from start to end, for whoever wants one: the command line, a notebook, a dashboard.

    session = CrawlSession(plan_crawl("dengue fever", CrawlOptions(seeds=["https://example.org"])))
    async for event in session.events():
        ...
    print(session.outcome)

or, with listeners in place of the loop, `outcome = await CrawlSession(plan, listeners=[...]).run()`. To do something
between the moment at which the library is open and the first request, enter the session: `async with session: ...`.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from types import TracebackType

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from scenthound import registry
from scenthound.app import demo
from scenthound.app.crawl_plan import SETTINGS, CrawlPlan
from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import (
    ArchiveCut,
    CoverageFigures,
    Event,
    Judged,
    Judging,
    Learned,
    Listener,
    Stopped,
    Summary,
    TopicUnderstood,
    observer,
)
from scenthound.app.first_pages import FirstPages, note_language
from scenthound.app.judge import write_settings
from scenthound.app.out_of_reach import seed_troubles
from scenthound.app.settings_file import mark_seeds
from scenthound.config import Config, named
from scenthound.crawler.assemble import (
    assembled,
    build,
    canonical_seeds,
    make_context,
    make_scope,
    page_crawl_parts,
    strategy_entry,
)
from scenthound.crawler.budget import Ending, stop_reason
from scenthound.crawler.coverage.stop_rules import read_rules
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.engine import Crawl
from scenthound.crawler.examples import entries
from scenthound.crawler.judge_again import JudgedPages
from scenthound.crawler.topic_update import TopicUpdate
from scenthound.errors import ConfigError
from scenthound.library import is_library, library_at
from scenthound.model import Step, Topic
from scenthound.protocols.crawl import Context, Fetcher, Progress
from scenthound.protocols.library import Library
from scenthound.protocols.records import CutFile
from scenthound.report.failure_words import in_words

MakeParts = Callable[[Config, Context], CrawlParts]

QUICKLY_JUDGED = 2_000
"""Pages up to which a crawl that somebody stops is still judged again at its end, which takes a few seconds."""

TOLD_EVERY = 1.0  # seconds


class CrawlOutcome(Struct, frozen=True):
    """How a crawl ended."""

    summary: Summary
    hurried: bool = False  # what was under way when it was stopped was given up

    @property
    def ending(self) -> Ending:
        return self.summary.ending


def check_plan(plan: CrawlPlan) -> None:
    """Refuses what cannot work before anything is made on the disk."""
    if not _starts_from_examples(plan):
        check_seeds(plan)
    check_parts(plan)


def check_parts(plan: CrawlPlan) -> None:
    settings = plan.config
    for kind, entry in ((registry.strategy, strategy_entry(settings)), (registry.judge, settings.crawl.judge)):
        if settings.topic.examples or is_library(plan.folder):  # it takes their pages, and labelled ones, to tell more
            kind.build(*named(entry, kind.noun))
        else:
            build(kind, entry, make_context(settings, folder=plan.folder))
    make_scope(settings)
    read_rules(settings.crawl.until)


def check_seeds(plan: CrawlPlan) -> None:
    if not canonical_seeds(plan.config.crawl.seeds) and not is_library(plan.folder):
        raise ConfigError(f"There is nowhere to start: give a --seed URL, or {_where_to_begin(plan)}")


def _starts_from_examples(plan: CrawlPlan) -> bool:
    strategy = registry.strategy.build(*named(strategy_entry(plan.config), registry.strategy.noun))
    if not getattr(strategy, "from_examples", False):
        return False
    return any(isinstance(entry, str) for entry in entries(plan.config.topic.examples, plan.folder))


def _where_to_begin(plan: CrawlPlan) -> str:
    """How to get at a page to start from, as a command."""
    if recorded := plan.config.fetch.recorded:
        return f"see which pages the recording has: scenthound look {shlex.quote(recorded[0])}"
    folder, name = shlex.quote(str(plan.folder)), plan.config.topic.name
    words = f"{shlex.quote(name)} " if name and plan.there is None else ""
    return f"have some looked for: scenthound seeds {words}--into {folder}"


class CrawlSession:
    """A crawl that can be run, listened to and stopped.

    `listeners` hear every event, `observers` every step with all that it brought. `library` stands in for the plan's
    folder, on which nothing is written then, and `fetcher` for the web that the settings name; `parts` make it another
    kind of crawl. Before the first request, `judging` is told how far it is with judging stored pages again, and
    `reliving` how far a strategy is that has to learn again what it knew.
    """

    def __init__(
        self,
        plan: CrawlPlan,
        *,
        listeners: Sequence[Listener] = (),
        observers: Sequence[Callable[[Step], None]] = (),
        library: Library | None = None,
        fetcher: Fetcher | None = None,
        parts: MakeParts = page_crawl_parts,
        reliving: Progress | None = None,
        judging: Progress | None = None,
    ) -> None:
        self.plan = plan
        self.progress = CrawlProgress()
        self.listeners: list[Listener] = [self.progress, *listeners]
        self.observers = observers
        self.outcome: CrawlOutcome | None = None
        self.crawl: Crawl | None = None  # once the library is open
        self._library = library
        self._fetcher = fetcher
        self._parts = parts
        self._reliving = reliving
        self._judging = judging
        self._judging_told = 0.0
        self._judgements: CrawlJudgements | None = None
        if parts is page_crawl_parts:
            self._judgements = CrawlJudgements(progress=self._judge_on, on_judged=self._tell_judged)
        self._relived = 0  # pages
        self._topic_update: TopicUpdate | None = None
        self._stopping = self._hurried = False
        self._began = time.time()
        self._opened = AsyncExitStack()
        settles = fetcher is None and parts is page_crawl_parts
        self._first_pages = FirstPages(plan, self.tell, self._end_crawl if settles else None)
        self._running: asyncio.Task[CrawlOutcome] | None = None  # what `events` tells of

    # From start to end

    async def __aenter__(self) -> CrawlSession:
        if self._parts is page_crawl_parts:
            check = check_plan if self._library is None else check_parts  # a library may have links to go on with
            check(self.plan)
        async with AsyncExitStack() as opening:
            config, self._topic_update = self.plan.config, None
            fetcher = self._fetcher
            if fetcher is None and config.fetch.demo:
                fetcher = await opening.enter_async_context(demo.fetching(config))
            crawl = await opening.enter_async_context(
                assembled(
                    config,
                    self._library or self.plan.folder,
                    fetcher=fetcher,
                    observers=[observer(self.tell), self._first_pages, *self.observers],
                    parts=self._make_parts,
                    reliving=self._relive,
                    judgements=self._judgements,
                    on_cut=self._tell_cut,
                )
            )
            self._begin(crawl)
            self._opened = opening.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end_events()
        await self._opened.__aexit__(kind, error, trace)

    async def run(self) -> CrawlOutcome:
        """Crawls until a budget is used up, no link is left, or somebody stops it."""
        if self.outcome is not None:
            raise RuntimeError("This crawl has ended. To go on, make another session with the same plan.")
        if self.crawl is None:
            async with self:
                return await self.run()
        ending = await self.crawl.run()
        if (language := self._first_pages.language) and not self._stopping:
            ending = await (await self._reopened(language)).run()
        await self._judge_at_the_end(self.crawl)
        summary = self._summary(ending, self.crawl)
        self.outcome = CrawlOutcome(summary, self._hurried)
        self.tell(
            Stopped(
                ending,
                pages=summary.pages,
                new_pages=summary.new_pages,
                relevant=summary.relevant,
                failed=summary.failed,
                waiting=summary.waiting,
                seconds=summary.seconds,
                reason=summary.reason,
            )
        )
        return self.outcome

    async def _reopened(self, language: str) -> Crawl:
        """The crawl, which goes on with a topic of another language: what is stored is judged anew by it."""
        await self._opened.aclose()
        config = self.plan.config
        self.plan = replace(self.plan, config=replace(config, topic=replace(config.topic, language=language)))
        if self._library is None:
            note_language(self.plan.folder, language)
        await self.__aenter__()
        assert self.crawl is not None
        return self.crawl

    def _end_crawl(self) -> None:
        if self.crawl is not None:
            self.crawl.stop(ending="language")

    async def events(self) -> AsyncGenerator[Event, None]:
        """Crawls, and yields what happens as it happens. Who leaves the loop early stops the crawl."""
        waiting: asyncio.Queue[Event | None] = asyncio.Queue()
        self.listeners.append(waiting.put_nowait)
        self._running = running = asyncio.create_task(self.run())
        running.add_done_callback(lambda _: waiting.put_nowait(None))
        try:
            while (event := await waiting.get()) is not None:
                yield event
            await running
        finally:
            self.listeners.remove(waiting.put_nowait)
            await self._end_events()

    async def _end_events(self) -> None:
        """Where somebody has left the loop over the events, the crawl is still running."""
        running = self._running
        if running is not None and not running.done() and running is not asyncio.current_task():
            self.stop(now=True)
            await asyncio.gather(running, return_exceptions=True)

    def stop(self, *, now: bool = False) -> None:
        """Ends it at a clean point. What is under way is finished, or, with `now`, given up and asked again later."""
        self._stopping = True
        self._hurried |= now
        if self.crawl is not None:
            self.crawl.stop(now=now)

    @property
    def stopping(self) -> bool:
        return self._stopping

    def change_settings(self, config: Config) -> None:
        """Budget, threshold and parallelism, while it runs. A threshold is noted in topic.toml, as `judge` does."""
        if self.crawl is None:
            raise RuntimeError("This crawl has not begun.")
        before = self.plan.config
        self.plan = replace(self.plan, config=config)
        self.crawl.change_settings(config)
        if self._judgements is not None:
            self._judgements.change_settings(config)
        if self._library is None:
            write_settings(self.plan.folder, before, config)

    def change_topic(self, config: Config) -> str:
        """Goes on by another topic, which is in topic.toml already. Says why it cannot; empty: it does."""
        if self.crawl is None:
            raise RuntimeError("This crawl has not begun.")
        self.plan = replace(self.plan, config=config)
        self.crawl.change_settings(config)
        if self._judgements is not None:
            self._judgements.change_settings(config)
        if self.crawl.retopic is None:
            return "This crawl makes its topic of what it finds: the change counts from the next crawl on."
        self.crawl.retopic(config)
        return ""

    # What happens

    def tell(self, event: Event) -> None:
        for listener in tuple(self.listeners):
            listener(event)

    def _begin(self, crawl: Crawl) -> None:
        again, self.crawl = self.crawl is not None, crawl
        if self._library is None:
            self.plan.write()
        self.progress.attach(crawl)
        self._first_pages.begin(crawl.tally.pages, crawl.tally.relevant)
        if not again and (words := self.plan.words) is not None and words.worth_telling():
            self.tell(TopicUnderstood(words.name, words.language, words.weights(), words.not_meant))
        if self._relived:
            self.tell(Learned("strategy", named(crawl.config.crawl.strategy, "strategy")[0], self._relived))
        if self._topic_update is not None:
            self._topic_update.on_update = self._topic_changed
        if self._stopping:
            crawl.stop(now=self._hurried)

    def _make_parts(self, config: Config, context: Context) -> CrawlParts:
        parts = self._parts(config, context)
        if self._topic_update is None:  # others are made where pages are judged again
            self._topic_update = parts.topic_update
        return parts

    def _tell_cut(self, cut: CutFile) -> None:
        self.tell(ArchiveCut(cut.name, cut.missing, cut.answers, cut.pages))

    def _relive(self, done: int, whole: int) -> None:
        self._relived = done + 1
        if self._reliving is not None:
            self._reliving(done, whole)

    async def _judge_at_the_end(self, crawl: Crawl) -> None:
        """Has a judge that learned on the way say of all pages what it says now. Ctrl-C leaves it for next time."""
        stopped = self._stopping
        if self._judgements is None or self._hurried or (stopped and crawl.tally.pages > QUICKLY_JUDGED):
            return
        self._judgements.stopping = lambda: self._hurried or (self._stopping and not stopped)
        judged = await self._judgements.after()
        if judged is not None and judged.finished:
            crawl.tally.relevant = judged.relevant

    def _judge_on(self, done: int, whole: int) -> None:
        if self._judging is not None and self.crawl is None:
            self._judging(done, whole)
        now = time.monotonic()
        if now - self._judging_told >= TOLD_EVERY:
            if self._judging_told:
                self.tell(Judging(done, whole))
            self._judging_told = now

    def _tell_judged(self, judged: JudgedPages, because: list[str]) -> None:
        self._judging_told = 0.0
        self.tell(
            Judged(
                pages=judged.pages + judged.unread,
                changed=judged.changed,
                relevant_before=judged.relevant_before,
                relevant=judged.relevant,
                came_in=judged.came_in,
                went_out=judged.went_out,
                links=judged.ranked,
                because=tuple(because),
                finished=judged.finished,
            )
        )

    def _topic_changed(self, topic: Topic) -> None:
        found = self._topic_update.found if self._topic_update is not None else 0
        self.tell(Learned("topic", topic.name, found, tuple(keyword.term for keyword in topic.keywords)))

    def _summary(self, ending: Ending, crawl: Crawl) -> Summary:
        progress, settings, tally = self.progress, self.plan.config, crawl.tally
        return Summary(
            topic=settings.topic.name,
            strategy=named(settings.crawl.strategy, "strategy")[0],
            folder=str(self.plan.folder),
            ending=ending,
            reason=stop_reason(ending),
            seconds=round(progress.elapsed, 3),
            pages=tally.pages,
            new_pages=progress.pages,
            relevant=tally.relevant,
            harvest=round(tally.relevant / tally.pages, 6) if tally.pages else 0.0,
            duplicates=tally.duplicates,
            requests=tally.requests,
            bytes=tally.bytes,
            waiting=len(crawl.frontier),
            failed=sum(progress.troubles.values()),
            failures=dict(progress.troubles.most_common()),
            hosts=len(progress.hosts),
            topic_absent=self._first_pages.end() or UNSET,
            seeds_failed=self._failed_seeds(),
            held=crawl.held(),
            coverage=_coverage(crawl),
            scripts=tally.scripts if tally.scripts.counters() else UNSET,
        )

    def _failed_seeds(self) -> dict[str, str]:
        """Seeds that this run asked for in vain, and why. Those that never answered are marked in topic.toml, too."""
        seeds = self.plan.config.crawl.seeds
        if self._library is not None:
            return {trouble.seed: trouble.cause for trouble in seed_troubles(self._library, seeds, self._began)}
        with library_at(self.plan.folder) as library:
            troubles = seed_troubles(library, seeds)
        mark_seeds(self.plan.folder / SETTINGS, {trouble.seed: in_words(trouble.cause) for trouble in troubles})
        return {trouble.seed: trouble.cause for trouble in troubles if trouble.at >= self._began}


def _coverage(crawl: Crawl) -> CoverageFigures | UnsetType:
    if crawl.coverage is None or not crawl.coverage.rules.recall:
        return UNSET
    found = crawl.coverage.estimate()
    recall, low, high, missing = (round(value, 4) for value in (found.recall, found.low, found.high, found.missing))
    return CoverageFigures(recall, low, high, found.confidence, missing, found.draws, found.unknown)

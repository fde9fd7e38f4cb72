"""One crawl from start to end, as a person runs it: watched, stoppable, on the fastest loop there is.

Ctrl-C or SIGTERM once finishes what is under way and stops; twice gives that up too, and a third time is left
to the interpreter. Whatever happens, the library is left as after a clean end.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import shlex
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

from rich.console import Console

from scenthound import registry
from scenthound.cli.arguments import ProgressLine
from scenthound.cli.crawl_settings import DATABASE, CrawlPlan
from scenthound.cli.summary import CrawlOutcome, Style, sum_up
from scenthound.cli.views.lines import JsonLines, Output, PlainLines, Silence
from scenthound.cli.views.live import LiveView, Screen
from scenthound.cli.watch import CrawlWatch
from scenthound.config import named
from scenthound.crawl.assemble import assembled, build, canonical_seeds, make_context, make_scope, strategy_entry
from scenthound.errors import ConfigError
from scenthound.protocols.crawl import Fetcher
from scenthound.sites.site_list import write_whole_report

T = TypeVar("T")


class Stoppable(Protocol):
    """A crawl, or something that makes crawls."""

    def stop(self, *, now: bool = False) -> None: ...


class Interrupts:
    """What Ctrl-C does, first and second time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.count = 0
        self._crawl: Stoppable | None = None
        self._task: asyncio.Task[Any] | None = None

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        caught = []
        for number in (signal.SIGINT, signal.SIGTERM):
            # Neither Windows nor a thread other than the main one has signal handlers on the loop.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(number, self._caught)
                caught.append(number)
        try:
            yield
        finally:
            for number in caught:
                loop.remove_signal_handler(number)

    def guard(self, crawl: Stoppable) -> None:
        self._crawl = crawl

    def _caught(self) -> None:
        self.count += 1
        if self._crawl is None:
            if self._task is not None:
                self._task.cancel()
        elif self.count == 1:
            self.say("Stopping: finishing what is under way. Ctrl-C again stops at once.")
            self._crawl.stop()
        else:
            self._crawl.stop(now=True)
            asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)


def run_crawl(plan: CrawlPlan, style: Style) -> int:
    """`scenthound crawl TOPIC`: crawls as decided, sums up; returns the exit code."""
    check(plan)
    console = Console(highlight=False)
    outcome = run(crawl(plan, style, console))
    write_whole_report(plan.folder)
    sum_up(outcome, plan, style, console, f"scenthound crawl {shlex.quote(str(plan.folder))}")
    return outcome.exit_code


def check(plan: CrawlPlan) -> None:
    """Refuses what cannot work before anything is made on the disk."""
    settings = plan.config
    if not canonical_seeds(settings.crawl.seeds) and not (plan.folder / DATABASE).exists():
        raise ConfigError("There is nowhere to start: give a --seed URL, or seeds = [...] under [crawl] in topic.toml.")
    for kind, entry in ((registry.strategy, strategy_entry(settings)), (registry.judge, settings.crawl.judge)):
        if settings.topic.examples:  # it takes their pages to tell more
            kind.build(*named(entry, kind.noun))
        else:
            build(kind, entry, make_context(settings, folder=plan.folder))
    make_scope(settings)


async def crawl(plan: CrawlPlan, style: Style, console: Console, fetcher: Fetcher | None = None) -> CrawlOutcome:
    watch = CrawlWatch()
    view = make_view(style, watch, plan, console)
    interrupts = Interrupts(view.say)
    reliving = ProgressLine("Learning again from page")
    with interrupts.installed():
        async with assembled(
            plan.config, plan.folder, fetcher=fetcher, observers=[watch, view], reliving=reliving
        ) as crawl:
            reliving.end()
            plan.write()
            watch.attach(crawl)
            interrupts.guard(crawl)
            async with view:
                ending = await crawl.run()
            seconds, waiting = watch.elapsed, len(crawl.frontier)
    return CrawlOutcome(watch=watch, ending=ending, seconds=seconds, waiting=waiting, hurried=interrupts.count > 1)


def make_view(style: Style, watch: CrawlWatch, plan: CrawlPlan, console: Console) -> Silence:
    def stop() -> None:
        if watch.crawl is not None:
            watch.crawl.stop()

    if style == "live":
        return LiveView(console, Screen(watch, str(plan.folder)))
    if style == "plain":
        return PlainLines(watch, Output(sys.stdout, stop))
    return JsonLines(Output(sys.stdout, stop)) if style == "json" else Silence()


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on uvloop where that is installed. Ctrl-C before the crawl has begun is a KeyboardInterrupt."""
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        try:
            return runner.run(main)
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if importlib.util.find_spec("uvloop") is None:
        return None
    import uvloop

    return uvloop.new_event_loop

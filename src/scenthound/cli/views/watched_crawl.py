"""A crawl before a person's eyes: shown while it runs, stopped by Ctrl-C, summed up at its end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from scenthound.app import demo
from scenthound.app.crawl import CrawlOutcome, CrawlSession
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.event_loop import run
from scenthound.app.out_of_reach import nothing_fetched, some_seeds_failed
from scenthound.cli.interrupts import INTERRUPTED, Interrupts
from scenthound.cli.single_keys import heard_keys
from scenthound.cli.started_as import program
from scenthound.cli.views.crawl_keys import CrawlKeys
from scenthound.cli.views.crawl_summary import Style, sum_up
from scenthound.cli.views.dashboard import BrowserWindow
from scenthound.cli.views.lines import JsonLines, PlainLines, Silence
from scenthound.cli.views.live import LiveView
from scenthound.cli.views.live_screen import Screen
from scenthound.cli.views.output import Output
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.cli.views.topic import understood_text
from scenthound.sites.site_list import write_whole_report


def run_crawl(plan: CrawlPlan, style: Style, serve: bool = False) -> int:
    """Crawls as planned, sums up; returns the exit code. `serve`: it can be watched from a browser, too."""
    console = Console(highlight=False)
    outcome = run(watch_crawl(plan, style, console, serve=serve))
    write_whole_report(plan.folder)
    truth = demo.measure(plan) if plan.config.fetch.demo else None
    summary = outcome.summary
    if truth is not None:
        summary = replace(
            summary,
            targets=truth.targets,
            targets_fetched=truth.fetched,
            targets_found=truth.right,
            precision=round(truth.precision, 6),
            recall=round(truth.recall, 6),
            targets_fetched_breadth_first=truth.fetched_breadth_first,
        )
    onward = f"{program()} crawl {shlex.quote(str(plan.folder))}"
    sum_up(summary, plan, style, console, onward)
    if truth is not None and style in ("live", "plain"):
        console.print(_truth(truth, plan.config.topic.name), soft_wrap=True)
    if (trouble := nothing_fetched(summary, plan.folder, plan.config.crawl.seeds, onward)) is not None:
        raise trouble
    if outcome.hurried:
        return INTERRUPTED
    if (some := some_seeds_failed(summary, plan.config.crawl.seeds, onward)) is not None:
        raise some
    return 0


async def watch_crawl(plan: CrawlPlan, style: Style, console: Console, *, serve: bool = False) -> CrawlOutcome:
    reliving = ProgressLine("Learning again from page")
    judging = ProgressLine("Judging again page")
    session = CrawlSession(plan, reliving=reliving, judging=judging)
    view = make_view(style, session, console)
    session.listeners.append(view)
    window = BrowserWindow(session, console) if serve else nullcontext()
    interrupts = Interrupts(view.say)
    with interrupts.installed():
        async with session:
            reliving.end()
            judging.end()
            interrupts.guard(session)
            if plan.config.fetch.demo and style in ("live", "plain"):
                console.print(_introduction(plan))
            if plan.words is not None and plan.words.worth_telling() and style in ("live", "plain"):
                console.print(Text(understood_text(plan.words), "dim"), soft_wrap=True)
            async with window, view:
                with watched_keys(session, view, interrupts):
                    return await session.run()


@contextmanager
def watched_keys(session: CrawlSession, view: Silence, interrupts: Interrupts) -> Iterator[None]:
    """Where the live view is on a terminal, keys steer the crawl."""
    if not isinstance(view, LiveView):
        yield
        return
    keys = CrawlKeys(session, view.screen, interrupts.interrupt)

    def press(key: str) -> None:
        keys.press(key)
        view.draw()

    with heard_keys(press) as heard:
        view.screen.keys = heard
        yield


def make_view(style: Style, session: CrawlSession, console: Console) -> Silence:
    stop: Callable[[], None] = session.stop
    if style == "live":
        return LiveView(console, Screen(session.progress, str(session.plan.folder)))
    if style == "plain":
        return PlainLines(session.progress, Output(sys.stdout, stop))
    return JsonLines(Output(sys.stdout, stop)) if style == "json" else Silence()


def _introduction(plan: CrawlPlan) -> Text:
    return Text(
        f" A built-in web of {demo.PAGES:,} pages on {demo.HOSTS} hosts; "
        f"the hound is after {plan.config.topic.name!r}.\n",
        "dim",
    )


def _truth(truth: demo.DemoTruth, topic: str) -> Text:
    return Text.assemble(
        "\n The demo knows the truth. Of the ",
        (f"{truth.counted:,} relevant", "bold"),
        f" pages {truth.right:,} are about {topic} (",
        (f"precision {truth.precision:.2f}", "bold green"),
        f"), {truth.related:,} more have to do with it.\n",
        f" Of {truth.targets:,} pages about {topic} that there are, these {truth.right:,} were found (",
        (f"recall {truth.recall:.2f}", "bold green"),
        f"); {truth.fetched:,} were fetched.\n",
        (f" Following links as they come, breadth first, fetches {truth.fetched_breadth_first:,} of them", "dim"),
        (" in as many pages.", "dim"),
    )

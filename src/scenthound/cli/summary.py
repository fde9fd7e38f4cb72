"""What is said when a crawl has ended: one screen for people, one object for machines."""

from __future__ import annotations

import shlex
import sys
from typing import Any, Literal

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.text import Text

from scenthound.cli import library_status
from scenthound.cli.crawl_settings import CrawlPlan
from scenthound.cli.views.figures import plural
from scenthound.cli.views.lines import Output
from scenthound.cli.watch import CrawlWatch
from scenthound.config import named
from scenthound.crawl.engine import Ending
from scenthound.report.figures import ENDINGS, duration

Style = Literal["live", "plain", "json", "summary", "quiet"]

INTERRUPTED = 130
"""What a program returns that Ctrl-C ended, by the shell's convention."""


class CrawlOutcome(Struct, frozen=True):
    """How a crawl ended."""

    watch: CrawlWatch
    ending: Ending
    seconds: float
    waiting: int
    hurried: bool  # stopped by a second Ctrl-C

    @property
    def exit_code(self) -> int:
        return INTERRUPTED if self.hurried else 0


def sum_up(
    outcome: CrawlOutcome,
    plan: CrawlPlan,
    style: Style,
    console: Console,
    onward: str,
    extra: dict[str, Any] | None = None,
) -> None:
    """Tells what was found and how to go on; `extra` is told to machines besides."""
    if style in ("json", "summary"):
        event = summary_event(outcome, plan) | (extra or {})
        Output(sys.stdout, lambda: None).line(msgspec.json.encode(event).decode())
    elif style != "quiet":
        console.print(_headline(outcome))
        library_status.draw(library_status.read(plan.folder), console, runs=False)
        console.print()
        for line in _next_steps(outcome, plan, onward):
            console.print(line, soft_wrap=True)


def summary_event(outcome: CrawlOutcome, plan: CrawlPlan) -> dict[str, Any]:
    watch, settings = outcome.watch, plan.config
    tally = watch.crawl.tally if watch.crawl is not None else None
    pages, relevant = (tally.pages, tally.relevant) if tally is not None else (0, 0)
    return {
        "event": "summary",
        "topic": settings.topic.name,
        "strategy": named(settings.crawl.strategy, "strategy")[0],
        "folder": str(plan.folder),
        "ending": outcome.ending,
        "seconds": round(outcome.seconds, 3),
        "pages": pages,
        "new_pages": watch.pages,
        "relevant": relevant,
        "harvest": round(relevant / pages, 6) if pages else 0.0,
        "duplicates": tally.duplicates if tally is not None else 0,
        "requests": tally.requests if tally is not None else 0,
        "bytes": tally.bytes if tally is not None else 0,
        "waiting": outcome.waiting,
        "failed": sum(watch.troubles.values()),
        "failures": dict(watch.troubles.most_common()),
        "hosts": len(watch.hosts),
    }


def _headline(outcome: CrawlOutcome) -> Text:
    pages, why = outcome.watch.pages, ENDINGS.get(outcome.ending, outcome.ending)
    if not pages and outcome.ending == "pages":
        return Text(" Nothing to do: the library holds as many pages as were asked for.")
    took = f"{plural(pages, 'new page')} in {duration(outcome.seconds)}"
    speed = f" ({pages / outcome.seconds:.1f}/s)" if outcome.seconds >= 1 else ""
    return Text.assemble((f" {took}", "bold"), f"{speed}; {why}.")


def _next_steps(outcome: CrawlOutcome, plan: CrawlPlan, onward: str) -> list[Text]:
    budget = f" --pages {max(2 * plan.config.crawl.pages, 100)}" if outcome.ending == "pages" else ""
    if outcome.ending == "frontier empty":
        budget = " --seed URL"
    library = Text.assemble((" The library is in ", "dim"), (str(plan.folder), "bold"))
    if outcome.waiting:
        library.append(f"; {plural(outcome.waiting, 'link')} in it wait to be followed", "dim")
    return [
        library,
        Text.assemble(("   to go on   ", "dim"), f"{onward}{budget}"),
        Text.assemble(("   to look in ", "dim"), f"scenthound search {shlex.quote(str(plan.folder))} WORDS"),
        Text.assemble(("   a report   ", "dim"), str(plan.folder / "report.html")),
    ]

"""What is said when a crawl has ended: one screen for people, one object for machines."""

from __future__ import annotations

import shlex
import sys
from typing import Literal

from msgspec import UNSET
from rich.console import Console
from rich.text import Text

from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.events import Summary, encode
from scenthound.app.library_status import read_status
from scenthound.cli.started_as import program
from scenthound.cli.views.library_status import draw
from scenthound.cli.views.output import Output
from scenthound.report.failure_words import kind_in_words
from scenthound.report.formatting import duration, ending_words, plural

Style = Literal["live", "plain", "json", "summary", "quiet"]


def sum_up(summary: Summary, plan: CrawlPlan, style: Style, console: Console, onward: str) -> None:
    """Tells what was found and how to go on."""
    if style in ("json", "summary"):
        Output(sys.stdout, lambda: None).line(encode(summary).decode())
    elif style != "quiet":
        console.print(_headline(summary))
        draw(read_status(plan.folder), console, runs=False)
        console.print()
        if summary.topic_absent is not UNSET:
            console.print(Text(_absent(summary.topic_absent), "yellow"), soft_wrap=True)
        for line in _next_steps(summary, plan, onward):
            console.print(line, soft_wrap=True)


def _headline(summary: Summary) -> Text:
    pages, why = summary.new_pages, ending_words(summary.ending, bool(summary.held))
    if not pages and summary.ending == "pages":
        return Text(" Nothing to do: the library holds as many pages as were asked for.")
    took = f"{plural(pages, 'new page')} in {duration(summary.seconds)}"
    speed = f" ({pages / summary.seconds:.1f}/s)" if summary.seconds >= 1 else ""
    return Text.assemble((f" {took}", "bold"), f"{speed}; {why}.")


def _absent(pages: int) -> str:
    looked = "the one page looked at" if pages == 1 else f"any of the {pages:,} pages looked at"
    return f" No word of the topic stands in {looked}; see above for what to do."


def _next_steps(summary: Summary, plan: CrawlPlan, onward: str) -> list[Text]:
    budget = f" --pages {max(2 * plan.config.crawl.pages, 100)}" if summary.ending == "pages" else ""
    if summary.ending == "frontier empty" and not summary.held:
        budget = " --seed URL"
    library = Text.assemble((" The library is in ", "dim"), (str(plan.folder), "bold"))
    if summary.waiting:
        wait = "waits" if summary.waiting == 1 else "wait"
        library.append(f"; {plural(summary.waiting, 'link')} in it {wait} to be followed", "dim")
    lines = [library]
    if held := sum(summary.held.values()):
        why = ", ".join(map(kind_in_words, summary.held))
        lines.append(Text(f" {held:,} of these for hosts that could not be asked: {why}", "dim"))
    return [
        *lines,
        Text.assemble(("   to go on   ", "dim"), f"{onward}{budget}"),
        Text.assemble(("   to look in ", "dim"), f"{program()} search {shlex.quote(str(plan.folder))} WORDS"),
        Text.assemble(("   a report   ", "dim"), str(plan.folder / "report.html")),
    ]

"""Rounds of looks at a library's pages, before a person's eyes."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Literal

import msgspec
import typer

from scenthound.app.event_loop import run
from scenthound.app.revisit import (
    due_pages,
    make_revisits,
    next_look,
    plain_due,
    plain_round,
    planned_times,
    revisit_settings,
)
from scenthound.cli.interrupts import INTERRUPTED, Interrupts
from scenthound.cli.started_as import program
from scenthound.cli.views.output import Output, as_json
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.report.formatting import day, duration, plural, printable, size
from scenthound.revisit.rounds import RevisitOptions, RevisitRound
from scenthound.revisit.schedule.due_pages import why_due
from scenthound.sites.site_list import write_whole_report

_WORDS = {
    "same": "unchanged",
    "noise": "changed in dates and the like only",
    "changed": "changed",
    "moved": "moved",
    "missing": "not found, to be confirmed",
    "gone": "gone",
    "failed": "failed",
    "refused": "refused by robots.txt",
}


def run_revisit(folder: Path, options: RevisitOptions, style: Literal["lines", "json", "quiet"]) -> int:
    """Makes a round, or one after the other; returns the exit code."""
    choosing, looking = ProgressLine("Choosing from pages:"), ProgressLine("Looked at")
    interrupts = Interrupts(lambda notice: typer.echo(notice, err=True))

    async def main() -> None:
        rounds = make_revisits(folder, options, choosing=choosing, looking=looking)
        output = Output(sys.stdout, rounds.stop)

        def report(outcome: RevisitRound, again: float) -> None:
            choosing.end()
            looking.end()
            write_whole_report(folder)
            if style == "json":
                output.line(msgspec.json.encode(plain_round(outcome, again)).decode())
            elif style == "lines":
                output.line(_line(outcome, again))
                if not outcome.due:
                    output.line(_when(folder))

        interrupts.guard(rounds)
        with interrupts.installed():
            if options.every:
                await rounds.keep_on(report)
            else:
                report(await rounds.round(), 0.0)

    try:
        run(main())
    finally:
        looking.end()
    return INTERRUPTED if interrupts.count > 1 else 0


def _line(outcome: RevisitRound, again: float) -> str:
    parts = [f"{outcome.looks[name]:,} {words}" for name, words in _WORDS.items() if outcome.looks[name]]
    if outcome.found:
        parts.append(plural(outcome.found, "new page") + f" ({outcome.found_relevant:,} relevant)")
    came = f"{day(outcome.began)}  {plural(outcome.requests, 'request')}, {size(outcome.bytes)}"
    line = f"{came} in {duration(outcome.seconds)}: {', '.join(parts) or 'nothing was due'}"
    return f"{line}; next {day(again)}" if again else line


def _when(folder: Path) -> str:
    """Of a round for which nothing was due: when the next one would find something."""
    if not (at := next_look(folder)):
        return f"There is no page to look at again yet: {program()} crawl {shlex.quote(str(folder))}"
    return f"The first page is due {day(at)}. Not to wait: {program()} revisit {shlex.quote(str(folder))} --now"


def show_due(folder: Path, options: RevisitOptions, json: bool) -> None:
    pages, now = due_pages(folder, options), time.time()
    waits = planned_times(pages, revisit_settings(folder).politeness.delay)
    if json:
        typer.echo(as_json([plain_due(page, wait, now) for page, wait in zip(pages, waits, strict=True)]))
        return
    for page, wait in zip(pages, waits, strict=True):
        typer.echo(f"in {duration(wait):>5}  {page.relevance:.2f}  {printable(page.url)}  ({why_due(page, now)})")
    if not pages:
        typer.echo(f"Nothing is due. {_when(folder)}")

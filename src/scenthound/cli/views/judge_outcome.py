"""What the command `judge` shows: how far it is, and what changed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from scenthound.app.event_loop import run
from scenthound.app.judge import JudgeOptions, JudgeOutcome, JudgeSession
from scenthound.cli.interrupts import INTERRUPTED, Interrupts
from scenthound.cli.started_as import program
from scenthound.cli.views.judging import causes
from scenthound.cli.views.output import as_json
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.cli.views.terminal_text import fit
from scenthound.crawler.judge_again import ChangedPage, JudgedPages
from scenthound.report.formatting import count, plural, printable, short_url


def run_judging(folder: Path, options: JudgeOptions, json: bool) -> int:
    """Judges a library again before a person's eyes; returns the exit code."""
    outcome = run(_watched(folder, options))
    if json:
        typer.echo(as_json(outcome))
    else:
        draw(outcome, Console(highlight=False))
    return 0 if outcome.judged.finished else INTERRUPTED


async def _watched(folder: Path, options: JudgeOptions) -> JudgeOutcome:
    line = ProgressLine("Judging again page")
    session = JudgeSession(folder, options, progress=line)
    interrupts = Interrupts(lambda notice: None)
    with interrupts.installed():
        interrupts.guard(session)
        try:
            return await session.run()
        finally:
            line.end()


def draw(outcome: JudgeOutcome, console: Console) -> None:
    judged = outcome.judged
    if not judged.finished:
        command = f"{program()} judge {shlex.quote(outcome.folder)}"
        console.print(f" Stopped; nothing is changed. The next crawl does it, or: {command}", soft_wrap=True)
        return
    console.print(_headline(judged, outcome))
    if outcome.changed:
        console.print(Text(f" Since they were last judged {causes(outcome.changed)}.", "dim"), soft_wrap=True)
    if outcome.dropped_threshold is not None:
        was = f"threshold = {outcome.dropped_threshold:g}"
        words = f" {was} was of another judge's scale and is taken out of topic.toml; {outcome.judge} has its own."
        console.print(Text(words, "yellow"), soft_wrap=True)
    _draw_pages("Came in", "green", judged.now_in, judged.came_in, console)
    _draw_pages("Went out", "red", judged.now_out, judged.went_out, console)
    console.print(Text(f" {_rest(judged)}", "dim"), soft_wrap=True)


def _headline(judged: JudgedPages, outcome: JudgeOutcome) -> Text:
    return Text.assemble(
        (f" {count(judged.relevant)} of {plural(judged.pages + judged.unread, 'page')} count as found", "bold"),
        f", {count(judged.relevant_before)} did before; judged by {outcome.judge}, from {outcome.threshold:g} on.",
    )


def _draw_pages(title: str, style: str, pages: Sequence[ChangedPage], whole: int, console: Console) -> None:
    if not whole:
        return
    console.print()
    console.print(
        Text.assemble((f" {title}: {count(whole)}", style), (", the clearest of them" * (len(pages) < whole)))
    )
    room = max(20, console.width - 22)
    for page in pages:
        title_room = room // 2
        name = fit(printable(page.title) or "(no title)", title_room)
        address = fit(short_url(page.url), room - title_room - 2)
        console.print(Text.assemble(f"  {page.before:.2f} → {page.now:.2f}  ", name, "  ", (address, "dim")))


def _rest(judged: JudgedPages) -> str:
    parts = [f"{plural(judged.changed, 'page')} of another relevance than before"]
    parts.append(f"{plural(judged.ranked, 'waiting link')} ranked anew")
    if judged.unread:
        parts.append(f"{plural(judged.unread, 'page')} could not be read and keep what they have")
    return "; ".join(parts) + "."

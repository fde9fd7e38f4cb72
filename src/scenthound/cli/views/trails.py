"""Trails and graphs to learn from: asking about pages, and telling what there is."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import msgspec
import typer

from scenthound.app.trails import ImportedTrails, ImportOptions, TrailImport, follow, plain_lessons
from scenthound.cli.started_as import program
from scenthound.cli.views.output import as_json
from scenthound.model import Lessons
from scenthound.report.formatting import plural, printable
from scenthound.training import graph_picture
from scenthound.training.browsing_recorder import BrowsingRecorder, served

SNIPPET = 300  # characters of a page that one is asked about


def ask(trails: TrailImport) -> None:
    """Page by page: y, n, s to skip, q to stop. What was answered is kept at once, and not asked again."""
    unmarked = trails.unmarked()
    for number, page in enumerate(unmarked, 1):
        text = printable(page.description or page.text)[:SNIPPET]
        typer.echo(f"\n{number} of {len(unmarked)}  {printable(page.title) or '(no title)'}\n{page.url}\n{text}")
        answer = _answer()
        if answer == "q":
            break
        if answer in "yn":
            trails.mark(page.url, answer == "y")


def _answer() -> str:
    while True:
        try:
            given: str = typer.prompt("Relevant? y, n, s(kip), q(uit)", prompt_suffix=" ")
        except typer.Abort:
            return "q"
        if given.strip().lower()[:1] in ("y", "n", "s", "q"):
            return given.strip().lower()[:1]


def imported_text(outcome: ImportedTrails, folder: Path) -> str:
    lines = [
        f"{plural(outcome.trails, 'trail')} ({outcome.new_trails:,} new) over {plural(outcome.pages, 'page')}, "
        f"{outcome.pages_at_hand:,} of them at hand; {outcome.relevant:,} marked relevant, "
        f"{outcome.irrelevant:,} not."
    ]
    there = shlex.quote(str(folder))
    if not outcome.relevant:
        lines.append(
            f"Nothing can be learned before a page is relevant: {program()} trails import {there} --ask, "
            "or --relevant FILE, or --bookmarks FILE"
        )
    else:
        lines.append(f"Look at them: {program()} trails show {there}")
    return "\n".join(lines)


def collected_text(lessons: Lessons, folder: Path) -> str:
    return f"{_summary(lessons)}\nLook at it: {program()} trails show {shlex.quote(str(folder))}"


def lessons_text(lessons: Lessons, picture: Path, samples: int, seed: int) -> str:
    lines = [_summary(lessons), ""]
    for way in graph_picture.samples(lessons, samples, seed):
        lines += [_line(lessons, number, place) for place, number in enumerate(way)] + [""]
    return "\n".join([*lines, f"The picture: {picture}"])


def lessons_json(lessons: Lessons, picture: Path, samples: int, seed: int) -> str:
    ways = graph_picture.samples(lessons, samples, seed)
    told = [[{"url": lessons.pages[n].url, "state": lessons.states[n]} for n in way] for way in ways]
    return as_json({**plain_lessons(lessons), "sequences_shown": told, "picture": str(picture)})


def _line(lessons: Lessons, number: int, place: int) -> str:
    page = lessons.pages[number]
    arrow = "→ " if place else "  "
    return f"  {arrow}{graph_picture.name_of(lessons.states[number]):<7}{printable(graph_picture.told(page))}"


def _summary(lessons: Lessons) -> str:
    head = (
        f"{plural(len(lessons.pages), 'page')}, {plural(len(lessons.edges), 'link')} among them, "
        f"{plural(len(lessons.targets), 'target')}"
    )
    head += f", {plural(len(lessons.sequences), 'sequence')}" if lessons.sequences else ""
    rows = [f"  {graph_picture.name_of(state):<7}{number:>7,}" for state, number in graph_picture.counts(lessons)]
    return "\n".join([head, *rows])


EVERY = 1.0
"""Seconds between two looks at a file that is followed."""


def record_browsing(options: ImportOptions, minutes: float) -> None:
    """Serves the recorder's page and follows files, until it is stopped or the time is up."""
    since = time.time()
    options = msgspec.structs.replace(options, since=since)
    recorder, known = BrowsingRecorder(options.folder), dict[Path, tuple[int, int]]()
    with served(recorder, _said) as address:
        typer.echo(f"Open {address} in your browser. Ctrl-C ends the recording.")
        try:
            while not minutes or time.time() - since < 60 * minutes:
                if options.files and (steps := follow(options, known)):
                    _said(f"{plural(steps, 'step')} from {', '.join(path.name for path in options.files)}")
                time.sleep(EVERY)
        except KeyboardInterrupt:
            typer.echo("")
    typer.echo(f"Recorded. Bring the pages home: {program()} trails import {options.folder}")


def _said(line: str) -> None:
    typer.echo(printable(line))

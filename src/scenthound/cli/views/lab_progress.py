"""Runs an experiment before a person's eyes: bar, time left, tables, and where the report is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from scenthound.app.experiment import plain_figures
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.report import tables
from scenthound.lab.report.summary import ExperimentSummary
from scenthound.lab.run_experiment import ExperimentOutcome, run_experiment, write_reports
from scenthound.report.formatting import plural

Style = Literal["table", "json", "markdown"]
FAILURES_SHOWN = 10
SECONDS_BETWEEN_LINES = 5.0


class ProgressBar(ExperimentWatch):
    """Two bars: reading the web, and the crawls or whatever is made of it."""

    def __init__(self, progress: Progress, noun: str = "crawls") -> None:
        self._progress = progress
        self._noun = noun
        self._reading: TaskID | None = None
        self._crawls: TaskID | None = None

    def reading(self) -> None:
        self._reading = self._progress.add_task("reading the web", total=None)

    def read(self, pages: int) -> None:
        if self._reading is not None:
            self._progress.advance(self._reading, pages)

    def begin(self, total: int, there: int) -> None:
        if self._reading is not None:
            self._progress.remove_task(self._reading)
        self._crawls = self._progress.add_task(self._noun, total=total, completed=there)

    def ended(self, topic: str | None) -> None:
        if self._crawls is not None:
            last = "a failure" if topic is None else topic
            self._progress.update(self._crawls, advance=1, description=f"{self._noun} ({last})")

    def say(self, notice: str) -> None:
        self._progress.console.print(notice, style="yellow", highlight=False)


def run_lab(experiment: Experiment, into: Path | None, jobs: int, fresh: bool, style: Style, command: str) -> int:
    """0: all crawls were made; 1: some could not be; 130: interrupted, and nothing lost."""
    told = Console(stderr=True, highlight=False)
    folder = into or experiment.folder()
    try:
        with watching(told) as watch:
            outcome = run_experiment(experiment, folder, jobs=jobs, fresh=fresh, watch=watch)
    except KeyboardInterrupt:
        told.print(f"Stopped. What was finished is in {folder}; the same command goes on.")
        return 130
    summary = write_reports(outcome, command)
    if summary is not None:
        _show(summary, style)
    _account(outcome, summary, told)
    return 1 if outcome.failures else 0


@contextmanager
def watching(told: Console, noun: str = "crawls") -> Iterator[ExperimentWatch]:
    """Bars on a terminal, lines in a log."""
    if not told.is_terminal:
        yield ProgressLog(told, noun)
        return
    with progress_bars(told) as progress:
        yield ProgressBar(progress, noun)


class ProgressLog(ExperimentWatch):
    """How far it is, in a line every few seconds: for pipes and logs."""

    def __init__(self, told: Console, noun: str = "crawls", clock: Callable[[], float] = time.monotonic) -> None:
        self._told = told
        self._noun = noun
        self._clock = clock
        self._next = 0.0
        self._pages = self._done = self._whole = 0

    def read(self, pages: int) -> None:
        self._pages += pages
        self._line(f"reading the web: {plural(self._pages, 'page')}")

    def begin(self, total: int, there: int) -> None:
        self._done, self._whole = there, total
        self._told.print(f"{there:,} of {total:,} {self._noun} done", soft_wrap=True)

    def ended(self, topic: str | None) -> None:
        self._done += 1
        self._line(f"{self._done:,} of {self._whole:,} {self._noun} done ({topic or 'a failure'})", self._done)

    def say(self, notice: str) -> None:
        self._told.print(notice, soft_wrap=True)

    def _line(self, text: str, done: int = 0) -> None:
        if self._clock() >= self._next or (done and done == self._whole):
            self._next = self._clock() + SECONDS_BETWEEN_LINES
            self._told.print(text, soft_wrap=True)


def progress_bars(told: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=told, transient=True)


def table_console() -> Console:
    """Where tables go: as wide as the terminal, and in a pipe as wide as they need."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=200)


def _show(summary: ExperimentSummary, style: Style) -> None:
    if style == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(plain_figures(summary)), indent=2).decode())
    elif style == "markdown":
        typer.echo(tables.markdown(summary))
    else:
        console = table_console()
        size = f"{plural(len(summary.topics), 'topic')}, {plural(summary.budget, 'page')}"
        console.print(f"\n[bold]{summary.web}[/bold]: {size}\n")
        console.print(tables.leaderboard(summary))


def _account(outcome: ExperimentOutcome, summary: ExperimentSummary | None, told: Console) -> None:
    for failure in outcome.failures[:FAILURES_SHOWN]:
        told.print(f"{failure.strategy} on {failure.topic} could not crawl: {failure.reason}", style="red")
    if len(outcome.failures) > FAILURES_SHOWN:
        told.print(f"... and {len(outcome.failures) - FAILURES_SHOWN} more crawls.", style="red")
    for notice in outcome.notices:
        told.print(notice, style="yellow")
    if summary is not None:
        there = len(outcome.rows) - (outcome.made - len(outcome.failures))
        again = f" ({there} of {len(outcome.rows)} results were there already)" if there else ""
        told.print(f"\nReport: {outcome.folder / 'report.html'}{again}")

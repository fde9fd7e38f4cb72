"""Runs an experiment with judges before a person's eyes: bar, time left, tables, and where the report is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scenthound.app.judge_experiment import plain_judge_figures
from scenthound.cli.views.lab_progress import FAILURES_SHOWN, Style, table_console, watching
from scenthound.lab.judges.judge_experiment import MEANING, JudgeExperiment
from scenthound.lab.report import judge_tables
from scenthound.lab.report.judge_summary import LEADING, GivenSummary, JudgeSummary
from scenthound.lab.report.tables import HEAD
from scenthound.lab.run_judges import JudgeExperimentOutcome, run_judges, write_judge_reports
from scenthound.report.formatting import plural


def run_judge_lab(
    experiment: JudgeExperiment, into: Path | None, jobs: int, fresh: bool, style: Style, command: str
) -> int:
    """0: all trials were made; 1: some could not be; 130: interrupted, and nothing lost."""
    told = Console(stderr=True, highlight=False)
    folder = into or experiment.folder()
    try:
        with watching(told, "trials") as watch:
            outcome = run_judges(experiment, folder, jobs=jobs, fresh=fresh, watch=watch)
    except KeyboardInterrupt:
        told.print(f"Stopped. What was finished is in {folder}; the same command goes on.")
        return 130
    summary = write_judge_reports(outcome, command)
    if summary is not None:
        _show(summary, style)
    _account(outcome, told)
    return 1 if outcome.failures or summary is None else 0


def _show(summary: JudgeSummary, style: Style) -> None:
    if style == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(plain_judge_figures(summary)), indent=2).decode())
    elif style == "markdown":
        typer.echo(judge_tables.markdown(summary))
    else:
        console = table_console()
        for part in summary.parts:
            console.print(
                f"\n[bold]{summary.web}[/bold], {MEANING[part.given]}: {plural(len(summary.topics), 'topic')}, "
                f"up to {plural(summary.pages, 'page')} each\n"
            )
            console.print(_leaderboard(summary, part))
            if chosen := judge_tables.chosen_line(part):
                console.print(f"\n{chosen}", markup=False)
            if (answers := _answers(part)) is not None:
                console.print("\nF1 after answers to questions, on the pages not asked about\n")
                console.print(answers)


def _leaderboard(summary: JudgeSummary, part: GivenSummary) -> Table:
    table = _table("judge", judge_tables.head(part))
    for judge in part.judges:
        comparison = part.comparisons.get(LEADING, {}).get(judge)
        style = "bold" if comparison is not None and comparison.clear else ""
        label = Text(judge, style=style)
        if judge == summary.baseline:
            label.append(" (baseline)", style="dim")
        table.add_row(label, *(Text(cell, style=style) for cell in judge_tables.cells(part, judge)))
    return table


def _answers(part: GivenSummary) -> Table | None:
    """F1 after so many answers; None where none were asked for."""
    rows = list(judge_tables.answer_rows(part))
    if not rows:
        return None
    table = _table("judge", judge_tables.answer_head(part))
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _table(first: str, others: list[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=name not in HEAD)
    return table


def _account(outcome: JudgeExperimentOutcome, told: Console) -> None:
    for judge, given, reason in dict.fromkeys((each.judge, each.given, each.reason) for each in outcome.refusals):
        told.print(f"{judge} does not judge {MEANING[given]}: {reason}", style="yellow", markup=False)
    for failure in outcome.failures[:FAILURES_SHOWN]:
        text = f"{failure.judge} on {failure.topic}, {MEANING[failure.given]}, failed: {failure.reason}"
        told.print(text, style="red", markup=False)
    if len(outcome.failures) > FAILURES_SHOWN:
        told.print(f"... and {len(outcome.failures) - FAILURES_SHOWN} more trials.", style="red")
    if outcome.rows:
        there = len(outcome.rows) - outcome.made
        again = f" ({there} of {len(outcome.rows)} results were there already)" if there else ""
        told.print(f"\nReport: {outcome.folder / 'report.html'}{again}")
    else:
        told.print("There is nothing to report: no judge could work from what was given.", style="red")

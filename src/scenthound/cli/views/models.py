"""What strategies learned: a table of models, or one with all its training showed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from scenthound.app.train import TrainedModel
from scenthound.cli.started_as import program
from scenthound.cli.views.terminal_text import sparkline
from scenthound.report.formatting import count, day, plural

CURVE_WIDTH = 40
WORTH_TELLING = 0.005  # weights below this are 0.00 on the screen


def show_all(found: Sequence[TrainedModel], folder: Path) -> None:
    console = Console(highlight=False)
    if not found:
        console.print(f"No model in {folder} yet. Train one: {program()} train {_quoted(folder)} --model crf")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("model", style="bold cyan", no_wrap=True)
    for head in ("pages", "sequences", "accuracy", "guessing", "hops off", "seconds", "KB", "trained"):
        table.add_column(head, justify="right", no_wrap=True)
    for each in found:
        report = each.report
        table.add_row(
            Text(each.model),
            count(report.pages),
            count(report.sequences),
            _share(report.accuracy),
            _share(report.usual),
            f"{report.mean_error:.2f}" if report.mean_error is not None else "–",
            f"{report.seconds:.1f}",
            count(each.bytes // 1000),
            day(each.made),
        )
    console.print(table)


def show(trained: TrainedModel, folder: Path) -> None:
    console, report = Console(highlight=False), trained.report
    settings = ", ".join(f"{key} = {value}" for key, value in trained.parameters.items())
    console.print(Text(trained.model, style="bold"), Text(f"  {settings}", style="dim"))
    console.print(
        f"Learned from {plural(report.pages, 'page')}, {plural(report.edges, 'link')} and "
        f"{plural(report.sequences, 'sequence')} in {report.seconds:.1f} s of CPU time."
    )
    if report.curve:
        low, high = min(report.curve), max(report.curve)
        line = sparkline([value - low for value in report.curve], CURVE_WIDTH, high - low or 1.0)
        console.print(f"Training curve  {line}  {low:,.0f} to {high:,.0f} in {len(report.curve)} iterations")
    if report.accuracy is not None and report.usual is not None:
        console.print(
            f"On {plural(report.examined, 'page')} held back: {_share(report.accuracy)} of the distances told rightly "
            f"({_share(report.usual)} by always saying the commonest), {report.mean_error:.2f} hops off on average."
        )
    if report.confusion:
        console.print()
        console.print(_confusion(report.confusion))
    if report.strongest:
        console.print()
        console.print(_strongest(report.strongest))
    unusual = "".join(f" --param {each}" for each in trained.model.split(" ")[1:])  # a model is called by them
    console.print(f"\nCrawl with it: {program()} crawl {_quoted(folder)} --strategy {trained.strategy}{unusual}")


def _confusion(confusion: Sequence[Sequence[int]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", title_justify="left")
    table.add_column("hops to a target", no_wrap=True)
    for state in range(len(confusion)):
        table.add_column(f"told {_hops(state, len(confusion))}", justify="right", no_wrap=True)
    for state, row in enumerate(confusion):
        cells = [
            Text(count(number), style="bold green" if told == state else "" if number else "dim")
            for told, number in enumerate(row)
        ]
        table.add_row(_hops(state, len(confusion)), *cells)
    return table


def _strongest(strongest: Sequence[Sequence[tuple[str, float]]]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for state, features in enumerate(strongest):
        told = ", ".join(f"{name} {weight:+.2f}" for name, weight in features if weight >= WORTH_TELLING)
        table.add_row(f"{_hops(state, len(strongest))} hops", Text(told or "no feature speaks for it"))
    return table


def _hops(state: int, states: int) -> str:
    return f"{state}+" if state == states - 1 else str(state)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _quoted(folder: Path) -> str:
    return shlex.quote(str(folder))

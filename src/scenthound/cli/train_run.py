"""Training as the commands `train` and `models` do it and show it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scenthound import registry
from scenthound.app.crawl_plan import parameter
from scenthound.app.strategies import trainable
from scenthound.cli.views.figures import sparkline
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.crawl import assemble
from scenthound.errors import ModelError, UsageError
from scenthound.learn import model_file
from scenthound.learn.assessment import Assessment, assess
from scenthound.learn.chains.fitting import watch
from scenthound.report.figures import count, day, plural
from scenthound.training.lessons import Kind, load_lessons, settings_of

CURVE_WIDTH = 40
WORTH_TELLING = 0.005  # weights below this are 0.00 on the screen
EXAMPLES = 50
"""Targets among the lessons that stand for the topic, where it has no keywords."""


class Trained(Struct):
    """A model and how its training went."""

    model: str  # the name of its file, without the ending
    strategy: str
    parameters: dict[str, Any]
    made: float  # unix time
    bytes: int
    report: Assessment


def run(folder: Path, name: str, params: Sequence[str], kind: Kind | None, seed: int) -> Trained:
    strategy = registry.strategy.build(name, dict(map(parameter, params)))
    if not hasattr(strategy, "train"):
        raise UsageError(f"The strategy {name!r} needs no training. Those that learn: {', '.join(trainable())}.")
    reading = ProgressLine("Pages read:")
    try:
        lessons = load_lessons(folder, kind, progress=reading)
    finally:
        reading.end()
    context = assemble.make_context(settings_of(folder), lessons.targets[:EXAMPLES], folder=folder)
    context = msgspec.structs.replace(context, lessons=lessons, random=Random(seed))
    training = ProgressLine(f"Training {name}, iterations:")
    token = watch.set(training)
    try:
        report = assess(strategy, context, Random(seed))
    finally:
        watch.reset(token)
        training.end()
    path = model_file.path_of(folder / model_file.FOLDER, name, strategy)
    model_file.save(path, name, strategy, msgspec.to_builtins(report))
    return _read(path)


def kept(folder: Path) -> list[Trained]:
    """The models of a folder, by name."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    return [_read(path) for path in sorted((folder / model_file.FOLDER).glob("*.model"))]


def called(name: str, found: Sequence[Trained], folder: Path) -> Trained:
    names = [each.model for each in found]
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Train it: scenthound train {_quoted(folder)} --model {name}"
        raise UsageError(f"{folder} has no model called {name!r}. {hint}")
    return found[names.index(name)]


def _read(path: Path) -> Trained:
    header = model_file.read_header(path)
    try:
        report = msgspec.convert(header.report, Assessment)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path} does not tell how its training went: {error}.") from error
    there = path.stat()
    return Trained(path.stem, header.strategy, header.parameters, there.st_mtime, there.st_size, report)


def show_all(found: Sequence[Trained], folder: Path) -> None:
    console = Console(highlight=False)
    if not found:
        console.print(f"No model in {folder} yet. Train one: scenthound train {_quoted(folder)} --model crf")
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


def show(trained: Trained, folder: Path) -> None:
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
    console.print(f"\nCrawl with it: scenthound crawl {_quoted(folder)} --strategy {trained.strategy}{unusual}")


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

"""Runs an experiment with crawlers for sites, or an evaluation of site classifiers, before a person's eyes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scenthound.app.site_evaluation import HEAD, SiteEvaluation, evaluation_cells, evaluation_figures, evaluation_table
from scenthound.app.site_experiment import LINES, run_and_keep, site_cells, site_figures, site_table
from scenthound.cli.views.lab_progress import Style, progress_bars, table_console
from scenthound.lab.sites.site_experiment import SHOWN, SiteExperiment


def run_site_lab(experiment: SiteExperiment, into: Path | None, style: Style) -> int:
    told = Console(stderr=True, highlight=False)
    try:
        with progress_bars(told) as progress:
            task = progress.add_task("crawls for sites", total=None)

            def tell(done: int, whole: int, name: str) -> None:
                progress.update(task, completed=done, total=whole, description=f"crawls for sites ({name})")

            rows = run_and_keep(experiment, into, tell)
    except KeyboardInterrupt:
        told.print("Stopped. Nothing is kept of an experiment with sites that is not finished.")
        return 130
    if style == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(site_figures(rows)), indent=2).decode())
    elif style == "markdown":
        typer.echo(site_table(rows))
    else:
        tasks = list(dict.fromkeys(row.task for row in rows))
        console = table_console()
        console.print(f"\n[bold]{rows[0].web}[/bold]: {len(tasks)} classes of sites, {experiment.pages} pages\n")
        console.print(_table("crawler", SHOWN, site_cells(rows)))
    if into is not None:
        told.print(f"\nResults: {into / LINES}")
    return 0


def show_evaluation(found: SiteEvaluation, style: Style) -> None:
    if style == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(evaluation_figures(found)), indent=2).decode())
    elif style == "markdown":
        typer.echo(evaluation_table(found))
    else:
        console = table_console()
        console.print(f"\n{found.title}\n", markup=False)
        console.print(_table("class", HEAD[1:], evaluation_cells(found)))


def _table(first: str, others: tuple[str, ...] | list[str], rows: list[list[str]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name.replace("-", " "), justify="right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table

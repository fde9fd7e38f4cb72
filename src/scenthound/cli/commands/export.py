"""`scenthound export`: what was collected, to take away."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from scenthound.cli.views.help import QuickHelp


def _format_names() -> list[str]:
    from scenthound.export.exporter import exporter

    return exporter.names()


class ExportCommand(QuickHelp):
    """Names the formats in its help. They are looked for only then: other packages may bring some, which takes time."""

    def name_choices(self) -> None:
        for parameter in self.params:
            if parameter.name == "form":
                parameter.metavar = "|".join(_format_names())

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self.name_choices()
        super().format_help(ctx, formatter)


def export(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    form: Annotated[
        str | None,
        Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="What is written; by the file's name if not given, else jsonl. [bold]--format list[/bold] tells more.",
            autocompletion=_format_names,
        ),
    ] = None,
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="FILE", help="Into a file, put in place when it is whole.")
    ] = None,
    relevant: Annotated[
        bool, Option("--relevant", help="Only pages that count as found: over the threshold, copies left out.")
    ] = False,
    since: Annotated[
        str | None, Option(metavar="DATE", help="Only pages fetched since: 2026-11-15, or 3d for three days ago.")
    ] = None,
    fields: Annotated[
        str | None, Option(metavar="A,B,...", help="Which fields; [bold]--fields list[/bold] shows all.")
    ] = None,
    with_text: Annotated[bool, Option("--with-text", help="The visible text of each page, too.")] = False,
) -> None:
    """Write the pages of a library: as JSON lines, as a table, as a list. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound export crawls/dengue-fever > pages.jsonl
    scenthound export crawls/dengue-fever --relevant -o pages.csv
    scenthound export crawls/dengue-fever -f urls --relevant --since 7d
    scenthound export crawls/dengue-fever --fields url,title,relevance --with-text
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app import export as exporting
    from scenthound.app.user_input import moment
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.export.exporter import ExportChoice
    from scenthound.export.fields import FIELDS, fields_of

    if fields == "list":
        for name, field in FIELDS.items():
            typer.echo(f"{name:16} {field.meaning}")
        return
    if form == "list":
        for known in exporting.export_formats():
            typer.echo(f"{known.name:8} {', '.join(known.extensions):24} {known.doc}")
        return
    choice = ExportChoice(fields_of((fields or "").split(","), with_text), relevant, moment(since))
    progress = ProgressLine("Exporting page")
    try:
        written = exporting.export(folder, output or sys.stdout.buffer, choice, form or "", progress)
        sys.stdout.flush()
    finally:
        progress.end()
    if output is not None:
        sys.stderr.write(f"{written:,} page{'' if written == 1 else 's'} written to {output}\n")

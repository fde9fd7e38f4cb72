"""`scenthound export`: what was collected, to take away."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from scenthound.export.formats import Format

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".csv": "csv", ".txt": "urls", ".urls": "urls"}


def export(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    form: Annotated[
        str | None,
        Option(
            "--format",
            "-f",
            metavar="jsonl|csv|urls",
            help="What is written; by the file's name if not given, else jsonl.",
            autocompletion=lambda: ["jsonl", "csv", "urls"],
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
    """Write the pages of a library as JSON lines, CSV or a list of URLs. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound export crawls/dengue-fever > pages.jsonl
    scenthound export crawls/dengue-fever --relevant -o pages.csv
    scenthound export crawls/dengue-fever -f urls --relevant --since 7d
    scenthound export crawls/dengue-fever --fields url,title,relevance --with-text
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.atomic_write import replacing
    from scenthound.cli.arguments import moment
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.export import formats as exporting
    from scenthound.library.sqlite.library import SqliteLibrary

    if fields == "list":
        typer.echo("\n".join([*exporting.FIELDS, "text"]))
        return
    choice = exporting.ExportChoice(
        fields=exporting.fields_of((fields or "").split(","), with_text), relevant=relevant, since=moment(since)
    )
    shape = _format(form, output)
    with SqliteLibrary.open(folder, write=False) as library:
        whole = library.counts().fetched
        progress = ProgressLine("Exporting page")
        try:
            if output is None:
                _utf8_stdout()
                exporting.export(library, sys.stdout, shape, choice, lambda seq: progress(seq, whole))
                sys.stdout.flush()
                return
            with replacing(output) as stream:
                written = exporting.export(library, stream, shape, choice, lambda seq: progress(seq, whole))
        finally:
            progress.end()
    sys.stderr.write(f"{written:,} page{'' if written == 1 else 's'} written to {output}\n")


def _format(form: str | None, output: Path | None) -> Format:
    from scenthound.errors import UsageError
    from scenthound.export.formats import FORMATS

    name = form or SUFFIXES.get(output.suffix.lower() if output else "", "jsonl")
    for known in FORMATS:
        if name == known:
            return known
    raise UsageError(f"There is no format {name!r}. There are: {', '.join(FORMATS)}.")


def _utf8_stdout() -> None:
    """JSON lines and CSV are UTF-8 wherever they are made."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="")

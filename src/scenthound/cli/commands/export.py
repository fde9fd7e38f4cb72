"""`scenthound export`: what was collected, to take away."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperOption

from scenthound.cli.views.help import QuickHelp

WHICH = "Which pages"
FORMAT_HELP = "What is written; by the file's name if not given, else jsonl. [bold]--format list[/bold] tells more."


def _format_names() -> list[str]:
    from scenthound.export.exporter import exporter

    return exporter.names()


class ExportCommand(QuickHelp):
    """Names the formats in its help. They are looked for only then: other packages may bring some, which takes time."""

    def name_choices(self) -> None:
        for parameter in self.params:
            if parameter.name == "form" and isinstance(parameter, TyperOption):
                parameter.help = f"{FORMAT_HELP} There are: {', '.join(_format_names())}."

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
            help=FORMAT_HELP,
            autocompletion=_format_names,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Into a file, or a folder, put in place when it is whole; - is standard output.",
        ),
    ] = None,
    relevant: Annotated[
        bool,
        Option(
            "--relevant",
            help="Only pages that count as found: over the threshold, copies left out.",
            rich_help_panel=WHICH,
        ),
    ] = False,
    relevance: Annotated[
        float, Option(metavar="0..1", help="Only pages judged at least so relevant.", rich_help_panel=WHICH)
    ] = 0.0,
    label: Annotated[
        str, Option(metavar="yes|no", help="Only pages that somebody said this of.", rich_help_panel=WHICH)
    ] = "",
    since: Annotated[
        str | None,
        Option(
            metavar="DATE",
            help="Only pages fetched since: 2026-11-15, or 3d for three days ago.",
            rich_help_panel=WHICH,
        ),
    ] = None,
    until: Annotated[
        str | None, Option(metavar="DATE", help="Only pages fetched until then.", rich_help_panel=WHICH)
    ] = None,
    language: Annotated[
        list[str] | None,
        Option(metavar="CODE", help="Only pages in this language; may be given again.", rich_help_panel=WHICH),
    ] = None,
    host: Annotated[
        list[str] | None,
        Option(metavar="HOST", help="Only pages of this host or site; may be given again.", rich_help_panel=WHICH),
    ] = None,
    respect: Annotated[
        list[str] | None,
        Option(
            metavar="USE",
            help="No pages whose owners refused this: train-ai, train-genai, ai-input, search, tdm, license.",
            rich_help_panel=WHICH,
        ),
    ] = None,
    unique: Annotated[
        bool, Option("--unique", help="Of pages that nearly repeat each other only the first.", rich_help_panel=WHICH)
    ] = False,
    min_words: Annotated[
        int, Option(metavar="N", min=0, help="Main text of at least so many words.", rich_help_panel=WHICH)
    ] = 0,
    max_words: Annotated[
        int, Option(metavar="N", min=0, help="Main text of at most so many words.", rich_help_panel=WHICH)
    ] = 0,
    max_repetition: Annotated[
        float, Option(metavar="0..1", help="At most this share of the text said twice.", rich_help_panel=WHICH)
    ] = 1.0,
    max_boilerplate: Annotated[
        float,
        Option(metavar="0..1", help="At most this share of the page beside its main text.", rich_help_panel=WHICH),
    ] = 1.0,
    min_words_per_link: Annotated[
        float, Option(metavar="N", min=0, help="So many words of main text for each link.", rich_help_panel=WHICH)
    ] = 0.0,
    fields: Annotated[
        str | None, Option(metavar="A,B,...", help="Which fields; [bold]--fields list[/bold] shows all.")
    ] = None,
    with_text: Annotated[bool, Option("--with-text", help="The visible text of each page, too.")] = False,
    markdown: Annotated[
        bool, Option("--markdown", help="The main text of each page as Markdown, too: no menus, no footers.")
    ] = False,
    chunk_words: Annotated[
        int, Option(metavar="N", min=0, help="With --format chunks: the most words of a piece; 300 if not given.")
    ] = 0,
) -> None:
    """Write the pages of a library: as a table, as Markdown, as a web archive. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound export crawls/dengue-fever > pages.jsonl
    scenthound export crawls/dengue-fever --relevant -o pages.csv
    scenthound export crawls/dengue-fever -f urls --relevant --since 7d
    scenthound export crawls/dengue-fever -f markdown -o notes --relevant
    scenthound export crawls/dengue-fever -f chunks --unique --min-words 100 > pieces.jsonl
    scenthound export crawls/dengue-fever -o dengue.wacz --relevant
    scenthound export crawls/dengue-fever --fields url,title,relevance --markdown
    scenthound export crawls/dengue-fever -f chunks --respect train-ai > for-training.jsonl
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app import export as exporting
    from scenthound.app.user_input import end_of_day, language_code, moment
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.export.exporter import ExportChoice
    from scenthound.export.fields import FIELDS, fields_of
    from scenthound.export.page_filter import PageFilter

    if fields == "list":
        for name, field in FIELDS.items():
            typer.echo(f"{name:16} {field.meaning}")
        return
    if form == "list":
        for known in exporting.export_formats():
            typer.echo(f"{known.name:9} {', '.join(known.extensions):24} {known.doc}")
        return
    wanted = PageFilter(
        relevant=relevant,
        relevance=relevance,
        since=moment(since),
        until=end_of_day(until) if until else 0.0,
        languages=tuple(map(language_code, language or ())),
        hosts=tuple(host or ()),
        label=label,
        unique=unique,
        words=min_words,
        most_words=max_words,
        repetition=max_repetition,
        boilerplate=max_boilerplate,
        words_per_link=min_words_per_link,
        respect=tuple(use.strip() for uses in respect or () for use in uses.split(",") if use.strip()),
    ).check()
    choice = ExportChoice(fields_of((fields or "").split(","), with_text, markdown), wanted, chunk_words)
    place = output if output != Path("-") else None
    progress = ProgressLine("Exporting page")
    try:
        written = exporting.export(folder, place or sys.stdout.buffer, choice, form or "", progress)
        sys.stdout.flush()
    finally:
        progress.end()
    if place is not None:
        sys.stderr.write(f"{written} written to {place}\n")

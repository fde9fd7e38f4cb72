"""`scenthound library`: a library as files: is it whole, what can be done if not, and a copy of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.views.help import QuickHelp, QuickHelpGroup

library = typer.Typer(
    name="library",
    cls=QuickHelpGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="""Look after a library as files: is it whole, and what can be done if not.

    \b
    [bold]Examples[/bold]
    scenthound library check crawls/dengue-fever
    scenthound library repair crawls/dengue-fever
    scenthound library copy crawls/dengue-fever dengue-2026
    """,
)

Folder = Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")]


@library.command(cls=QuickHelp)
def check(
    folder: Folder,
    json: Annotated[bool, Option("--json", help="What was found, as one JSON object.")] = False,
) -> None:
    """Look whether a library is whole, and name each part that is not. Changes nothing; works while a crawl is running.

    Reads everything: the database and all its rows, every answer in the WARC files, the search index, labels,
    topic.toml and the recordings it names. Ends with exit code 0 if all is whole, and with 8 if not.

    \b
    [bold]Examples[/bold]
    scenthound library check crawls/dengue-fever
    scenthound library check crawls/dengue-fever --json
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app.library_check import check_library
    from scenthound.cli.views.library_check import findings
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.errors import LibraryDamaged

    progress = ProgressLine("Checking")
    try:
        checked = check_library(folder, progress.tell)
    finally:
        progress.end()
    typer.echo(as_json(checked) if json else "\n".join(findings(checked)))
    if not checked.whole:
        raise typer.Exit(LibraryDamaged.exit_code)


@library.command(cls=QuickHelp)
def repair(
    folder: Folder,
    json: Annotated[bool, Option("--json", help="What came back and what did not, as one JSON object.")] = False,
) -> None:
    """Make a damaged library whole again: from what can be read of its database, and from its WARC files.

    Pages, texts, links and the search index are rebuilt by parsing the stored answers again, judgements by judging
    again, links that waited by looking for them on the stored pages. The damaged library.db is kept under another name.
    May be killed at any moment: the damaged library is as it was until the repaired one takes its place.
    Ends with exit code 0 if all is whole now, and with 8 if something is left that needs you.

    \b
    [bold]Examples[/bold]
    scenthound library repair crawls/dengue-fever
    scenthound library repair crawls/dengue-fever --json
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.event_loop import run
    from scenthound.app.library_repair import repair_library
    from scenthound.cli.views.library_check import repair_told
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.errors import LibraryDamaged

    progress = ProgressLine("Checking")
    try:
        outcome = run(repair_library(folder, progress.tell))
    finally:
        progress.end()
    typer.echo(as_json(outcome) if json else "\n".join(repair_told(outcome)))
    if not outcome.whole:
        raise typer.Exit(LibraryDamaged.exit_code)


@library.command(cls=QuickHelp)
def copy(
    folder: Folder,
    target: Annotated[Path, Argument(metavar="INTO", help="The folder of the copy; new, or empty.")],
    json: Annotated[bool, Option("--json", help="What was copied, as one JSON object.")] = False,
) -> None:
    """Copy a library as it is now, also while a crawl is running: to share it, to keep it, to compare later.

    The copy is a library of its own: `serve`, `search`, `export` and `crawl` take it, and every address of the
    dashboard answers from it as it did from the library at that moment. What is derived, such as the search index, is
    made anew.

    \b
    [bold]Examples[/bold]
    scenthound library copy crawls/dengue-fever dengue-2026
    scenthound serve dengue-2026
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app.library_copy import copy_library
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.report.formatting import size

    progress = ProgressLine("Copying")
    try:
        copied = copy_library(folder, target, progress.tell)
    finally:
        progress.end()
    typer.echo(as_json(copied) if json else f"Copied to {copied.target}: {size(copied.bytes)}.")

"""`scenthound library`: a library as a whole: is it intact, what can be done if not, and how it gets elsewhere."""

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
    help="""Look after a library as a whole: is it intact, what can be done if not, and how it gets to another place.

    \b
    [bold]Examples[/bold]
    scenthound library check crawls/dengue-fever
    scenthound library repair crawls/dengue-fever
    scenthound library copy crawls/dengue-fever postgresql://localhost/crawls#dengue
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
    source: Annotated[str, Argument(metavar="FROM", help="A library: its folder, or its address.")],
    target: Annotated[str, Argument(metavar="TO", help="A new folder, or an address, postgresql://...")],
    into: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="Where the files of a copy in PostgreSQL go; ./crawls/<name> by default."),
    ] = None,
    json: Annotated[bool, Option("--json", help="What was copied, as one JSON object.")] = False,
) -> None:
    """Copy a library to another place, exactly: into PostgreSQL, out of it, or from folder to folder.

    Everything goes over: pages, texts, links, what waits, labels, runs, what was learned, and the WARC files. The copy
    goes on as the original would. The original stays as it is, and may be crawled meanwhile: the copy has it as it was
    when the command began. Killed at any moment, the same command begins again.

    \b
    [bold]Examples[/bold]
    scenthound library copy crawls/ferns postgresql://localhost/crawls#ferns
    scenthound library copy postgresql://localhost/crawls#ferns crawls/ferns-at-home
    scenthound library copy crawls/ferns /backup/ferns
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app.library_copy import copy_to
    from scenthound.cli.views.library_check import copy_told
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine

    progress = ProgressLine("Copying")
    try:
        outcome = copy_to(source, target, into, progress)
    finally:
        progress.end()
    typer.echo(as_json(outcome) if json else copy_told(outcome))


@library.command(cls=QuickHelp)
def archive(
    folder: Folder,
    store: Annotated[str, Argument(metavar="STORE", help="An object store, as in s3://bucket/ferns.")],
    json: Annotated[bool, Option("--json", help="What was moved, as one JSON object.")] = False,
) -> None:
    """Move the WARC files of a library in PostgreSQL to an object store, from where they are read from then on.

    Each file is sent, read back and compared before it goes from the folder. The next crawl begins new files in the
    folder, since an object cannot be appended to. Killed at any moment, the same command goes on.
    Any store that fsspec knows will do: s3:// (with s3fs), gs:// (gcsfs), abfs:// (adlfs), sftp://, file:// ...

    \b
    [bold]Examples[/bold]
    scenthound library archive crawls/ferns s3://bucket/ferns
    scenthound library archive crawls/ferns file:///mnt/large/ferns
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.cli.views.library_check import archive_told
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.library.archive_move import move_archive

    progress = ProgressLine("Moving")
    try:
        outcome = move_archive(folder, store, progress)
    finally:
        progress.end()
    typer.echo(as_json(outcome) if json else archive_told(outcome))


@library.command(cls=QuickHelp)
def merge(
    source: Annotated[Path, Argument(metavar="FROM", help="A library that is taken in; it stays as it is.")],
    folder: Annotated[Path, Argument(metavar="INTO", help="The library that takes it in.")],
    json: Annotated[bool, Option("--json", help="What came in, as one JSON object.")] = False,
) -> None:
    """Take one library into another: pages, links that wait, failures, labels.

    Of a page that both have, the later one counts, and the other's versions that came after it are kept. A link that
    waits in both waits with the better priority. Pages whose answers were not kept stay behind. Killed at any moment,
    the same command goes on.

    \b
    [bold]Examples[/bold]
    scenthound library merge crawls/ferns-from-home crawls/ferns
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.cli.views.library_check import merge_told
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.library.library_merge import merge_library

    progress = ProgressLine("Merging")
    try:
        outcome = merge_library(source, folder, progress)
    finally:
        progress.end()
    typer.echo(as_json(outcome) if json else merge_told(outcome))

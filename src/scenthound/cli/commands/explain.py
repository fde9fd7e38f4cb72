"""`scenthound explain`: why a page was fetched, kept or dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

NEVER_SEEN = 1
"""Exit code for a URL the crawl never came across."""


def explain(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    url: Annotated[str, Argument(metavar="URL", help="Any URL, fetched or not.")],
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Tell why a page was fetched, kept or dropped: the way to it, its judgement, or what came in between.

    Works while a crawl is running. Returns 1 if the crawl never saw the URL.

    \b
    [bold]Examples[/bold]
    scenthound explain crawls/dengue-fever https://example.org/health
    scenthound explain crawls/dengue-fever example.org/login --json
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.app import explanation
    from scenthound.cli.views.explanation import lines
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine

    reading = ProgressLine("Reading again what is ordinary here: page")
    told = explanation.explain(folder, url, progress=reading)
    reading.end()
    if json:
        typer.echo(as_json(told))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for line in lines(told):
            console.print(line)
    if told.state == explanation.UNKNOWN:
        raise typer.Exit(NEVER_SEEN)

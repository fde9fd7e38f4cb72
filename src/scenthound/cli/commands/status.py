"""`scenthound status`: what is in a library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def status(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Show what is in a library: pages, harvest, hosts, failures, runs. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound status crawls/dengue-fever
    scenthound status crawls/dengue-fever --json
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.app.library_status import read_status
    from scenthound.cli.views.library_status import draw
    from scenthound.cli.views.output import as_json

    status = read_status(folder)
    if json:
        typer.echo(as_json(status))
    else:
        draw(status, Console(highlight=False))

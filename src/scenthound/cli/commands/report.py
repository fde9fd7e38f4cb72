"""`scenthound report`: a crawl on one page to look at and to pass on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def report(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="FILE", help="Elsewhere than FOLDER/report.html.")
    ] = None,
) -> None:
    """Write a crawl's report.html anew and print where it is. Works while a crawl is running.

    One page that needs nothing else: harvest, relevance, hosts, best pages, failures, settings, and relevant sites.

    \b
    [bold]Examples[/bold]
    scenthound report crawls/dengue-fever
    scenthound report crawls/dengue-fever -o ~/dengue.html
    """
    # Imported here because it brings the store along, which --help and completion can do without.
    from scenthound.sites.site_list import write_whole_report

    typer.echo(write_whole_report(folder, output))

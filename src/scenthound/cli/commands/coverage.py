"""`scenthound coverage`: how much of a topic has been found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def coverage(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    against: Annotated[
        Path | None,
        Argument(metavar="OTHER", help="A library about the same topic, crawled from other seeds."),
    ] = None,
    confidence: Annotated[
        float | None, Option(metavar="X", help="That the interval holds the truth; 0.95, or what the crawl had.")
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Estimate how much has been found: of what can be reached, and of the topic at large.

    One library says what share of the pages within reach it has, if it was crawled with --until recall=X.
    Two that were crawled from independent seeds say how many relevant pages there are, by those that both have.

    \b
    [bold]Examples[/bold]
    scenthound coverage crawls/dengue-fever
    scenthound coverage crawls/dengue-fever crawls/dengue-from-other-seeds
    scenthound coverage crawls/dengue-fever --json
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app.coverage import read_coverage
    from scenthound.cli.views.coverage import draw
    from scenthound.cli.views.output import as_json

    found = read_coverage(folder, against, confidence)
    if json:
        typer.echo(as_json(found))
    else:
        draw(found)

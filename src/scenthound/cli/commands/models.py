"""`scenthound models`: what was trained."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def models(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A folder whose strategies were trained.")],
    name: Annotated[str | None, Argument(metavar="MODEL", help="Tell all about this one.")] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """List the models that `train` left in a folder, or show how well one of them learned.

    \b
    [bold]Examples[/bold]
    scenthound models crawls/ferns
    scenthound models crawls/ferns crf
    scenthound models crawls/ferns --json
    """
    from scenthound.app.train import kept_models, model_called
    from scenthound.cli.views.models import show, show_all
    from scenthound.cli.views.output import as_json

    found = kept_models(folder)
    if name is not None:
        chosen = model_called(name, found, folder)
        if json:
            typer.echo(as_json(chosen))
        else:
            show(chosen, folder)
    elif json:
        typer.echo(as_json(found))
    else:
        show_all(found, folder)

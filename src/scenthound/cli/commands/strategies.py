"""`scenthound strategies`: what there is to choose from."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands.complete import strategies as all_strategies


def strategies(
    name: Annotated[
        str | None,
        Argument(metavar="NAME", help="Tell all about this one.", autocompletion=all_strategies),
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """List the strategies: the rules that decide which link is followed next.

    \b
    [bold]Examples[/bold]
    scenthound strategies
    scenthound strategies best-n-first
    scenthound crawl birds -s example.org --strategy best-n-first --param n=10
    """
    import json as jsonlib

    from scenthound.app.strategies import describe
    from scenthound.cli.views.strategies import show, show_all

    names = [name] if name else all_strategies()
    described = [describe(each) for each in names]
    if json:
        typer.echo(jsonlib.dumps(described[0] if name else described, indent=2))
    elif name:
        show(described[0])
    else:
        show_all(described)

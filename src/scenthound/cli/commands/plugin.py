"""`scenthound plugin`: packages that offer more strategies, judges, formats and so on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.started_as import program
from scenthound.cli.views.help import QuickHelp, QuickHelpGroup

plugin = typer.Typer(
    name="plugin",
    cls=QuickHelpGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="""Plug-ins: packages that offer more strategies, judges, fetchers, readers, formats and sources of seeds.

    \b
    [bold]Examples[/bold]
    scenthound plugin new strategy short-urls
    scenthound plugin list
    """,
)


@plugin.command(cls=QuickHelp)
def new(
    kind: Annotated[str, Argument(metavar="KIND", help="strategy, judge, fetcher, document, exporter or seed-source.")],
    name: Annotated[str, Argument(metavar="NAME", help="What it is to be called; of a document, the ending of files.")],
    into: Annotated[
        Path | None, Option(metavar="FOLDER", help="Where to write it; ./scenthound-NAME if not given.")
    ] = None,
) -> None:
    """Write the beginnings of a plug-in: a package that works, with a test, to be changed into what you want.

    \b
    [bold]Examples[/bold]
    scenthound plugin new strategy short-urls
    scenthound plugin new document rtf --into rtf-reader
    """
    from scenthound.app.plugin import new_plugin

    folder = into or Path(f"scenthound-{name}")
    for path in new_plugin(kind, name, folder):
        typer.echo(f"wrote {path}")
    typer.echo(f"Next: pip install -e {folder}, then {program()} plugin list")


@plugin.command("list", cls=QuickHelp)
def list_(json: Annotated[bool, Option("--json", help="As JSON.")] = False) -> None:
    """Show the plug-ins that are installed, and why one of them cannot be loaded.

    \b
    [bold]Examples[/bold]
    scenthound plugin list
    scenthound plugin list --json
    """
    from scenthound.app.plugin import installed_plugins
    from scenthound.cli.views.output import as_json

    found = installed_plugins()
    if json:
        typer.echo(as_json(found))
        return
    if not found:
        typer.echo(f"No plug-ins are installed. To begin one: {program()} plugin new strategy NAME")
    for each in found:
        typer.echo(f"{each.kind:14} {each.name:20} {each.package:24} {each.problem or each.place}")

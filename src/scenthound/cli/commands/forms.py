"""`scenthound forms`: the search forms that a crawl came across, with their fields."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def forms(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library folder.")],
    json: Annotated[bool, Option("--json", help="A JSON object per form.")] = False,
) -> None:
    """List the search forms of the pages a library holds: where they lead, what they ask for, what else they send.

    What lies behind a form is reached by no link. With forms = true under [crawl] of topic.toml, a crawl asks the forms
    of hosts with relevant pages for the topic's keywords, by GET, and as politely as it asks for anything else.

    \b
    [bold]Examples[/bold]
    scenthound forms crawls/dengue-fever
    scenthound forms crawls/dengue-fever --json
    """
    # Imported here because they bring the library along, which --help and completion can do without.
    import msgspec

    from scenthound.app.forms import listed_forms
    from scenthound.report.formatting import printable

    for listed in listed_forms(folder):
        if json:
            typer.echo(msgspec.json.encode(listed).decode())
            continue
        typer.echo(printable(f"{listed.form.action}  asks for {listed.form.asks}, seen on {listed.page}"))
        for field in listed.form.fields:
            typer.echo(printable(f"    {field.kind:10} {field.name}{f' = {field.value}' if field.value else ''}"))

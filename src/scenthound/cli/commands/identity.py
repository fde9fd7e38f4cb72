"""`scenthound identity`: who the crawler is, for the people whose servers it asks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from scenthound.cli.started_as import program


def identity(
    contact: Annotated[str, Option(metavar="URL|MAIL", help="How to reach you.")] = "",
    agent: Annotated[str, Option(metavar="NAME", help="The name that robots.txt files know the crawler by.")] = "",
    sign: Annotated[Path | None, Option(metavar="KEY", help="The key that requests are signed with.")] = None,
    into: Annotated[
        Path | None, Option(metavar="FOLDER", help="Write the files here, for a web server; else the page is printed.")
    ] = None,
    new_key: Annotated[Path | None, Option(metavar="FILE", help="Make a key for signatures, and nothing else.")] = None,
) -> None:
    """Make the page about your crawler that an operator of a server wants to find, and publish its key.

    With a key (an extra: pip install 'scenthound\\[sign]') the folder also holds the directory of keys by which
    servers check signatures. Put both at the root of the host that `signature_agent` in topic.toml names.

    \b
    [bold]Examples[/bold]
    scenthound identity --contact me@example.org > about.html
    scenthound identity --new-key crawler.pem
    scenthound identity --contact https://example.org/crawler --sign crawler.pem --into public_html
    scenthound crawl "dengue fever" -s example.org --sign crawler.pem --contact https://example.org/crawler
    """
    # Imported here because they bring the network along, which --help and completion can do without.
    from scenthound.app.identity import identity_files, write_identity, write_new_key
    from scenthound.config import PolitenessSection

    if new_key is not None:
        write_new_key(new_key)
        typer.echo(f"{new_key} holds a new key; keep it to yourself.")
        typer.echo(f"Next: {program()} identity --contact YOU --sign {new_key} --into FOLDER")
        return
    settings = PolitenessSection(contact=contact, sign=str(sign) if sign else "")
    settings.agent = agent or settings.agent
    made = identity_files(settings)
    if into is None:
        typer.echo(made.files["index.html"].decode(), nl=False)
        return
    for path in write_identity(into, made):
        typer.echo(f"wrote {path}")

"""`scenthound mcp`: a library as tools for programs that speak the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option


def mcp(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    allow_crawl: Annotated[
        bool, Option("--allow-crawl", help="Tools that change something, too: start and steer a crawl, label pages.")
    ] = False,
) -> None:
    """Let a language model search and read a library, through the Model Context Protocol.

    Speaks on standard input and output, as such programs start it. Read-only unless --allow-crawl is given.
    Needs the extra: pip install 'scenthound\\[mcp]'

    \b
    [bold]Examples[/bold]
    scenthound mcp crawls/dengue-fever
    scenthound mcp crawls/dengue-fever --allow-crawl
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.mcp_server.serve import make_server

    make_server(folder, allow_crawl=allow_crawl).run("stdio")

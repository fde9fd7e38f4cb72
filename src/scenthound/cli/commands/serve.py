"""`scenthound serve`: libraries in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

HOST = "127.0.0.1"
PORT = 8417


def serve(
    folders: Annotated[
        list[Path], Argument(metavar="FOLDER...", help="Libraries, as crawl made them, and experiments of the lab.")
    ],
    port: Annotated[
        int, Option("--port", "-p", metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = PORT,
    host: Annotated[
        str, Option("--host", metavar="ADDRESS", help="Address to serve on. Any but loopback asks for a token.")
    ] = HOST,
    browser: Annotated[bool, Option("--open/--no-open", help="Open it in the browser.")] = False,
) -> None:
    """Watch, steer, read and search libraries in the browser.

    Nothing is sent anywhere, and nothing but this machine can reach it unless --host says so. Ctrl-C ends it, and with
    it a crawl that was begun there, at a clean point. Needs the extra: pip install 'scenthound\\[web]'

    \b
    [bold]Examples[/bold]
    scenthound serve crawls/dengue-fever
    scenthound serve crawls/* --port 0 --open
    scenthound serve crawls/dengue-fever lab/first lab/second
    scenthound crawl --demo --serve
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.app.event_loop import run
    from scenthound.cli.views.dashboard import serve_folders

    run(serve_folders(folders, host, port, browser))

"""`scenthound look`: what there is to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def look(
    what: Annotated[
        str, Argument(metavar="FILE|FOLDER|URL", help="A WARC file, a folder of them, a library, or a page.")
    ],
    allow_private: Annotated[
        bool, Option("--allow-private", help="The page may be on this machine or network.")
    ] = False,
    contact: Annotated[str | None, Option(metavar="URL|MAIL", help="Who you are, told to the server.")] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Say what a recording holds, or what a page is like: hosts, pages, dates, and good pages to start from.

    Returns 4 if a recording cannot be read, and 7 if a page does not answer.

    \b
    [bold]Examples[/bold]
    scenthound look web.warc.gz
    scenthound look recordings/
    scenthound look https://example.org/birds
    """
    # Imported here because they bring the fetcher along, which --help and completion can do without.
    from scenthound.app.event_loop import run
    from scenthound.app.look import is_url, look_at_page, look_at_recording
    from scenthound.cli.views.look import page_lines, recording_lines
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.config import Config

    if is_url(what):
        config = Config()
        config.fetch.private_addresses = allow_private
        config.politeness.contact = contact or ""
        page = run(look_at_page(what, config))
        typer.echo(as_json(page) if json else "\n".join(page_lines(page)))
        return
    progress = ProgressLine("Reading byte")
    try:
        found = look_at_recording(Path(what), progress)
    finally:
        progress.end()
    typer.echo(as_json(found) if json else "\n".join(recording_lines(found, what)))

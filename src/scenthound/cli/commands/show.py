"""`scenthound show`: one page of a library."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.errors import UsageError

PART = "Only a part of it"
PAST = "What it was before"


def show(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    url: Annotated[str, Argument(metavar="URL", help="The page.")],
    text: Annotated[bool, Option("--text", help="The text, as it is, and nothing else.", rich_help_panel=PART)] = False,
    html: Annotated[bool, Option("--html", help="The page as it was received.", rich_help_panel=PART)] = False,
    headers: Annotated[bool, Option("--headers", help="The headers of the answer.", rich_help_panel=PART)] = False,
    links: Annotated[bool, Option("--links", help="The links on the page.", rich_help_panel=PART)] = False,
    backlinks: Annotated[bool, Option("--backlinks", help="The links to the page.", rich_help_panel=PART)] = False,
    at: Annotated[
        str | None, Option("--at", metavar="DATE", help="As it was then: 2026-01-01, 7d.", rich_help_panel=PAST)
    ] = None,
    diff: Annotated[
        bool, Option("--diff", help="What the last change was, or what changed since --at.", rich_help_panel=PAST)
    ] = False,
    versions: Annotated[bool, Option("--versions", help="All versions kept.", rich_help_panel=PAST)] = False,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Show a page: title, facts and text, or its HTML, headers or links. Works while a crawl is running.

    \b
    [bold]Examples[/bold]
    scenthound show crawls/dengue-fever https://example.org/health
    scenthound show crawls/dengue-fever https://example.org/health --html > page.html
    scenthound show crawls/dengue-fever https://example.org/health --backlinks
    scenthound show crawls/dengue-fever https://example.org/health --at 2026-01-01 --diff
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.app.show import as_text, find_page, kept_answer, plain_part
    from scenthound.app.user_input import end_of_day, stored_spelling
    from scenthound.app.versions import version_at
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.page import lines
    from scenthound.cli.views.terminal_text import harmless
    from scenthound.library import open_library

    parts = _parts(text, html, headers, links, backlinks) | {"diff": diff, "versions": versions}
    chosen = [part for part, wanted in parts.items() if wanted]
    if len(chosen) > 1:
        raise UsageError(f"One part at a time: --{chosen[0]} or --{chosen[1]}.")
    part = chosen[0] if chosen else ""
    if part == "html" and json:
        raise UsageError("The HTML is shown as it was received; leave --json out.")
    if at and part in ("links", "backlinks", "versions"):
        raise UsageError(f"--{part} shows what is stored now; leave --at out.")
    with open_library(folder, write=False) as library:
        page = find_page(library, stored_spelling(library, url))
        version = version_at(library, page, end_of_day(at)) if at else None
        if json:
            typer.echo(as_json(plain_part(library, page, part, version)))
        elif part == "html" and sys.stdout.isatty():
            typer.echo(harmless(as_text(kept_answer(library, page, version), page.charset)))
        elif part == "html":
            sys.stdout.flush()
            sys.stdout.buffer.write(kept_answer(library, page, version).body)
            sys.stdout.buffer.flush()
        elif part == "text":
            shown = library.text(page.url, version) or ""
            typer.echo(harmless(shown) if sys.stdout.isatty() else shown)
        else:
            console = Console(highlight=False, soft_wrap=True)
            for line in lines(library, page, part, version):
                console.print(line)


def _parts(text: bool, html: bool, headers: bool, links: bool, backlinks: bool) -> dict[str, bool]:
    return {"text": text, "html": html, "headers": headers, "links": links, "backlinks": backlinks}

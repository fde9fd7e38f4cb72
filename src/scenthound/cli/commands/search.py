"""`scenthound search`: full text over what was collected."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

NOTHING = 1
"""Exit code when nothing was found, as grep has it."""

MINUS_WORDS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
"""So that `-word` is a word left out and no bundle of options."""


def search(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    words: Annotated[
        list[str], Argument(metavar="WORDS...", help="What to look for; -word leaves out, quotes make a phrase.")
    ],
    relevance: Annotated[
        float | None, Option(metavar="X", min=0, max=1, help="Only pages at least this relevant to the topic.")
    ] = None,
    relevant: Annotated[bool, Option("--relevant", help="Only pages over the crawl's threshold.")] = False,
    host: Annotated[str | None, Option(metavar="NAME", help="Only this host: www.example.org.")] = None,
    site: Annotated[str | None, Option(metavar="NAME", help="Only this site, all its hosts: example.org.")] = None,
    since: Annotated[
        str | None, Option(metavar="DATE", help="Only pages fetched since: 2026-11-15, or 3d for three days ago.")
    ] = None,
    until: Annotated[str | None, Option(metavar="DATE", help="Only pages fetched before.")] = None,
    limit: Annotated[int, Option(metavar="N", min=1, max=1000, help="How many to show.")] = 10,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Search the pages of a library: ranked, stemmed, with snippets. Works while a crawl is running.

    Words may say where to look: title:vaccine, site:example.org, host:www.example.org, url:/news/, language:de,
    year:2026 (in which a page was published; year:unknown: it does not say),
    fetched:2026, is:relevant.

    The first search after a crawl takes the new pages into the index, which may take a moment.
    Returns 1 if nothing was found.

    \b
    [bold]Examples[/bold]
    scenthound search crawls/dengue-fever mosquito repellent
    scenthound search crawls/dengue-fever "dengue vaccine" -trial
    scenthound search crawls/dengue-fever outbreak --relevant --site example.org --since 7d
    scenthound search crawls/dengue-fever title:vaccine language:es url:/news/
    scenthound search crawls/dengue-fever vaccine --limit 50 --json
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.app.search import search_library
    from scenthound.app.user_input import moment
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.cli.views.search import lines
    from scenthound.protocols.records import SearchFilters

    _no_options(words)
    filters = SearchFilters(
        relevance=relevance or 0.0,
        relevant=relevant,
        host=host or "",
        site=site or "",
        since=moment(since),
        until=moment(until),
    )
    progress = ProgressLine("Indexing page")
    try:
        found = search_library(folder, words, filters, limit, progress)
    finally:
        progress.end()
    if json:
        typer.echo(as_json(found))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for line in lines(found, console.width):
            console.print(line)
    if not found.hits:
        raise typer.Exit(NOTHING)


def _no_options(words: list[str]) -> None:
    """What looks like an option and is none would silently be a word that nobody meant."""
    from scenthound.errors import UsageError

    for word in words:
        if word.startswith("--") or (len(word) == 2 and word.startswith("-") and word[1].isalpha()):
            raise UsageError(f"search has no option {word}. Those it has: scenthound search --help")

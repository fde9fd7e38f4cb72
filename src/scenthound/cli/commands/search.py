"""`scenthound search`: full text over what was collected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from rich.text import Text

    from scenthound.library.sqlite.search import SearchHit, SearchResult

NOTHING = 1
"""Exit code when nothing was found, as grep has it."""

FATES = {"failed": " · gone since", "moved": " · moved since"}
"""What a later look at a page has shown."""

SETTINGS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
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

    The first search after a crawl takes the new pages into the index, which may take a moment.
    Returns 1 if nothing was found.

    \b
    [bold]Examples[/bold]
    scenthound search crawls/dengue-fever mosquito repellent
    scenthound search crawls/dengue-fever "dengue vaccine" -trial
    scenthound search crawls/dengue-fever outbreak --relevant --site example.org --since 7d
    scenthound search crawls/dengue-fever vaccine --limit 50 --json
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.cli.arguments import as_json, moment
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.library.sqlite.search import SearchFilters, SqliteSearch

    filters = SearchFilters(
        relevance=relevance or 0.0,
        relevant=relevant,
        host=host or "",
        site=site or "",
        since=moment(since),
        until=moment(until),
    )
    with SqliteSearch.open(folder) as index:
        progress = ProgressLine("Indexing page")
        try:
            index.catch_up(progress)
        finally:
            progress.end()
        found = index.find(words, filters, limit)
    if json:
        typer.echo(as_json(found))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for line in lines(found, console.width):
            console.print(line)
    if not found.hits:
        raise typer.Exit(NOTHING)


def lines(found: SearchResult, width: int) -> Iterator[Text]:
    from rich.text import Text

    from scenthound.report.figures import plural

    if not found.hits:
        yield Text("Nothing found. Fewer or other words, or fewer filters, may help.")
        return
    shown = f" The best {len(found.hits)} of" if len(found.hits) < found.total else ""
    note = "; no page has all of the words, these have some" if found.loosened else ""
    yield Text(f"{shown} {plural(found.total, 'page')}{note}\n", "dim")
    for number, hit in enumerate(found.hits, 1):
        yield from _hit_lines(number, hit, width)


def _hit_lines(number: int, hit: SearchHit, width: int) -> Iterator[Text]:
    from rich.text import Text

    from scenthound.report.figures import count, day, printable

    yield Text.assemble((f"{number:>3}  ", "dim"), (printable(hit.title) or "(no title)", "bold"))
    copies = f" · {count(hit.copies)} {'copy' if hit.copies == 1 else 'copies'}" if hit.copies else ""
    yield Text.assemble(
        "     ",
        (printable(hit.url), "cyan"),
        ("  relevance ", "dim"),
        (f"{hit.relevance:.2f}", "green" if hit.relevant else "dim"),
        (f" · {day(hit.fetched_at)}{copies}", "dim"),
        (FATES.get(hit.state, ""), "yellow"),
    )
    yield from _snippet_lines(hit, max(20, min(width, 100) - 6))
    yield Text()


def _snippet_lines(hit: SearchHit, width: int) -> Iterator[Text]:
    """The snippet, wrapped. Control characters become blanks one by one, so that the marks stay in their places."""
    from rich.console import Console
    from rich.text import Text

    text = Text("".join(char if char.isprintable() else " " for char in hit.snippet.text))
    for start, end in hit.snippet.marks:
        text.stylize("bold yellow", start, end)
    for line in text.wrap(Console(), width):
        line.rstrip()
        yield Text("     ").append_text(line)

"""`scenthound changes`: what is new in a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from scenthound.errors import UsageError

if TYPE_CHECKING:
    from scenthound.protocols.library import History

AS = "As what"
LIMIT = 50


def changes(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    since: Annotated[str, Option(metavar="TIME", help="7d, 12h, 1m (a month), or a date: 2026-11-15.")] = "7d",
    relevant: Annotated[bool, Option("--relevant", help="Only pages that are about the topic, or were.")] = False,
    noise: Annotated[bool, Option("--noise", help="Also changes in nothing but dates, counters and the like.")] = False,
    first: Annotated[bool, Option("--first", help="Also the pages that the first crawl brought.")] = False,
    order: Annotated[str, Option(metavar="newest|relevance", help="What comes first.")] = "newest",
    limit: Annotated[int, Option("--limit", "-n", metavar="N", min=0, help="How many; 0 = all.")] = LIMIT,
    broken: Annotated[bool, Option("--broken", help="Broken links, and the pages that hold them, instead.")] = False,
    json: Annotated[bool, Option("--json", help="As JSON.", rich_help_panel=AS)] = False,
    markdown: Annotated[
        bool, Option("--markdown", help="A digest of the relevant pages, in Markdown.", rich_help_panel=AS)
    ] = False,
    atom: Annotated[
        Path | None,
        Option(metavar="FILE", help="Write a feed of the relevant pages; - for the output.", rich_help_panel=AS),
    ] = None,
) -> None:
    """Show what is new: pages that came, changed, moved or went, and pages that are about something else now.

    What the first crawl brought is no news; later crawls bring some, and [bold]revisit[/bold] learns of changes.
    What a page said before: [bold]show FOLDER URL --diff[/bold].

    \b
    [bold]Examples[/bold]
    scenthound changes crawls/dengue-fever --since 7d
    scenthound changes crawls/dengue-fever --relevant --markdown > news.md
    scenthound changes crawls/dengue-fever --since 30d --atom feed.xml
    scenthound changes crawls/dengue-fever --broken
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from rich.console import Console

    from scenthound.app.changes import ORDERS, NewsOptions, digest, feed, gather_news, plain_news
    from scenthound.app.user_input import moment
    from scenthound.cli.views.changes import lines
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.library import open_library

    if sum((json, markdown, atom is not None)) > 1:
        raise UsageError("One of --json, --markdown and --atom at a time.")
    if broken and (markdown or atom is not None):
        raise UsageError("Broken links are shown as lines, or with --json.")
    if order not in ORDERS:
        raise UsageError(f"--order {order!r} is unknown; it is one of: {', '.join(ORDERS)}.")
    start = moment(since)
    with open_library(folder, write=False) as history:
        if broken:
            _broken(history, json)
            return
        progress = ProgressLine("Comparing")
        only_relevant = relevant or markdown or atom is not None
        most = 0 if atom is not None or (json and limit == LIMIT) else limit
        options = NewsOptions(relevant=only_relevant, noise=noise, first=first, order=order, limit=most)
        found = gather_news(history, start, options, progress)
        news = found.news
        progress.end()
        if json:
            typer.echo(as_json(plain_news(news)))
        elif markdown:
            typer.echo(digest(history, news, start), nl=False)
        elif atom is not None:
            _write_feed(feed(history, news), atom)
        else:
            console = Console(highlight=False, soft_wrap=True)
            for line in lines(news, folder):
                console.print(line)
            if found.whole > len(news):
                console.print(f"{found.whole - len(news):,} more; for all of them: -n 0", style="dim")


def _write_feed(xml: str, path: Path) -> None:
    from scenthound.atomic_write import replacing

    if str(path) == "-":
        typer.echo(xml, nl=False)
        return
    with replacing(path) as stream:
        stream.write(xml)
    typer.echo(path)


def _broken(history: History, json: bool) -> None:
    from scenthound.cli.views.changes import broken_lines
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.revisit.tell.broken_links import broken_links

    progress = ProgressLine("Looking for the pages that hold broken links:")
    found = list(broken_links(history, progress))
    progress.end()
    if json:
        typer.echo(as_json(found))
        return
    for line in broken_lines(found):
        typer.echo(line)
    if not found:
        typer.echo("No broken links.", err=True)

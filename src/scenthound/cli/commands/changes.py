"""`scenthound changes`: what is new in a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from scenthound.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from scenthound.protocols.library import Library
    from scenthound.revisit.detect.text_diff import Piece
    from scenthound.revisit.tell.broken_links import BrokenLink
    from scenthound.revisit.tell.change_log import ChangeLog

AS = "As what"
MOST_SENTENCES = 4
STYLES = {
    "new": "green",
    "became relevant": "green",
    "changed": "yellow",
    "lost its relevance": "red",
    "moved": "cyan",
    "missing": "red",
    "gone": "red",
    "back": "green",
    "noise": "dim",
}


def changes(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    since: Annotated[str, Option(metavar="TIME", help="7d, 12h, or a date: 2026-11-15.")] = "7d",
    relevant: Annotated[bool, Option("--relevant", help="Only pages that are about the topic, or were.")] = False,
    noise: Annotated[bool, Option("--noise", help="Also changes in nothing but dates, counters and the like.")] = False,
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

    The library learns of it by [bold]revisit[/bold]. What a page said before: [bold]show FOLDER URL --diff[/bold].

    \b
    [bold]Examples[/bold]
    scenthound changes crawls/dengue-fever --since 7d
    scenthound changes crawls/dengue-fever --relevant --markdown > news.md
    scenthound changes crawls/dengue-fever --since 30d --atom feed.xml
    scenthound changes crawls/dengue-fever --broken
    """
    # Imported here because they bring the store along, which --help and completion can do without.
    from scenthound.cli.arguments import moment
    from scenthound.library import open_library

    if sum((json, markdown, atom is not None)) > 1:
        raise UsageError("One of --json, --markdown and --atom at a time.")
    if broken and (markdown or atom is not None):
        raise UsageError("Broken links are shown as lines, or with --json.")
    start = moment(since)
    with open_library(folder, write=False) as history:
        if broken:
            _broken(history, json)
            return
        only_relevant = relevant or markdown or atom is not None
        news = _gather(history, start, only_relevant, noise)
        if json:
            _print_json(news)
        elif markdown:
            _print_digest(history, news, start)
        elif atom is not None:
            _write_feed(history, news, atom)
        else:
            _print_lines(news)


def _gather(history: Library, since: float, relevant: bool, noise: bool) -> list[tuple[ChangeLog, list[Piece]]]:
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.revisit.tell.change_log import gather, pieces

    progress = ProgressLine("Comparing")
    news = gather(history, since, relevant=relevant, noise=noise)
    found = []
    for number, item in enumerate(news, 1):
        found.append((item, pieces(history, item)))
        progress(number, len(news))
    progress.end()
    return found


def _print_json(news: list[tuple[ChangeLog, list[Piece]]]) -> None:
    import msgspec

    from scenthound.cli.arguments import as_json

    typer.echo(
        as_json(
            [
                {
                    "id": item.id,
                    **msgspec.to_builtins(item),
                    "diff": [{"op": part.op, "text": part.text} for part in parts if part.op != "same"],
                }
                for item, parts in news
            ]
        )
    )


def _print_digest(history: Library, news: list[tuple[ChangeLog, list[Piece]]], since: float) -> None:
    import time

    from scenthound.library.run_settings import last_settings
    from scenthound.revisit.tell.digest import markdown

    typer.echo(markdown(news, last_settings(history).topic.name, since, time.time()), nl=False)


def _write_feed(history: Library, news: list[tuple[ChangeLog, list[Piece]]], path: Path) -> None:
    import time

    from scenthound.atomic_write import replacing
    from scenthound.library.run_settings import last_settings
    from scenthound.revisit.tell.atom_feed import atom

    first = next(history.pages(), None)
    place = history.folder.resolve() if history.folder is not None else ""
    library = f"{first.url} {first.first_at!r}" if first is not None else str(place)
    xml = atom(news, last_settings(history).topic.name, library, time.time())
    if str(path) == "-":
        typer.echo(xml, nl=False)
        return
    with replacing(path) as stream:
        stream.write(xml)
    typer.echo(path)


def _print_lines(news: list[tuple[ChangeLog, list[Piece]]]) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for line in _lines(news):
        console.print(line)


def _lines(news: list[tuple[ChangeLog, list[Piece]]]) -> Iterator[Text]:
    from rich.text import Text

    from scenthound.report.figures import day, printable
    from scenthound.revisit.tell.atom_feed import sentence

    if not news:
        yield Text("Nothing new. To look again: scenthound revisit FOLDER", "dim")
    for item, parts in news:
        yield Text.assemble(
            (f"{item.sort:<18}", STYLES[item.sort]), f"  {day(item.at)}  ", (printable(item.url), "cyan")
        )
        yield Text.assemble(
            "  ", (printable(item.title) or "(no title)", "bold"), "  ", (printable(sentence(item)), "dim")
        )
        yield from _sentences(parts)


def _sentences(parts: list[Piece]) -> Iterator[Text]:
    from rich.text import Text

    from scenthound.report.figures import printable
    from scenthound.report.markup import short

    changed = [part for part in parts if part.op != "same"]
    for part in changed[:MOST_SENTENCES]:
        sign, style = ("+", "green") if part.op == "new" else ("-", "red")
        yield Text(f"    {sign} {short(printable(part.text), 200)}", style)
    if len(changed) > MOST_SENTENCES:
        yield Text(f"    … and {len(changed) - MOST_SENTENCES} sentences more", "dim")


def _broken(history: Library, json: bool) -> None:
    import msgspec

    from scenthound.cli.arguments import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.report.figures import printable
    from scenthound.revisit.tell.broken_links import broken_links

    progress = ProgressLine("Looking for the pages that hold broken links:")
    found: list[BrokenLink] = list(broken_links(history, progress))
    progress.end()
    if json:
        plain: Any = msgspec.to_builtins(found)
        typer.echo(as_json(plain))
        return
    for link in found:
        for holder in link.holders:
            typer.echo("\t".join(map(printable, (link.url, link.reason, holder.url, holder.anchor))))
    if not found:
        typer.echo("No broken links.", err=True)

"""What is new in a library, in lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from scenthound.app.changes import News
from scenthound.cli.started_as import program
from scenthound.report.formatting import day, printable
from scenthound.report.markup import short
from scenthound.revisit.detect.text_diff import Piece
from scenthound.revisit.tell.atom_feed import sentence
from scenthound.revisit.tell.broken_links import BrokenLink

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


def lines(news: News, folder: Path) -> Iterator[Text]:
    if not news:
        yield Text(f"Nothing new. To look again: {program()} revisit {shlex.quote(str(folder))}", "dim")
    for item, parts in news:
        yield Text.assemble(
            (f"{item.sort:<18}", STYLES[item.sort]), f"  {day(item.at)}  ", (printable(item.url), "cyan")
        )
        yield Text.assemble(
            "  ", (printable(item.title) or "(no title)", "bold"), "  ", (printable(sentence(item)), "dim")
        )
        yield from _sentences(parts)


def _sentences(parts: list[Piece]) -> Iterator[Text]:
    changed = [part for part in parts if part.op != "same"]
    for part in changed[:MOST_SENTENCES]:
        sign, style = ("+", "green") if part.op == "new" else ("-", "red")
        yield Text(f"    {sign} {short(printable(part.text), 200)}", style)
    if len(changed) > MOST_SENTENCES:
        yield Text(f"    … and {len(changed) - MOST_SENTENCES} sentences more", "dim")


def broken_lines(found: Sequence[BrokenLink]) -> Iterator[str]:
    """The link, what is wrong with it, and the page that holds it: a line each, for `cut`."""
    for link in found:
        for holder in link.holders:
            yield "\t".join(map(printable, (link.url, link.reason, holder.url, holder.anchor)))

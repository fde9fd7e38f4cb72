"""The list of sites, drawn: a block of lines a site for people, a row or an object a site for programs."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TextIO

import msgspec
from rich.console import Console
from rich.text import Text

from scenthound.cli.views.figures import fit
from scenthound.export.csv import cell
from scenthound.export.fields import moment
from scenthound.report.figures import plural, printable, short_url
from scenthound.sites.site_list import FoundSite

GOOD, QUIET = "green", "dim"
COLUMNS = (
    "site", "relevant", "confidence", "decided", "pages", "homepage", "title", "strongest", "found_on", "anchor",
    "way", "first_at",
)  # fmt: skip


class Form(NamedTuple):
    shape: Literal["table", "csv", "json"] = "table"
    everything: bool = False


def write(rows: Sequence[FoundSite], form: Form, stream: TextIO | None = None) -> None:
    stream = stream or sys.stdout
    if form.shape == "json":
        for row in rows:
            stream.write(msgspec.json.encode(_plain(row)).decode() + "\n")
    elif form.shape == "csv":
        lines = csv.writer(stream, lineterminator="\n")
        lines.writerow(COLUMNS)
        for row in rows:
            plain = _plain(row)
            plain["strongest"] = " ".join(page.url for page in row.strongest)
            plain["way"] = " > ".join(row.way)
            lines.writerow([cell(plain[name]) for name in COLUMNS])
    else:
        console = Console(file=stream, highlight=False, soft_wrap=True)
        for line in _table(rows, form.everything, console.width):
            console.print(line)
    stream.flush()


def _plain(row: FoundSite) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(row)
    return plain | {"first_at": moment(row.first_at)}


def _table(rows: Sequence[FoundSite], everything: bool, width: int) -> Iterator[Text]:
    if not rows:
        yield Text(" No site was looked at." if everything else " No relevant site was found.", "yellow")
        return
    for number, row in enumerate(rows, 1):
        yield from _block(number, row, max(width, 60))


def _block(number: int, row: FoundSite, width: int) -> Iterator[Text]:
    colour = GOOD if row.relevant else "yellow"
    doubt = "" if row.decided else ", undecided"
    told = printable(row.title)
    yield Text.assemble(
        (f"{number:4d}  ", QUIET),
        (f"{row.confidence:.2f}  ", colour),
        (printable(row.site), "bold"),
        (f"  {fit(told, min(len(told), 50))}" if told else "", ""),
        (f"  {plural(row.pages, 'page')}{doubt}", QUIET),
    )
    room = width - 24
    for page in row.strongest:
        yield Text(f"            {page.confidence:.2f}  {fit(short_url(page.url), room).rstrip()}", QUIET)
    yield Text(f"            {_found(row)}", QUIET)


def _found(row: FoundSite) -> str:
    if not row.found_on:
        return "a seed"
    anchor = f", “{fit(printable(row.anchor), 40).rstrip()}”" if row.anchor else ""
    hops = plural(len(row.way), "site")
    return f"found on {short_url(row.found_on)}{anchor}; {hops} from a seed"

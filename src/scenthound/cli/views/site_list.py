"""The list of sites, drawn: a block of lines a site for people, a row or an object a site for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TextIO

from rich.console import Console
from rich.text import Text

from scenthound.app.site_table import write_sites_csv, write_sites_json
from scenthound.cli.views.terminal_text import fit
from scenthound.report.formatting import plural, printable, short_url
from scenthound.sites.site_list import FoundSite

GOOD, QUIET = "green", "dim"


class Form(NamedTuple):
    shape: Literal["table", "csv", "json"] = "table"
    everything: bool = False


def write(rows: Sequence[FoundSite], form: Form, stream: TextIO | None = None) -> None:
    stream = stream or sys.stdout
    if form.shape == "json":
        write_sites_json(rows, stream)
    elif form.shape == "csv":
        write_sites_csv(rows, stream)
    else:
        console = Console(file=stream, highlight=False, soft_wrap=True)
        for line in _table(rows, form.everything, console.width):
            console.print(line)
    stream.flush()


def _table(rows: Sequence[FoundSite], everything: bool, width: int) -> Iterator[Text]:
    if not rows:
        yield Text(" No site was looked at." if everything else " No relevant site was found.", "yellow")
        return
    for number, row in enumerate(rows, 1):
        yield from _block(number, row, max(width, 60))


def _block(number: int, row: FoundSite, width: int) -> Iterator[Text]:
    colour = GOOD if row.relevant else "yellow"
    doubt = ", labelled" if row.label is not None else "" if row.decided else ", undecided"
    told = printable(row.name or row.title)
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

"""What a search found, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from scenthound.protocols.records import SearchHit, SearchResult
from scenthound.report.formatting import count, day, plural, printable

FATES = {"failed": " · gone since", "moved": " · moved since"}
"""What a later look at a page has shown."""


LABELS = {None: "", True: " · labelled yes", False: " · labelled no"}


def lines(found: SearchResult, width: int) -> Iterator[Text]:
    if not found.hits:
        yield Text("Nothing found. Fewer or other words, or fewer filters, may help.")
        return
    shown = f" The best {len(found.hits)} of" if len(found.hits) < found.total else ""
    note = "; no page has all of the words, these have some" if found.loosened else ""
    yield Text(f"{shown} {plural(found.total, 'page')}{note}\n", "dim")
    for number, hit in enumerate(found.hits, 1):
        yield from _hit_lines(number, hit, width)


def _hit_lines(number: int, hit: SearchHit, width: int) -> Iterator[Text]:
    yield Text.assemble((f"{number:>3}  ", "dim"), (printable(hit.title) or "(no title)", "bold"))
    copies = f" · {count(hit.copies)} {'copy' if hit.copies == 1 else 'copies'}" if hit.copies else ""
    yield Text.assemble(
        "     ",
        (printable(hit.url), "cyan"),
        ("  relevance ", "dim"),
        (f"{hit.relevance:.2f}", "green" if hit.relevant else "dim"),
        (f" · {day(hit.fetched_at)}{copies}", "dim"),
        (LABELS[hit.label], "green" if hit.label else "yellow"),
        (FATES.get(hit.state, ""), "yellow"),
    )
    yield from _snippet_lines(hit, max(20, min(width, 100) - 6))
    yield Text()


def _snippet_lines(hit: SearchHit, width: int) -> Iterator[Text]:
    """The snippet, wrapped. Control characters become blanks one by one, so that the marks stay in their places."""
    text = Text("".join(char if char.isprintable() else " " for char in hit.snippet.text))
    for start, end in hit.snippet.marks:
        text.stylize("bold yellow", start, end)
    for line in text.wrap(Console(), width):
        line.rstrip()
        yield Text("     ").append_text(line)

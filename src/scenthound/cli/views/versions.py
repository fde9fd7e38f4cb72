"""What a page was before, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from scenthound.app.versions import compared, pieces
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage, Version
from scenthound.report.formatting import day, percent, plural, printable
from scenthound.revisit.detect.text_diff import hunks, summary

_STYLES = {"new": ("+", "green"), "gone": ("-", "red"), "same": (" ", "dim")}


def diff_lines(library: Library, page: StoredPage, since: Version | None) -> Iterator[Text]:
    versions = compared(library, page, since)
    found = pieces(library, page, versions)
    yield Text(printable(page.url), "cyan")
    yield Text(f"{day(versions[0].at)} to {day(versions[1].at)}: {summary(found)}", "dim")
    for number, hunk in enumerate(hunks(found)):
        if number:
            yield Text("…", "dim")
        for piece in hunk:
            sign, style = _STYLES[piece.op]
            yield Text(f"{sign} {printable(piece.text)}", style)


def version_lines(library: Library, page: StoredPage) -> Iterator[Text]:
    """A line a version, oldest first, with what the look that brought it showed."""
    looks = {look.version: look for look in library.looks_of(page.url) if look.version is not None}
    for version in library.versions(page.url):
        look = looks.get(version.seq)
        what = "first" if look is None else f"{look.outcome}, {look.kind} {percent(look.size)}, {look.detail}"
        if look is not None and look.outcome == "moved":
            what = f"moved to {look.detail}"
        title = printable(version.title) or (f"status {version.status}" if not version.content else "(no title)")
        yield Text.assemble(f"{day(version.at)}  ", (f"{printable(what)}  ", "dim"), title)
    looked = [look for look in library.looks_of(page.url) if look.version is None]
    if looked:
        yield Text(f"{plural(len(looked), 'look')} more that brought nothing new, the last {day(looked[-1].at)}", "dim")

"""Pages as they were: for `show --at`, `--diff` and `--versions`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from scenthound.cli.arguments import moment
from scenthound.errors import LibraryError
from scenthound.library.sqlite.history import History
from scenthound.protocols.records import StoredPage, Version
from scenthound.report.figures import day, percent, printable
from scenthound.revisit.detect.text_diff import Piece, diff, hunks, summary

_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_STYLES = {"new": ("+", "green"), "gone": ("-", "red"), "same": (" ", "dim")}


def version_at(library: History, page: StoredPage, at: str) -> Version:
    """The version that was stored then; a day without a time is that day's end."""
    when = moment(at) + (86_399.0 if _DAY.match(at.strip()) else 0.0)
    version = library.version_at(page.url, when)
    if version is None:
        raise LibraryError(f"{page.url} was not stored before {day(page.first_at)}. All its versions: show --versions")
    return version


def compared(library: History, page: StoredPage, since: Version | None) -> tuple[Version, Version]:
    """Two versions: the one of then and the one of now; without a then, the last two."""
    kept = [version for version in library.versions(page.url) if version.content]
    if not kept:
        raise LibraryError(f"Nothing of {page.url} was kept: it asks not to be indexed.")
    last = kept[-1]
    if since is None and len(kept) < 2:
        raise LibraryError(f"{page.url} has not changed since it was first fetched, {day(page.first_at)}.")
    return since or kept[-2], last


def pieces(library: History, page: StoredPage, versions: tuple[Version, Version]) -> list[Piece]:
    old, new = ((version.title, library.text(page.url, version) or "") for version in versions)
    titles = diff(old[0], new[0]) if old[0] != new[0] else []
    return [*titles, *diff(old[1], new[1])]


def diff_lines(library: History, page: StoredPage, since: Version | None) -> Iterator[Text]:
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


def plain_diff(library: History, page: StoredPage, since: Version | None) -> dict[str, Any]:
    versions = compared(library, page, since)
    parts = [{"op": piece.op, "text": piece.text} for piece in pieces(library, page, versions) if piece.op != "same"]
    return {"url": page.url, "from": versions[0].at, "to": versions[1].at, "diff": parts}


def version_lines(library: History, page: StoredPage) -> Iterator[Text]:
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
        yield Text(f"{len(looked)} looks more that brought nothing new, the last {day(looked[-1].at)}", "dim")


def plain_versions(library: History, page: StoredPage) -> list[dict[str, Any]]:
    return [
        {"at": version.at, "status": version.status, "title": version.title, "digest": version.digest}
        for version in library.versions(page.url)
    ]

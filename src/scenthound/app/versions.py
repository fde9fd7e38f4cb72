"""Pages as they were: which versions there are, which one was stored when, and what changed between two."""

from __future__ import annotations

from typing import Any

from scenthound.errors import LibraryError
from scenthound.protocols.library import History, Library, StoredPages
from scenthound.protocols.records import StoredPage, Version
from scenthound.report.formatting import day
from scenthound.revisit.detect.text_diff import Piece, diff


def version_at(library: History, page: StoredPage, at: float) -> Version:
    """The version that was stored at that unix time."""
    version = library.version_at(page.url, at)
    if version is None:
        raise LibraryError(f"{page.url} was not stored before {day(page.first_at)}. All its versions: show --versions")
    return version


def compared(library: Library, page: StoredPage, since: Version | None) -> tuple[Version, Version]:
    """Two versions: the one of then and the one of now; without a then, the last two."""
    kept = [version for version in library.versions(page.url) if version.content]
    if not kept:
        raise LibraryError(f"Nothing of {page.url} was kept: it asks not to be indexed.")
    last = kept[-1]
    if since is None and len(kept) < 2:
        raise LibraryError(f"{page.url} has not changed since it was first fetched, {day(page.first_at)}.")
    return since or kept[-2], last


def pieces(library: StoredPages, page: StoredPage, versions: tuple[Version, Version]) -> list[Piece]:
    old, new = ((version.title, library.text(page.url, version) or "") for version in versions)
    titles = diff(old[0], new[0]) if old[0] != new[0] else []
    return [*titles, *diff(old[1], new[1])]


def plain_diff(library: Library, page: StoredPage, since: Version | None) -> dict[str, Any]:
    versions = compared(library, page, since)
    parts = [{"op": piece.op, "text": piece.text} for piece in pieces(library, page, versions) if piece.op != "same"]
    return {"url": page.url, "from": versions[0].at, "to": versions[1].at, "diff": parts}


def plain_versions(library: StoredPages, page: StoredPage) -> list[dict[str, Any]]:
    return [
        {"at": version.at, "status": version.status, "title": version.title, "digest": version.digest}
        for version in library.versions(page.url)
    ]

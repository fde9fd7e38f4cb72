"""Links that lead nowhere, and the pages that hold them: what the owner of a page wants to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from scenthound.protocols.library import History

_BROKEN = ("gone", "status: 4", "dns", "connect", "tls", "redirect")
"""How the reason of a broken link begins. Servers in trouble (5xx, timeouts) and other media types are not counted."""

_OURS = ("status: 401", "status: 403", "status: 407", "status: 408", "status: 429", "status: 451")
"""Answers that say something about us, not about the link."""


class LinkHolder(Struct, frozen=True):
    url: str
    anchor: str


class BrokenLink(Struct, frozen=True):
    url: str
    reason: str
    since: float
    holders: list[LinkHolder]


def broken_links(history: History, progress: Callable[[int, int], None] | None = None) -> Iterator[BrokenLink]:
    """Broken links that stand on a stored page as it is now, in the order they were found."""
    rows = [row for row in history.broken() if is_broken(row[1])]
    for number, (url, reason, since) in enumerate(rows, 1):
        holders = [LinkHolder(link.source, link.anchor or link.title) for link in history.holders(url)]
        if holders:
            yield BrokenLink(url, reason, since, holders)
        if progress is not None:
            progress(number, len(rows))


def is_broken(reason: str) -> bool:
    return reason.startswith(_BROKEN) and not reason.startswith(_OURS)

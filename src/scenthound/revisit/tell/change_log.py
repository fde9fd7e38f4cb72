"""What is new in a library since a time: pages that came, changed, moved, went, or are about something else now.

One page may be news several times; each time is an item of its own, newest first. Noise is left out unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from scenthound.model import Outcome
from scenthound.protocols.library import History
from scenthound.protocols.records import PageLook, StoredPage
from scenthound.revisit.detect.gone_or_moved import BACK, STILL
from scenthound.revisit.detect.text_diff import Piece, diff

Sort = Literal["new", "changed", "became relevant", "lost its relevance", "moved", "missing", "gone", "back", "noise"]
SORTS: tuple[Sort, ...] = (
    "new",
    "became relevant",
    "changed",
    "lost its relevance",
    "moved",
    "missing",
    "gone",
    "back",
    "noise",
)
"""In the order a reader wants them."""

_SHOWN: tuple[Outcome, ...] = ("changed", "moved", "missing", "gone")


class ChangeLog(Struct, frozen=True):
    """One thing that happened to one page."""

    sort: Sort
    url: str
    title: str
    at: float
    relevance: float
    relevant: bool
    before: float | None = None  # relevance before; None for a new page
    kind: str = ""  # of a change: the test that noticed it
    size: float = 0.0  # of a change, 0..1
    detail: str = ""  # how many words, where to, why
    version: int | None = None  # what it brought

    @property
    def id(self) -> str:
        """The same for the same news, whenever and however often they are read."""
        return uuid5(NAMESPACE_URL, f"{self.url} {self.at!r} {self.sort}").urn


def gather(
    history: History,
    since: float,
    *,
    relevant: bool = False,
    noise: bool = False,
    arrived: float = 0.0,
) -> list[ChangeLog]:
    """All news since then, newest first. `relevant`: only of pages that are about the topic, or were.

    Pages that came before `arrived` are no news: they are what the library began with.
    """
    found = [
        item
        for item in _all(history, since, noise, arrived)
        if not relevant or item.relevant or item.sort == "lost its relevance"
    ]
    return sorted(found, key=lambda item: (-item.at, item.url))


def _all(history: History, since: float, noise: bool, arrived: float) -> Iterator[ChangeLog]:
    for page in history.new_pages(max(since, arrived)):
        yield _arrival(page)
    outcomes = (*_SHOWN, "noise") if noise else _SHOWN
    for look in history.looks(since, outcomes):
        if look.kind != STILL:
            yield _event(look)


def _arrival(page: StoredPage) -> ChangeLog:
    detail = f"repeats {page.duplicate_of}" if page.duplicate_of else ""
    return ChangeLog("new", page.url, page.title, page.first_at, page.relevance, page.relevant, detail=detail)


def _event(look: PageLook) -> ChangeLog:
    sort: Sort = look.outcome  # type: ignore[assignment]
    if look.outcome == "changed" and look.relevant != look.was_relevant:
        sort = "became relevant" if look.relevant else "lost its relevance"
    elif look.kind == BACK:
        sort = "back"
    return ChangeLog(
        sort,
        look.url,
        look.title,
        look.at,
        look.relevance,
        look.relevant,
        look.before,
        look.kind,
        look.size,
        look.detail,
        look.version,
    )


def pieces(history: History, item: ChangeLog) -> list[Piece]:
    """What changed in the text, sentence by sentence; empty where there is nothing to compare."""
    texts = history.texts(item.version) if item.version is not None and item.sort != "moved" else None
    return diff(*texts) if texts else []

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


class GatheredChanges(Struct, frozen=True):
    changes: list[ChangeLog]
    whole: int  # how many there are, were there no limit


def gather(
    history: History,
    since: float,
    *,
    relevant: bool = False,
    noise: bool = False,
    arrived: float = 0.0,
    best: bool = False,
    limit: int = 0,
) -> GatheredChanges:
    """The news since then, newest first, or the most relevant pages first. `relevant`: only of pages that are about
    the topic, or were. So many of them, 0 for all: of pages that came no more are read than are wanted.

    Pages that came before `arrived` are no news: they are what the library began with.
    """
    start = max(since, arrived)
    pages = history.new_pages(start, relevant=relevant, best=best, limit=limit)
    new = [_arrival(page) for page in pages]
    whole = history.count_new_pages(start, relevant=relevant) if limit and len(new) == limit else len(new)
    seen = [
        item
        for item in _looked(history, since, noise)
        if not relevant or item.relevant or item.sort == "lost its relevance"
    ]
    found = sorted([*new, *seen], key=_by_relevance if best else _by_time)
    return GatheredChanges(found[: limit or None], whole + len(seen))


def _by_time(item: ChangeLog) -> tuple[float, str]:
    return -item.at, item.url


def _by_relevance(item: ChangeLog) -> tuple[float, float, str]:
    return -item.relevance, -item.at, item.url


def _looked(history: History, since: float, noise: bool) -> Iterator[ChangeLog]:
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

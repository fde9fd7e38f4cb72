"""Places in a list of pages, as text that somebody may hand back: see `PageSlice.next`."""

from __future__ import annotations

from math import isfinite

from scenthound.protocols.records import PageOrder, StoredPage


def place_of(page: StoredPage, order: PageOrder) -> str:
    """The place behind this page."""
    return f"{page.relevance!r}:{page.seq}" if order == "best" else str(page.seq)


def read_place(text: str, order: PageOrder) -> tuple[float, int]:
    """Relevance and number of the page that a place is behind. Only the order `best` looks at the first."""
    relevance, colon, number = text.rpartition(":")
    try:
        place = (float(relevance) if order == "best" else 0.0, int(number))
    except ValueError:
        place = (float("nan"), 0)
    if not isfinite(place[0]) or not 0 <= place[1] < 2**62 or bool(colon) != (order == "best"):
        raise ValueError(f"{text!r} is no place in a list of pages sorted by {order}")
    return place

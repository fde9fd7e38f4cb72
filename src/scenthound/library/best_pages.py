"""The best pages of a library, as people want to see them listed."""

from __future__ import annotations

from scenthound.protocols.library import PageLists
from scenthound.protocols.records import PageFilters, StoredPage

LOOKED_AT = 20  # times as many pages as are wanted, at most: a library may hold hundreds of copies of its best


def best_pages(library: PageLists, wanted: int) -> list[StoredPage]:
    """Pages that count, the most relevant first; of pages that are byte for byte or word for word the same, one."""
    found: list[StoredPage] = []
    seen: set[tuple[str, object]] = set()
    place = ""
    for _ in range(LOOKED_AT):
        part = library.page_list(PageFilters(counts=True), "best", place, wanted)
        for page in part.pages:
            marks = {("digest", page.digest), *([("text", page.simhash)] if page.simhash else [])}
            if not marks & seen and len(found) < wanted:
                found.append(page)
            seen |= marks
        place = part.next
        if not place or len(found) == wanted:
            break
    return found

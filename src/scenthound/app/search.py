"""Full text search over what was collected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.app.search_fields import with_fields
from scenthound.library import open_library
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import SearchFilters, SearchResult


def search_library(
    folder: Path,
    words: Sequence[str],
    filters: SearchFilters | None = None,
    limit: int = 10,
    progress: Progress | None = None,
) -> SearchResult:
    """The best pages for the words. Pages that came since the last search are taken into the index first."""
    with open_library(folder, write=False) as library:
        library.update_search(progress)
        asked = with_fields(words, filters or SearchFilters())
        return library.search(asked.words, asked.filters, limit)

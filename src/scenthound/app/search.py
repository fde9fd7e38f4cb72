"""Full text search over what was collected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.library.sqlite.search import SearchFilters, SearchResult, SqliteSearch
from scenthound.protocols.crawl import Progress


def search_library(
    folder: Path, words: Sequence[str], filters: SearchFilters, limit: int = 10, progress: Progress | None = None
) -> SearchResult:
    """The best pages for the words. Pages that came since the last search are taken into the index first."""
    with SqliteSearch.open(folder) as index:
        index.catch_up(progress)
        return index.find(words, filters, limit)

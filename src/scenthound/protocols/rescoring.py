"""When a strategy is asked once more about the links that wait: see `Rescores`."""

from __future__ import annotations

EARLY = 12
SHARE, RAREST = 30, 50


def rescore_interval(strategy: object, pages: int) -> int:
    """Every how many pages, after so many: `rescore_every`.

    With `rescores_rarer` after each of the first, when few links wait and every page changes much; later when the crawl
    has grown by a thirtieth, but every fifty pages at least.
    """
    every: int = getattr(strategy, "rescore_every", 1)
    if not getattr(strategy, "rescores_rarer", False):
        return every
    return 1 if pages < EARLY else max(every, min(RAREST, pages // SHARE))


def rescores_now(strategy: object, pages: int) -> bool:
    """`pages`: those that came before the one that is ranked."""
    return pages % rescore_interval(strategy, pages) == 0

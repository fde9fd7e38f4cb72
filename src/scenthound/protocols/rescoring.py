"""When a strategy is asked once more about the links that wait: see `Rescores`."""

from __future__ import annotations

SHARE, RAREST = 30, 50


def rescore_interval(strategy: object, pages: int) -> int:
    """Every how many pages, after so many: `rescore_every`, and with `rescores_rarer` at most once in a while."""
    every: int = getattr(strategy, "rescore_every", 1)
    return max(every, min(RAREST, pages // SHARE)) if getattr(strategy, "rescores_rarer", False) else every


def rescores_now(strategy: object, pages: int) -> bool:
    return pages % rescore_interval(strategy, pages) == 0

"""When a strategy is asked once more about the links that wait: see `Rescores`."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.model import Waiting

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


def moves(strategy: object, waiting: Sequence[Waiting], scores: Sequence[float]) -> list[tuple[int, float]]:
    """Which of these links get another priority, now that the strategy has said these scores of them.

    A strategy's `least_move` is how much one must have changed: a link that changed less stays where it is, and nobody
    has to put it elsewhere and write that down.
    """
    least: float = getattr(strategy, "least_move", 0.0)
    return [
        (entry.id, score)
        for entry, score in zip(waiting, scores, strict=True)
        if not -least < score - entry.priority < least
    ]

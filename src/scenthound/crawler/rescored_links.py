"""The links that would go next, scored anew by a strategy that has learned something since."""

from __future__ import annotations

from scenthound.model import Waiting
from scenthound.protocols.crawl import Frontier, Rescores
from scenthound.protocols.hooks import hook
from scenthound.protocols.rescoring import moves

RESCORED_LINKS = 1000
"""How many of the best waiting links an online strategy re-ranks at a time: what bounds its cost per page."""


def rescored(strategy: object, frontier: Frontier, links: int = RESCORED_LINKS) -> list[Waiting]:
    """Those that moved, where they stand now; none where the strategy does not rescore.

    Not seeds, which somebody has chosen: each is fetched before any link that a strategy ranked.
    """
    if (rescorer := hook(strategy, Rescores)) is None:
        return []
    waiting = [entry for entry in frontier.best(links) if entry.link.kind != "seed"]
    scores = rescorer.rescore([entry.link for entry in waiting])
    return frontier.rescore(moves(strategy, waiting, scores))

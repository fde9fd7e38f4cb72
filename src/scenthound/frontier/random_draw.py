"""The priority of links that were drawn at random from all that wait: they are next, whatever a strategy thinks."""

from __future__ import annotations

from math import inf

DRAWN = 999_999.0
"""Under seeds, over every link that a strategy ranks. A page that was fetched with it was drawn."""


def stays_first(priority: float) -> bool:
    """Whether no strategy's word moves the link: it was drawn, a person named it, or one such page merely points to it.

    A rule as "last" would take its place away as soon as another page has a link to it.
    """
    return DRAWN <= priority < inf

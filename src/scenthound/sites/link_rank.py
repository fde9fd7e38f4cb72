"""Has a site shown enough links to other sites? (Ester 4.3.4)

    linkWeight(p) = conf(p) * |links of p to other sites| + c          c >= 1
    LinkRank      = sum of linkWeight over the pages seen / P(relevant | pages seen)

A site is left when its LinkRank reaches `l_threshold`. The sum is divided by how likely the site is relevant, so for an
irrelevant one it is reached at once, mostly, while a relevant one is looked at longer and adds more to the frontier of
sites. `c` makes it grow with every page, whatever is on it.

Several links of a page to one other site count once, as transversal links do everywhere here.
"""

from __future__ import annotations

LEAST = 1e-9
"""A posterior is never quite 0, but a float may be."""


def link_weight(confidence: float, crossings: int, c: float = 1.0) -> float:
    """What a page adds. `crossings`: to how many other sites it links."""
    return confidence * crossings + c


def link_rank(weights: float, probability: float) -> float:
    """`weights` is the sum over the pages seen, `probability` that the site is relevant."""
    return weights / max(probability, LEAST)

"""Which pages of a small graph matter: hubs, authorities and PageRank, worked out to the end.

    authority(v) = sum over pages u linking to v of hub(u)      hub(u) = sum over links v of u of authority(v)
    rank(v)      = (1 - d) * start(v) + d * sum over pages u linking to v of rank(u) / links(u)

`start` is where a surfer begins: on relevant pages, so that PageRank is that of the topic (Yuan, Yin et al., in Mali's
references). The strategies `hits` and `pagerank` keep the same scores nearly right while a graph grows; here it is
whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from scenthound.learn.graphs.hops import Edge

Floats = npt.NDArray[np.float64]
By = Literal["hubs", "authorities", "pagerank"]
WAYS: tuple[By, ...] = get_args(By)

ROUNDS, DAMPING, STILL = 200, 0.85, 1e-12


def link_scores(pages: int, edges: Sequence[Edge], by: By, start: Sequence[float] | None = None) -> Floats:
    """The score of each of so many pages; all together they are 1."""
    begin: Floats = np.ones(pages) if start is None or not any(start) else np.asarray(start, dtype=np.float64)
    sources = np.array([source for source, _ in edges], dtype=np.intp)
    targets = np.array([target for _, target in edges], dtype=np.intp)
    if by == "pagerank":
        return _pagerank(pages, sources, targets, begin / begin.sum())
    hubs, authorities = _hits(pages, sources, targets, begin)
    return hubs if by == "hubs" else authorities


def _hits(
    pages: int, sources: npt.NDArray[np.intp], targets: npt.NDArray[np.intp], weight: Floats
) -> tuple[Floats, Floats]:
    """An authority counts by its `weight`, the page's relevance: a hub of the topic is one that leads to its pages."""
    hubs = np.full(pages, 1.0 / max(pages, 1))
    authorities = np.zeros(pages)
    for _ in range(ROUNDS):
        authorities = _even(np.bincount(targets, hubs[sources], pages) * weight)
        after = _even(np.bincount(sources, authorities[targets], pages).astype(np.float64))
        if np.abs(after - hubs).sum() < STILL:
            break
        hubs = after
    return hubs, authorities


def _pagerank(pages: int, sources: npt.NDArray[np.intp], targets: npt.NDArray[np.intp], start: Floats) -> Floats:
    links = np.bincount(sources, minlength=pages)
    rank = start.copy()
    for _ in range(ROUNDS):
        shares = rank[sources] / links[sources]
        lost = rank[links == 0].sum()  # a page without links sends its surfer back to the start
        after = (1 - DAMPING) * start + DAMPING * (np.bincount(targets, shares, pages) + lost * start)
        if np.abs(after - rank).sum() < STILL:
            break
        rank = after
    return rank


def _even(scores: Floats) -> Floats:
    total = scores.sum()
    return scores / total if total else scores

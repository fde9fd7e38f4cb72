"""Which site is looked at next? The external crawler's order (Ester 4.2).

    rank(W) = mean over the examined sites V that link to W of weight(V, W)

| weight | of an edge from V to W |
|---|---|
| `global` | confidence of the site V |
| `local` | mean confidence of V's pages that link to W |
| `combined` | the mean of both; the default |

A site still under way speaks with the confidence it has so far. Among equals the one found first goes first.

The order is a heap that is cleaned lazily: after a visit only the ranks of sites that the visited site links to have
changed, and only these are pushed anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Protocol

from scenthound.sites.site_graph import EdgeWeight, SiteGraph


class SiteRanking(Protocol):
    """An order of the sites of the border."""

    def changed(self, targets: Iterable[str]) -> None: ...  # there is news of edges to these sites

    def verdict(self, site: str, relevant: bool) -> None: ...  # an examined site has been classified

    def best(self) -> str | None: ...  # the site to be looked at next

    def rank(self, site: str) -> float: ...


class EdgeRanking:
    """The border by the mean weight of edges."""

    def __init__(self, graph: SiteGraph, weight: EdgeWeight = "combined") -> None:
        self.graph = graph
        self._weight = graph.weight(weight)
        self._ranks: dict[str, float] = {}
        self._heap: list[tuple[float, int, str]] = []

    def rank(self, site: str) -> float:
        return self.graph.rank(site, self._weight)

    def changed(self, targets: Iterable[str]) -> None:
        for site in targets:
            order = self.graph.border.get(site)
            rank = self.rank(site)
            if order is not None and self._ranks.get(site) != rank:
                self._ranks[site] = rank
                heappush(self._heap, (-rank, order, site))
        if len(self._heap) > 2 * len(self.graph.border) + 1024:
            self._sweep()

    def verdict(self, site: str, relevant: bool) -> None:
        """Nothing to learn: the confidence of the site is in the graph."""

    def best(self) -> str | None:
        while self._heap:
            rank, _, site = self._heap[0]
            if site in self.graph.border and self._ranks[site] == -rank:
                return site
            heappop(self._heap)
        return None

    def _sweep(self) -> None:
        border = self.graph.border
        self._ranks = {site: rank for site, rank in self._ranks.items() if site in border}
        self._heap = [(-rank, border[site], site) for site, rank in self._ranks.items()]
        heapify(self._heap)

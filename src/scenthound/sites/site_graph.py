"""The web as a graph of sites: who links to whom, and from which pages (Ester 3.1, 4.2).

Between two sites there is one edge, however many links it stands for. It remembers how confident the pages were that
hold such links, and one link to show for it: the first of the most confident page, which is how a person would say
the site was found.

Of an examined site the confidence is known; sites that are linked to and not examined are the *border*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct

from scenthound.model import Link

EdgeWeight = Literal["global", "local", "combined"]


class Edge(Struct):
    """All links from one site to another."""

    link: Link
    depth: int
    strongest: float = 0.0  # confidence of the page `link` stands on
    total: float = 0.0  # of the confidences of pages that hold such a link
    pages: int = 0

    @property
    def local(self) -> float:
        """`weight_local`: the mean confidence of the pages that hold the link."""
        return self.total / self.pages if self.pages else 0.0

    def found(self, link: Link, depth: int, confidence: float) -> None:
        self.total += confidence
        self.pages += 1
        if confidence > self.strongest:
            self.link, self.depth, self.strongest = link, depth, confidence


class SiteGraph:
    """Edges among sites. Rankings read it; `SiteCrawl` writes it."""

    def __init__(self) -> None:
        self.confidence: dict[str, float] = {}  # of the sites examined, finished or not
        self.incoming: dict[str, dict[str, Edge]] = {}  # target -> source -> edge
        self.outgoing: dict[str, dict[str, Edge]] = {}  # source -> target -> edge
        self.border: dict[str, int] = {}  # sites to be examined -> order of discovery
        self.unseen: set[str] = set()  # the border, and what was begun and has not shown a page
        self._examined: set[str] = set()
        self._seen: set[str] = set()
        self._order = 0

    def link(self, source: str, targets: Mapping[str, Link], depth: int, confidence: float) -> None:
        """A page of `source`, of that confidence, links to these other sites."""
        for target, link in targets.items():
            edge = self.outgoing.setdefault(source, {}).get(target)
            if edge is None:
                edge = Edge(link, depth)
                self.outgoing[source][target] = edge
                self.incoming.setdefault(target, {})[source] = edge
            edge.found(link, depth, confidence)
            if target not in self._seen:
                self.unseen.add(target)
            if target not in self._examined and target not in self.border:
                self.border[target] = self._order
                self._order += 1

    def examine(self, site: str) -> None:
        """The site leaves the border for good."""
        self._examined.add(site)
        self.border.pop(site, None)

    def seen(self, site: str) -> None:
        """The site has shown its first page, or that it has none."""
        self._seen.add(site)
        self.unseen.discard(site)

    def waiting_after(self, site: str) -> Iterable[str]:
        """Sites of the border that `site` links to."""
        return (target for target in self.outgoing.get(site, ()) if target in self.border)

    def best_edge(self, site: str) -> Edge | None:
        """The way to the site that is worth telling: over the most confident page."""
        edges = self.incoming.get(site)
        return max(edges.values(), key=lambda edge: edge.strongest) if edges else None

    # Edge weights: how likely is it that this edge leads to a relevant site?

    def weight_global(self, source: str, edge: Edge) -> float:
        """The confidence of the site that links."""
        return self.confidence.get(source, 0.0)

    def weight_local(self, source: str, edge: Edge) -> float:
        """The mean confidence of its pages that hold the link."""
        return edge.local

    def weight_combined(self, source: str, edge: Edge) -> float:
        """The mean of both: a page of few words is judged by its site, too."""
        return (self.weight_global(source, edge) + self.weight_local(source, edge)) / 2

    def weight(self, name: EdgeWeight) -> Callable[[str, Edge], float]:
        weights = {"global": self.weight_global, "local": self.weight_local, "combined": self.weight_combined}
        return weights[name]

    def rank(self, site: str, weight: Callable[[str, Edge], float]) -> float:
        """The mean weight of the edges that lead to the site; 0 where none is known."""
        edges = self.incoming.get(site)
        if not edges:
            return 0.0
        return sum(weight(source, edge) for source, edge in edges.items()) / len(edges)

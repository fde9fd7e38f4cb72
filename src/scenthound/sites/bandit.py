"""The external order as a bandit: which site's links have paid so far? (beyond Ester; UCB1 of Auer et al.)

Edge weights believe that relevant sites link to relevant sites. A hub need not: a directory is itself no site of the
topic, yet every link of it may lead to one. So each examined site is an arm, drawing it means to look at a site it
links to, and it pays 1 if that turns out relevant:

    value(V) = (paid + k * weight) / (drawn + k) + e * sqrt(2 ln(1 + all draws) / (drawn + k))

`weight` is the mean combined weight of V's edges to the border, believed as much as `k` draws. The second part lets an
arm of which little is known have its turn. The best arm gives the site of the border that ranks highest among those
it links to. A site that many link to is a draw of each of them: all of them recommended it.

No dice are thrown, so a crawl that goes on after a restart chooses as it would have.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt

from msgspec import Struct

from scenthound.sites.site_graph import SiteGraph


class Arm(Struct):
    drawn: int = 0
    paid: int = 0


class BanditRanking:
    """The border by the luck of the sites that link to it."""

    def __init__(self, graph: SiteGraph, k: float = 2.0, e: float = 0.25) -> None:
        self.graph = graph
        self.k = k
        self.e = e
        self._arms: dict[str, Arm] = {}
        self._draws = 0

    def changed(self, targets: Iterable[str]) -> None:
        """Values are worked out when they are asked for."""

    def verdict(self, site: str, relevant: bool) -> None:
        sources = self.graph.incoming.get(site)
        if not sources:
            return
        self._draws += 1
        for source in sources:
            arm = self._arms.setdefault(source, Arm())
            arm.drawn += 1
            arm.paid += relevant

    def best(self) -> str | None:
        values = [
            (self.value(source, targets), -number, targets)
            for number, source in enumerate(self.graph.outgoing)
            if (targets := list(self.graph.waiting_after(source)))
        ]
        if not values:
            return None
        targets = max(values, key=lambda entry: entry[:2])[2]
        return max(targets, key=lambda site: (self._combined(site), -self.graph.border[site]))

    def value(self, source: str, targets: list[str]) -> float:
        arm = self._arms.get(source) or Arm()
        edges = self.graph.outgoing[source]
        weight = sum(self.graph.weight_combined(source, edges[target]) for target in targets) / len(targets)
        mean = (arm.paid + self.k * weight) / (arm.drawn + self.k)
        return mean + self.e * sqrt(2 * log(1 + self._draws) / (arm.drawn + self.k))

    def rank(self, site: str) -> float:
        """The value of the best arm that leads there."""
        sources = self.graph.incoming.get(site, ())
        return max((self.value(source, [site]) for source in sources), default=0.0)

    def _combined(self, site: str) -> float:
        return self.graph.rank(site, self.graph.weight_combined)

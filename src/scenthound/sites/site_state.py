"""One site of a crawl: what its pages said, and whether it is time to leave it (Ester 4.3).

A site is *decided* when its posterior has reached `p_threshold` for either class; from then on pages no longer change
its confidence. It is *over*, and nothing more is asked of it, when besides

    LinkRank >= l_threshold      enough links to other sites are known (link_rank.py)

or when as many requests as `site_pages` have come to an end there, whatever they brought: that is what holds
a site without end. Between the two, it goes on by the same order of links as before. While there is no site to go on to
(`starving`), enough links are not known, whatever the LinkRank says: leaving would be the end of the crawl. Once left,
a site is not come back to.

A label wins over any score: it says what the site is held to be. How long the site is looked at and where its links
lead remains a matter of its pages. A directory is no relevant site, and who says so does not want it left unread.
"""

from __future__ import annotations

from msgspec import Struct

from scenthound.config import SitesSection
from scenthound.sites.exploration import SeenPage, variance
from scenthound.sites.link_rank import link_rank, link_weight
from scenthound.sites.posterior import Posterior

RELEVANT, OTHER = "relevant", "not relevant"


def clarity(confidence: float) -> float:
    """What a page lends its links: `var(confidences)`, which is `(c - 1/2)^2` with two classes."""
    return variance((confidence, 1.0 - confidence))


class SiteState(Struct):
    """A site that was begun. `number` counts the beginnings; `posterior` is None before its first page."""

    name: str
    number: int
    posterior: Posterior | None = None
    pages: list[SeenPage] = []
    missed: int = 0  # requests that brought no page
    weights: float = 0.0  # sum of the pages' linkWeights
    decided_after: int = 0  # pages it took; 0 while undecided
    left: str = ""  # why nothing more is asked of it
    label: bool | None = None  # what somebody has said it is
    by_topic: Posterior | None = None  # by the topic's words alone, where `posterior` hears others, too

    def visit(self, url: str, confidence: float, crossings: int, rules: SitesSection) -> bool:
        """Takes a page in; returns whether this page decided the site."""
        assert self.posterior is not None
        self.pages.append(SeenPage(url, confidence))
        self.weights += link_weight(confidence, crossings, rules.c)
        if self.decided_after:
            return False
        self.posterior.add(confidence)
        if self.posterior.decided(rules.p_threshold):
            self.decided_after = len(self.pages)
        return bool(self.decided_after)

    @property
    def probability(self) -> float:
        """That the site is relevant, by its pages; 0 where none of it was seen."""
        return self._spoken.probability if self._spoken is not None else 0.0

    @property
    def seems_relevant(self) -> bool:
        """More likely than not, by its pages."""
        return self._spoken is not None and self._spoken.relevant

    @property
    def _spoken(self) -> Posterior | None:
        """While the site is undecided, the topic's words have the last word."""
        return self.posterior if self.by_topic is None or self.decided_after else self.by_topic

    @property
    def relevant(self) -> bool:
        """What the site is held to be: what its label says, else what its pages say."""
        return self.seems_relevant if self.label is None else self.label

    @property
    def confidence(self) -> float:
        """That the site is relevant, by its label or its pages."""
        return self.probability if self.label is None else float(self.label)

    @property
    def decided(self) -> bool:
        return self.label is not None or self.decided_after > 0

    @property
    def link_rank(self) -> float:
        return link_rank(self.weights, self.probability)

    @property
    def requests(self) -> int:
        return len(self.pages) + self.missed

    def leave(self, rules: SitesSection, starving: bool = False) -> None:
        """Looks whether it is time."""
        self.left = self.left or self._over(rules, starving)

    def _over(self, rules: SitesSection, starving: bool) -> str:
        if self.decided_after and self.link_rank >= rules.l_threshold and not starving:
            word = RELEVANT if self.seems_relevant else OTHER
            pages = f"{self.decided_after} page{'s' if self.decided_after > 1 else ''}"
            return f"site done: {word} by {pages}, {len(self.pages)} seen"
        if self.requests >= rules.site_pages:
            return f"site limit: {rules.site_pages} requests to one site"
        return ""

    def strongest(self, n: int = 3) -> list[SeenPage]:
        """The pages that speak loudest for the verdict."""
        sign = -1.0 if self.relevant else 1.0
        return sorted(self.pages, key=lambda seen: (sign * seen.confidence, seen.url))[:n]

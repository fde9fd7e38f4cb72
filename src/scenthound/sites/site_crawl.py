"""What a website crawl knows of all its sites, and the strategy it is to the engine.

`learn` hears of every page: it goes to its site (site_state.py), and its links to other sites to the graph of sites,
whose order (site_order.py, bandit.py) says which one is begun next. `rank` gives the links that stay in the site

    priority = mean over the pages that link there of var(confidences) - number of the site

so that sites begun earlier are finished first, and inside a site the clearest pages lead. The mean is the frontier's
merge rule. Everything follows from the visits in their order: after a restart they are gone through once more.

What the judge says of a page is kept as it is; `evidence` says how likely the page stands on a relevant site. What a
label says of a site is for the list: the crawl goes where pages lead it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt

from scenthound.config import SitesSection
from scenthound.crawler.budget import Ending
from scenthound.model import Link, MergeRule, Page, Ranked, Visit
from scenthound.sites.bandit import BanditRanking
from scenthound.sites.definition import homepage, site_of
from scenthound.sites.evidence import PageEvidence
from scenthound.sites.exploration import FOLLOWED
from scenthound.sites.measures import SiteFinds
from scenthound.sites.posterior import CERTAIN, Posterior, SitePrior
from scenthound.sites.site_graph import SiteGraph
from scenthound.sites.site_order import EdgeRanking, SiteRanking
from scenthound.sites.site_state import SiteState, clarity

ENTRANCE = 0.5
"""What a homepage waits with: above every other link of its site (at most 1/4), below those of sites begun before."""

Follows = Callable[[Page, int], Sequence[Link]]
"""Which links of a page may be followed at all, by scope and by the page's own wishes."""


class SiteCrawl:
    """All sites of a crawl. A `protocols.Strategy`, and what `SiteFrontier` asks whom to let in."""

    merge: MergeRule = "mean"

    def __init__(
        self,
        rules: SitesSection,
        evidence: PageEvidence,
        follows: Follows = lambda page, depth: page.links,
        permits: Callable[[Link, int], bool] = lambda link, depth: True,
        labels: Mapping[str, bool] | None = None,
        prior: SitePrior | None = None,
    ) -> None:
        self.rules = rules
        self.evidence = evidence
        self.labels = labels or {}
        self.follows = follows
        self.permits = permits
        self.prior = prior or SitePrior(least=least_prior(rules.p_threshold, bounded=not rules.published))
        self.graph = SiteGraph()
        self.external: SiteRanking = (
            BanditRanking(self.graph) if rules.weight == "bandit" else EdgeRanking(self.graph, rules.weight)
        )
        self.sites: dict[str, SiteState] = {}
        self._next = 0
        self._finds = SiteFinds(rules.pprs_window)

    def site_of(self, url: str) -> str:
        return site_of(url, self.rules.kind)

    # The strategy

    def learn(self, visit: Visit) -> None:
        page, name, topic = visit.page, self.site_of(visit.page.url), self.evidence.topic
        site = self.begin(name, visit.memory)
        if site.posterior is None:
            site.posterior = Posterior(self.prior.value, self.evidence.p_err)
            site.by_topic = Posterior(self.prior.value, topic.p_err) if topic is not None else None
        if topic is not None and site.by_topic is not None and not site.by_topic.decided(self.rules.p_threshold):
            site.by_topic.add(topic(visit))
        confidence = self.evidence(visit)
        crossings = self._crossings(name, page, visit.depth + 1)
        if site.visit(page.url, confidence, len(crossings), self.rules):
            self.prior.add(site.seems_relevant)
            self.external.verdict(name, site.seems_relevant)
        self._finds.add(name, site.relevant)
        self.graph.confidence[name] = site.probability
        self.graph.link(name, crossings, visit.depth + 1, confidence)
        self.graph.seen(name)
        self.external.changed(self.graph.waiting_after(name))
        site.leave(self.rules, starving=not self.graph.unseen)

    def _crossings(self, name: str, page: Page, depth: int) -> dict[str, Link]:
        """The other sites a page links to, each with the first link there."""
        found: dict[str, Link] = {}
        for link in self.follows(page, depth):
            if link.kind in FOLLOWED and (other := self.site_of(link.url)) != name:
                found.setdefault(other, link)
        return found

    def rank(self, visit: Visit) -> list[Ranked]:
        """The links that stay in the site. Those of a site that is over are refused when their turn comes."""
        name = self.site_of(visit.page.url)
        site = self.begin(name, visit.memory)
        priority, memory = clarity(self.evidence(visit)) - site.number, _memory(site)
        stay = (link for link in visit.page.links if link.kind in FOLLOWED and self.site_of(link.url) == name)
        return [Ranked(link, priority, memory) for link in stay]

    def missed(self, link: Link) -> None:
        site = self.begin(self.site_of(link.url))
        site.missed += 1
        if not site.pages:
            self.graph.seen(site.name)
        site.leave(self.rules, starving=True)

    def enough(self) -> Ending | None:
        """Why the crawl ends here (Ester 3.3): it has the sites that were wanted, or the next ones cost too much."""
        if self.rules.enough and len(self._finds.relevant) >= self.rules.enough:
            return "sites"
        if self.rules.pprs and self._finds.rate() > self.rules.pprs:
            return "pprs-rate"
        return None

    # What the frontier asks

    def begin(self, name: str, memory: bytes | None = None) -> SiteState:
        """The site, begun now if it was not. `memory` is what its links carry, and holds its number."""
        site = self.sites.get(name)
        if site is None:
            site = self.sites[name] = SiteState(name, self._next, label=self.labels.get(name))
            self.graph.examine(name)
        if memory is not None:
            site.number = _number(memory, site.number)
        self._next = max(self._next, site.number + 1)
        return site

    def admit(self, new: Ranked) -> Ranked | None:
        """What the frontier takes in: links that stay in their site, seeds, and homepages that have moved."""
        link, name = new.link, self.site_of(new.link.url)
        if link.kind == "seed":
            return Ranked(link, new.priority, _memory(self.begin(name)))
        if not link.source or self.site_of(link.source) == name:
            self.begin(name, new.memory)
            return new
        if name in self.sites or not self._moved(link):
            return None
        self.begin(name, new.memory)
        return new

    def _moved(self, link: Link) -> bool:
        """Is this where the homepage of another site has led to, before the site showed another page?"""
        source = self.sites.get(self.site_of(link.source))
        shown = {"redirect": 0, "refresh": 1, "canonical": 1}.get(link.kind)
        return source is not None and shown is not None and len(source.pages) <= shown

    def over(self, name: str) -> str | None:
        """Why nothing more is asked of the site, or None."""
        site = self.sites.get(name)
        return site.left or None if site is not None else None

    def denies(self, url: str) -> str | None:
        """As `over`, for the frontier's last look at a link whose turn has come."""
        return self.over(self.site_of(url))

    def next_site(self) -> str | None:
        """The best site of the border, which is begun by this."""
        name = self.external.best()
        if name is not None:
            self.begin(name)
        return name

    def entrances(self, name: str) -> list[tuple[Ranked, int]]:
        """Where to enter a site, each with its depth: the homepage; the page that is linked to, where that fails."""
        edge, site = self.graph.best_edge(name), self.sites[name]
        if edge is None:
            return []
        link, memory = edge.link, _memory(site)
        front = Link(homepage(name, link.url), link.source, link.anchor, link.title, link.context, link.block)
        ways = [way for way in (front, link) if self.permits(way, edge.depth)]
        return [(Ranked(way, ENTRANCE - site.number, memory), edge.depth) for way in ways]


def least_prior(p_threshold: float, *, bounded: bool = True) -> float:
    """How near to 0, or 1, the prior of a site may come; as the document has it there is no bound."""
    return 1.0 - halfway(p_threshold) if bounded else CERTAIN


def halfway(p_threshold: float) -> float:
    """How far a prior may go: half the way to the threshold, in log odds. A site's own pages have to do the rest.

        odds(prior) <= sqrt(odds(p_threshold))          0.9: 0.75    0.7: 0.60

    Else the share of sites found so far would decide sites before they are seen, and with that confirm itself.
    """
    p = min(max(p_threshold, 0.5), 1.0 - CERTAIN)
    odds = sqrt(p / (1.0 - p))
    return odds / (1.0 + odds)


def _memory(site: SiteState) -> bytes:
    return str(site.number).encode()


def _number(memory: bytes, default: int) -> int:
    return int(memory) if memory.isdigit() else default

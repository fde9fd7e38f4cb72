from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from scenthound.learn.graphs.crawl_graph import Column, Links, OutLinks, WebGraph
from scenthound.learn.snapshot_arrays import for_part, of_part
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy

LOCAL_STEPS = 2
FAINTEST = 1e-9  # of the mean hub: what no longer counts may count again one day, and must not fade away
HIGHEST = 1e100


@strategy("hits")
@dataclass
class Hits:
    """The best authorities first: hubs and authorities on the graph crawled so far (Ester 2; Kleinberg 1999).

    Believes that good pages are what good lists link to, and that lists are good that link to good pages.

        priority = a(v) / sum of all a
        a(v) = sum over pages u linking to v of h(u)          h(u) = sum over links v of u of a(v) / c

    | symbol | meaning |
    |---|---|
    | a(v) | authority of a URL, read or not |
    | h(u) | hub score of a page that was read |
    | c | what keeps the scores from growing; in the end the largest eigenvalue |
    | - | parameter `effort`: links gone over again for each new page |

    The usual power iteration goes over all links many times. Here every new page starts as an average hub, makes two
    steps of the iteration with its own links, and then the next pages in a round over all make one, as many as have
    `effort` links together. Changes of h are carried into a at once, so a(v) is always the sum above, and h is what
    lags behind. The cost per page is the same in a graph of any size. c is the sum over all pages of the authority of
    their links, over the sum of all h; both sums are kept up to date with each step.

    Keeps about 60 bytes per URL seen and 4 per link. The best waiting links are scored again every 50 pages,
    others when they are found again.
    """

    published: ClassVar[Presets] = {"ester": {}}

    effort: int = 5000
    graph_: WebGraph = field(init=False, repr=False)
    links_: OutLinks = field(init=False, repr=False)
    hub_: Column = field(init=False, repr=False)
    authority_: Column = field(init=False, repr=False)
    hubs_: float = field(init=False, default=0.0)  # sum of h
    authorities_: float = field(init=False, default=0.0)  # sum of a
    strength_: float = field(init=False, default=0.0)  # sum over pages of the a of their links
    merge = "last"
    rescore_every = 50

    def __post_init__(self) -> None:
        if self.effort < 0:
            raise ValueError("effort must be at least 0")

    def begin(self, context: Context) -> None:
        self.graph_ = WebGraph()
        self.links_ = OutLinks()
        self.hub_ = Column(np.float64)
        self.authority_ = Column(np.float64)
        self.hubs_ = self.authorities_ = self.strength_ = 0.0

    def learn(self, visit: Visit) -> None:
        added = [(page, targets) for page, targets in self.graph_.add(visit) if len(targets)]
        if not added:
            return
        for page, targets in added:
            # The links of the new page see the authority their targets had before; then it hands out its own.
            self.strength_ += float(self.authority_.reach(len(self.graph_))[targets].sum())
            average = self.hubs_ / len(self.links_) if len(self.links_) else 1.0
            self.links_.append(page, targets)
            self._change(self.links_.latest(1), np.array([average]))
        for _ in range(LOCAL_STEPS):
            self._step(self.links_.latest(len(added)))
        self._step(self.links_.turn(self.effort))

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        scores = self.rescore(visit.page.links)
        return [Ranked(link=link, priority=score) for link, score in zip(visit.page.links, scores, strict=True)]

    def rescore(self, links: Sequence[Link]) -> Sequence[float]:
        authority = self.authority_.of(self.graph_.find(links))
        scores: list[float] = (authority / (self.authorities_ or 1.0)).tolist()
        return scores

    def snapshot(self) -> Snapshot:
        scores = {"hub": self.hub_.kept(len(self.graph_)), "authority": self.authority_.kept(len(self.graph_))}
        sums = {"hubs": self.hubs_, "authorities": self.authorities_, "strength": self.strength_}
        return Snapshot(1, sums, scores | of_part("graph", self.graph_.kept()) | of_part("links", self.links_.kept()))

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.graph_.take_back(for_part("graph", arrays))
        self.links_.take_back(for_part("links", arrays))
        self.hub_.take_back(arrays["hub"])
        self.authority_.take_back(arrays["authority"])
        self.hubs_, self.authorities_, self.strength_ = (values[name] for name in ("hubs", "authorities", "strength"))

    def _step(self, links: Links) -> None:
        """One step of the power iteration, for these pages."""
        faintest = FAINTEST * self.hubs_ / len(self.links_)
        hub = links.sums(self.authority_.values[links.targets]) * (self.hubs_ / self.strength_)
        self._change(links, np.maximum(hub, faintest) - self.hub_.values[links.pages])

    def _change(self, links: Links, by: np.ndarray) -> None:
        """Changes the hub scores of these pages, and all that is summed up from them."""
        hub, authority = self.hub_.reach(len(self.graph_)), self.authority_.reach(len(self.graph_))
        given = links.spread(by)
        hub[links.pages] += by
        np.add.at(authority, links.targets, given)
        self.hubs_ += float(by.sum())
        self.authorities_ += float(given.sum())
        self.strength_ += float((given * self.graph_.backlinks.values[links.targets]).sum())
        if not 1 / HIGHEST < self.hubs_ < HIGHEST:
            self._shrink(1.0 / self.hubs_)

    def _shrink(self, factor: float) -> None:
        """Only ratios matter: all scores go back to numbers that can be reckoned with."""
        self.hub_.values *= factor
        self.authority_.values *= factor
        self.hubs_ *= factor
        self.authorities_ *= factor
        self.strength_ *= factor

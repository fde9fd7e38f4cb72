from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from scenthound import urls
from scenthound.learn.graphs.crawl_graph import Column, WebGraph
from scenthound.learn.snapshot_arrays import column, for_part, of_part
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.topic_vector import TopicVector


@strategy("link-value")
@dataclass
class LinkValue:
    """Forward links minus backward links, with the topic vector (Mali 3.1.1 and 3.1.2).

    Believes that pages on the topic link to pages on the topic, that a page with many links out is worth more than one
    that is merely linked to, and that broken links tell of more broken links.

        priority = w * S / (S + s) + (1 - w) * (F - B) / (F + B)
                 = F - B                                                   where `order` is `pvalue`

    | symbol | meaning |
    |---|---|
    | F - B | the document's Pvalue; divided by F + B it lies between -1 and 1 |
    | B | pages read so far that link to the URL (BkLK) |
    | F | links the page is expected to have (FwdLK): 0 if it is known to be broken |
    | S | Sim(T, D), the share of the words of D that are the topic's; D is the best page the link stands on |
    | w | parameter `topic`: how much the topic vector counts |
    | order | parameter `order`: `share`, as above; `pvalue`, the document's own order, with no say for the topic |
    | s | parameter `half`: the S from which a page is more on the topic than not |

    The document has the server count the forward links of a page that was not downloaded, which no server does.
    Decision: F is the mean number of links on the pages asked for on that host, a broken link counting as a page
    without any, and the mean over all hosts counting as one page more. So a broken link sinks to the bottom, and the
    more links of a host are broken, the lower its others get.

    B, S and F belong to the URL and not to the page it stands on, so a link found again simply takes its new
    priority. Keeps about 50 bytes per URL seen, and two numbers per host.
    """

    published: ClassVar[Presets] = {"mali": {"order": "pvalue"}}

    topic: float = 0.5
    half: float = 0.01
    order: Literal["share", "pvalue"] = "share"
    vector_: TopicVector = field(init=False, repr=False)
    graph_: WebGraph = field(init=False, repr=False)
    similarity_: Column = field(init=False, repr=False)
    broken_: set[int] = field(init=False, repr=False, default_factory=set)
    hosts_: dict[str, tuple[int, int]] = field(init=False, repr=False, default_factory=dict)  # asked for, links on them
    asked_: int = field(init=False, default=0)
    forward_: int = field(init=False, default=0)
    merge = "last"
    rescore_every = 50

    def __post_init__(self) -> None:
        if not 0.0 <= self.topic <= 1.0:
            raise ValueError("topic must be between 0 and 1")
        if not self.half > 0.0:
            raise ValueError("half must be above 0")
        if self.order not in ("share", "pvalue"):
            raise ValueError("order is share or pvalue")

    def begin(self, context: Context) -> None:
        self.vector_ = TopicVector(context.topic)
        self.graph_ = WebGraph()
        self.similarity_ = Column(np.float32)
        self.broken_ = set()
        self.hosts_ = {}
        self.asked_ = self.forward_ = 0

    def learn(self, visit: Visit) -> None:
        self._count(visit.page.url, len(visit.page.links))
        similarity = self.vector_.of_page(visit.page)
        for _, targets in self.graph_.add(visit):
            values = self.similarity_.reach(len(self.graph_))
            values[targets] = np.maximum(values[targets], similarity)

    def missed(self, link: Link) -> None:
        self._count(link.url, 0)
        self.broken_.add(urls.fingerprint(link.url))

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priorities = self.rescore(visit.page.links)
        return [Ranked(link=link, priority=p) for link, p in zip(visit.page.links, priorities, strict=True)]

    def rescore(self, links: Sequence[Link]) -> Sequence[float]:
        numbers = self.graph_.find(links)
        backward = self.graph_.backlinks.of(numbers)
        forward = np.fromiter((self._forward(link.url) for link in links), np.float64, len(links))
        if self.order == "pvalue":
            pvalue: list[float] = (forward - backward).tolist()
            return pvalue
        similarity = self.similarity_.of(numbers).astype(np.float64)
        value = (forward - backward) / np.maximum(forward + backward, 1.0)
        priority = self.topic * similarity / (similarity + self.half) + (1.0 - self.topic) * value
        answer: list[float] = priority.tolist()
        return answer

    def snapshot(self) -> Snapshot:
        hosts = {host: list(counts) for host, counts in self.hosts_.items()}
        arrays = {
            "similarity": self.similarity_.kept(len(self.graph_)),
            "broken": column(self.broken_, len(self.broken_), np.int64),
        }
        values = {"asked": self.asked_, "forward": self.forward_, "hosts": hosts}
        return Snapshot(1, values, arrays | of_part("graph", self.graph_.kept()))

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.graph_.take_back(for_part("graph", arrays))
        self.similarity_.take_back(arrays["similarity"])
        self.broken_ = set(arrays["broken"].tolist())
        self.hosts_ = {host: (asked, forward) for host, (asked, forward) in values["hosts"].items()}
        self.asked_, self.forward_ = values["asked"], values["forward"]

    def _count(self, url: str, links: int) -> None:
        asked, forward = self.hosts_.get(host := urls.host(url), (0, 0))
        self.hosts_[host] = asked + 1, forward + links
        self.asked_ += 1
        self.forward_ += links

    def _forward(self, url: str) -> float:
        if self.broken_ and urls.fingerprint(url) in self.broken_:
            return 0.0
        asked, forward = self.hosts_.get(urls.host(url), (0, 0))
        return (forward + self.forward_ / max(self.asked_, 1)) / (asked + 1)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.learn.graphs.crawl_graph import WebGraph
from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy


@strategy("backlink")
@dataclass
class Backlink:
    """The most linked-to first: backlink count (Batsakis 2.2; Cho, Garcia-Molina, Page 1998).

    Believes that a page many others link to is worth having. Knows nothing of the topic.

        priority = backlinks(link)

    | symbol | meaning |
    |---|---|
    | backlinks(link) | pages read so far that link to it; a page counts once, and not for links to itself |

    A link's count changes only when it is found again, and is then told to the frontier at once. Keeps about 45 bytes
    per URL seen, and its cost per page does not depend on how many those are.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    graph_: WebGraph = field(init=False, repr=False)
    merge = "last"

    def begin(self, context: Context) -> None:
        self.graph_ = WebGraph()

    def learn(self, visit: Visit) -> None:
        self.graph_.add(visit)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links = visit.page.links
        counts = self.graph_.backlinks.of(self.graph_.find(links)).astype(float).tolist()
        return [Ranked(link=link, priority=count) for link, count in zip(links, counts, strict=True)]

    def snapshot(self) -> Snapshot:
        return Snapshot(1, {}, self.graph_.kept())

    def restore(self, snapshot: Snapshot) -> None:
        self.graph_.take_back(snapshot.of_version(1)[1])

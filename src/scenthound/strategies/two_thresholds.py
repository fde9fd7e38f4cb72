from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query


@strategy("two-thresholds")
@dataclass
class TwoThresholds:
    """A threshold for pages and one for anchors; what is below is dismissed for good (Aastha 2.8).

    Believes that pages off the topic lead nowhere, and neither do links whose words do not speak of it: rather a crawl
    that ends early than one that strays.

        page P:   links are followed only if  similarity(P, topic) >= T1
        link a:   is followed only if         similarity(a, topic) >= T2
        priority = similarity(a, topic)       `sorted`; else the queue is first in, first out, as in the document

    | symbol | parameter |
    |---|---|
    | T1 | `page`: the least cosine of page and keywords |
    | T2 | `anchor`: the least cosine of anchor and keywords |
    | T3 | the page budget of the crawl |

    The document gives no numbers for T1 and T2, and seeds are pages like any other: one below T1 ends the crawl. Here a
    seed is spared that (`spare_seeds`), unless the published form is asked for. A link that was dismissed may come back
    with better words from another page.
    """

    published: ClassVar[Presets] = {"aastha": {"sorted": False, "spare_seeds": False}}

    page: float = 0.05
    anchor: float = 0.05
    sorted: bool = True
    spare_seeds: bool = True
    query_: Query = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("page", "anchor"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} must be between 0 and 1")

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        spared = self.spare_seeds and not visit.depth
        if not spared and self.query_.of_counts(visit.page.terms) < self.page:
            return []
        scored = ((link, self.query_.of_link(link)) for link in visit.page.links)
        return [Ranked(link, score if self.sorted else 0.0) for link, score in scored if score >= self.anchor]

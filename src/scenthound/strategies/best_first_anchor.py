from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query


@strategy("best-first-anchor")
@dataclass
class BestFirstAnchor:
    """Best-first on anchor text (Batsakis 3.2.2, eq. 2).

    Believes that an anchor says what lies behind it.

        priority = cosine(anchor, query)

    | symbol | meaning |
    |---|---|
    | anchor | tf-idf vector of the link's text, or of its title and image texts where it has none |
    | query | tf-idf vector of the topic's keywords |
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    query_: Query = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        anchor = self.query_.of_link
        return [Ranked(link=link, priority=anchor(link)) for link in visit.page.links]

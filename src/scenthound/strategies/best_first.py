from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query


@strategy("best-first")
@dataclass
class BestFirst:
    """Best-first on page and anchor text (Batsakis 3.2.3, eq. 7).

    Believes that a page on the topic links to pages on the topic, and that an anchor says what lies behind it.

        priority = (cosine(page, query) + cosine(anchor, query)) / 2

    | symbol | meaning |
    |---|---|
    | page | tf-idf vector of the page the link stands on |
    | anchor | tf-idf vector of the link's text, or of its title and image texts where it has none |
    | query | tf-idf vector of the topic's keywords |
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    query_: Query = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        page = self.query_.of_counts(visit.page.terms)
        anchor = self.query_.of_link
        return [Ranked(link=link, priority=(page + anchor(link)) / 2) for link in visit.page.links]

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query


@strategy("best-first-page")
@dataclass
class BestFirstPage:
    """Best-first on page text (Batsakis 3.2.1, eq. 2).

    Believes that a page on the topic links to pages on the topic.

        priority = cosine(page, query)

    | symbol | meaning |
    |---|---|
    | page | tf-idf vector of the page the link stands on |
    | query | tf-idf vector of the topic's keywords |

    All links of a page are equally good.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    query_: Query = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priority = self.query_.of_counts(visit.page.terms)
        return [Ranked(link=link, priority=priority) for link in visit.page.links]

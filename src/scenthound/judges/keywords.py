from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Page
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import judge
from scenthound.text.query import Query


@judge("keywords")
@dataclass
class Keywords:
    """Cosine of the page and the topic's keywords (Batsakis eq. 2).

        relevance = cosine(page, query)

    Both in tf-idf weights. A few keywords are a small part of what a page says, so scores are low: on encyclopedia
    pages and background idf the middle page of a topic scores 0.1 (0.05 to 0.4, by topic), other pages 0.00.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    threshold: ClassVar[float] = 0.1
    query_: Query = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def __call__(self, page: Page) -> float:
        return self.query_.of_counts(page.terms)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        return self.query_.strongest(page.terms, n)

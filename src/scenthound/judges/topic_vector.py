from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.errors import ConfigError
from scenthound.model import Page
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import judge
from scenthound.text.topic_vector import TopicVector

SHARE = 0.01
"""The share of words from which a page counts: one in a hundred."""


@judge("topic-vector")
@dataclass
class TopicVectorJudge:
    """The share of the page's words that are the topic's (Mali 3.1.1).

        relevance = scale * sum_k  count(k in page) / words in page * w_k,  at most 1

    Shares are small: a page about dengue fever says "dengue fever" in three words of a hundred. A threshold
    of 0.005 to 0.02 is of use, and 0.01 its own; a larger `scale` brings the same order onto the scale of other judges,
    its threshold with it.
    """

    published: ClassVar[Presets] = {"mali": {}}

    scale: float = 1.0
    vector_: TopicVector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.scale < float("inf"):
            raise ValueError("scale must be above 0")

    @property
    def threshold(self) -> float:
        return min(1.0, SHARE * self.scale)

    def begin(self, context: Context) -> None:
        self.vector_ = TopicVector(context.topic)
        if not self.vector_.keywords:
            raise ConfigError('The judge "topic-vector" needs keywords that are no stop words: keywords = [...].')

    def __call__(self, page: Page) -> float:
        return min(1.0, self.scale * self.vector_.of_page(page))

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        parts = [(keyword, self.scale * part) for keyword, part in self.vector_.parts(page)]
        return sorted(parts, key=lambda part: (-part[1], part[0]))[:n]

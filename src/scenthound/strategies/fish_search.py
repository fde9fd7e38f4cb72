from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.errors import ConfigError
from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.topic_vector import TopicVector

DEEPEST = 200
"""A depth travels with its link as one byte."""


@strategy("fish-search")
@dataclass
class FishSearch:
    """Fish that find food have strong young, others starve (Batsakis 2.3, Aastha 2.1; De Bra, Post 1994).

    Believes that relevant pages have relevant neighbours: searches on behind relevant pages, and gives up where
    several pages in a row were not.

        priority = score + 0.4 * depth(link) / (D + 1)

        page relevant:    depth(link) = D                 score = 1 for its first A * W links, 0 for the others
        page irrelevant:  depth(link) = depth(page) - 1   score = 0.5 for its first W links, 0 for the others

    | symbol | parameter |
    |---|---|
    | D | `depth`: how many irrelevant pages in a row a branch survives; seeds begin with it |
    | W | `width`: links of an irrelevant page that get a score |
    | nearness | `nearer_first`: whether depth decides among links of one score; else the first found does |
    | A | `boost`: how many times as many of a relevant page do |
    | relevant | `query_text`: the page contains the query, every keyword of it; else the crawl counts it as relevant |

    Links of an irrelevant page that has no depth left are not followed at all; another page may bring them back.

    Decisions. The document calls a page relevant that contains the query text, and orders links of one score by
    whatever came in first: that is its published form. Here the judge's word and the crawl's threshold say what is
    relevant, and what is nearer to food goes first, which also lets a link that is found again take over the larger
    depth with the better priority. The depth of a page that came with no word from this strategy is D.
    """

    published: ClassVar[Presets] = {"batsakis": {"nearer_first": False, "query_text": True}}

    depth: int = 3
    width: int = 20
    boost: float = 1.5
    nearer_first: bool = True
    query_text: bool = False
    vector_: TopicVector = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= DEEPEST:
            raise ValueError(f"depth must be between 0 and {DEEPEST}")
        if self.width < 1:
            raise ValueError("width must be at least 1")
        if not self.boost >= 1.0:
            raise ValueError("boost must be at least 1")

    def begin(self, context: Context) -> None:
        self.vector_ = TopicVector(context.topic)
        if self.query_text and not self.vector_.keywords:
            raise ConfigError(
                'The strategy "fish-search" as published looks for the words of the query, and there are none. '
                "Add keywords = [...] under [topic]."
            )

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        if self._is_food(visit):
            depth, score, children = self.depth, 1.0, self.boost * self.width
        else:
            depth, score, children = self._depth_of(visit) - 1, 0.5, float(self.width)
        if depth < 0:
            return []
        memory, nearness = bytes([depth]), 0.4 * depth / (self.depth + 1) if self.nearer_first else 0.0
        return [
            Ranked(link=link, priority=(score if place < children else 0.0) + nearness, memory=memory)
            for place, link in enumerate(visit.page.links)
        ]

    def _is_food(self, visit: Visit) -> bool:
        if not self.query_text:
            return visit.relevant
        return len(self.vector_.parts(visit.page)) == len(self.vector_.keywords)

    def _depth_of(self, visit: Visit) -> int:
        return min(visit.memory[0], self.depth) if visit.memory else self.depth

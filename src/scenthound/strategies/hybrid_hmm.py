from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.bounded_cache import Memo
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Idf, Presets
from scenthound.registry import strategy
from scenthound.strategies.hmm import BATSAKIS, HmmCrawler
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.text.vectors import cosine, weigh

REMEMBERED = 20_000  # anchors, about 3 MB


@strategy("hybrid-hmm")
@dataclass
class HybridHmm(HmmCrawler):
    """The way to a page and the page itself, half and half (Batsakis 3.4.2, eq. 11).

    Believes that the way tells how far the topic is, and that among pages of one cluster those like the relevant ones
    are the better places to go on from.

        priority = (hmm + cosine(page, c_r)) / 2

    | symbol | meaning |
    |---|---|
    | hmm | the priority that `hmm` gives; its parameters are those of `hmm` |
    | c_r | centroid of the relevant training pages, tf-idf |

    Must be trained: `scenthound train FOLDER --model hybrid-hmm`. Source: Batsakis 3.4.2.
    """

    published: ClassVar[Presets] = BATSAKIS

    idf_: Idf = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    analyzer_: Analyzer = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    anchors_: Memo[str, float] = field(init=False, repr=False, metadata=MADE_IN_BEGIN)

    name: ClassVar[str] = "hybrid-hmm"

    def begin(self, context: Context) -> None:
        super().begin(context)
        self.idf_, self.analyzer_ = context.idf, analyzer(context.topic.language)
        self.anchors_ = Memo(lambda text: self.likeness(self.analyzer_.counts(text)), REMEMBERED)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        hmm, memory = self.forecast(visit)
        priority = (hmm + self.likeness(visit.page.terms)) / 2
        return [Ranked(link, priority, memory) for link in visit.page.links]

    def likeness(self, terms: Mapping[str, int]) -> float:
        """Cosine with the relevant training pages."""
        return cosine(weigh(terms, self.idf_), self.model_.centroid)

    def of_anchor(self, link: Link) -> float:
        return self.anchors_[link.anchor or link.title]


@strategy("hybrid-hmm-anchor")
@dataclass
class HybridHmmAnchor(HybridHmm):
    """`hybrid-hmm` that also reads anchors (Batsakis 3.4.2, eq. 12).

    Believes what `hybrid-hmm` believes, and that an anchor says what lies behind it.

        priority = (hmm + (cosine(page, c_r) + cosine(anchor, c_r)) / 2) / 2

    Symbols and parameters as for `hybrid-hmm`. Must be trained: `scenthound train FOLDER --model hybrid-hmm-anchor`.
    Source: Batsakis 3.4.2.
    """

    published: ClassVar[Presets] = BATSAKIS

    name: ClassVar[str] = "hybrid-hmm-anchor"

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        hmm, memory = self.forecast(visit)
        page = self.likeness(visit.page.terms)
        return [Ranked(link, (hmm + (page + self.of_anchor(link)) / 2) / 2, memory) for link in visit.page.links]

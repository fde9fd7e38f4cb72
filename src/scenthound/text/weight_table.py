"""The topic as a table of a few terms (Aastha 4.5.1), and the relevance of a block of text to it (4.5.2).

    t_i = n_i / n_max                 R(t, b) = sum_k w_kt * w_kb / sqrt(sum_k w_kt^2 * sum_k w_kb^2)

| symbol | here |
|---|---|
| n_i | how often term i stands in the page; of several pages, the mean of their n_i / n_max, so each has one vote |
| n_max | the same of the table's most frequent term |
| w_kt, w_kb | weight of term k in the table, and in the block |

Which terms get into the table is decided by `tf * idf`, as in the generating of topic keywords (Aastha 2.5.1): the
most frequent words of a page are those of any page. Of several pages it is what they share that makes the topic, so
a term also counts by the share of pages that hold it. The document sums over the table's terms only, also below the
root, so a block that has one of ten terms once is as relevant as one that speaks of nothing else. Here the sum over
the block goes over all its terms, which is what a cosine is; `norm = "table"` is the document's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nlargest, nsmallest
from math import sqrt
from operator import mul
from typing import Any, Literal, get_args

from scenthound.model import Page, Topic
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import analyzer
from scenthound.text.vectors import Vector, norm

Norm = Literal["block", "table"]
NORMS: tuple[Norm, ...] = get_args(Norm)

TERMS = 10
"""Terms of a table, as the document has it."""

MOST_KEPT = 6_000
"""Terms a `TermStatistics` keeps at most; at that many it forgets the weaker half."""


class WeightTable:
    """Terms and their weights; the strongest weighs 1."""

    def __init__(self, weights: Mapping[str, float], language: str = "en", norm_over: Norm = "block") -> None:
        """`norm_over`: whose terms make up the length of a block, all of its own or only the table's."""
        most = max(weights.values(), default=0.0)
        self.weights: Vector = {term: weight / most for term, weight in weights.items()} if most else {}
        self.analyzer = analyzer(language)
        self.norm_over = norm_over
        self._norm = norm(self.weights)

    @classmethod
    def of_topic(cls, topic: Topic, size: int = TERMS) -> WeightTable:
        """The keywords as a table: the weights are the keywords' own."""
        weights: Vector = {}
        for keyword in topic.keywords:
            for term in analyzer(topic.language).counts(keyword.term):
                weights[term] = weights.get(term, 0.0) + keyword.weight
        return cls(dict(nlargest(size, weights.items(), key=lambda entry: entry[1])), topic.language)

    @classmethod
    def of(cls, topic: Topic, statistics: TermStatistics, size: int = TERMS) -> WeightTable:
        """The keywords, because they were asked for; the places left go to the terms that tell most about the pages."""
        weights = cls.of_topic(topic, size).weights
        for term, weight in statistics.table(size).weights.items():
            if term in weights or len(weights) < size:
                weights[term] = max(weight, weights.get(term, 0.0))
        return cls(weights, topic.language)

    def __bool__(self) -> bool:
        """Can anything be relevant to it?"""
        return self._norm > 0.0

    def of_counts(self, counts: Mapping[str, int]) -> float:
        """R(t, b) of a block given as counts of its terms."""
        held = {term: counts[term] for term in self.weights if term in counts}
        shared = sum(self.weights[term] * n for term, n in held.items())
        if not shared:
            return 0.0
        values = (held if self.norm_over == "table" else counts).values()
        return float(min(1.0, shared / (self._norm * sqrt(sum(map(mul, values, values))))))

    def of_text(self, text: str) -> float:
        """R(t, b) of a block."""
        return self.of_counts(self.analyzer.counts(text)) if text else 0.0

    def of_blocks(self, page: Page) -> list[float]:
        """R(t, b) of each block of a page. One that has no term of the table anywhere is not read block by block."""
        if analyzer(page.language) is self.analyzer and self.weights.keys().isdisjoint(page.terms):
            return [0.0] * len(page.blocks)
        return [self.of_text(block.text) for block in page.blocks]


class TermStatistics:
    """Gathers which terms pages use, page by page, so that a table can be built, or built again, at any time."""

    def __init__(self, idf: Idf, pages: Iterable[Page] = ()) -> None:
        self.idf = idf
        self.pages = 0
        self._sums: Vector = {}
        self._holding: dict[str, int] = {}
        for page in pages:
            self.add(page.terms)

    def add(self, counts: Mapping[str, int]) -> None:
        """One page's vote: tf of each of its terms."""
        most = max(counts.values(), default=0)
        if not most:
            return
        self.pages += 1
        sums, holding = self._sums, self._holding
        for term, n in counts.items():
            sums[term] = sums.get(term, 0.0) + n / most
            holding[term] = holding.get(term, 0) + 1
        if len(sums) > MOST_KEPT:
            kept = self._best(MOST_KEPT // 2)
            self._sums = {term: sums[term] for term in kept}
            self._holding = {term: holding[term] for term in kept}

    def __bool__(self) -> bool:
        return self.pages > 0

    def kept(self) -> dict[str, Any]:
        """All that was gathered, as JSON has it."""
        return {"pages": self.pages, "sums": dict(self._sums), "holding": dict(self._holding)}

    def take_back(self, kept: Mapping[str, Any]) -> None:
        self.pages, self._sums, self._holding = kept["pages"], dict(kept["sums"]), dict(kept["holding"])

    def best(self, n: int) -> list[tuple[str, float]]:
        """The n terms that tell most about the pages, best first: mean tf * idf * share of the pages that hold it."""
        return [(term, self._strength(term) / self.pages**2) for term in self._best(n)]

    def table(self, size: int = TERMS, language: str = "en") -> WeightTable:
        """The best terms, weighed by frequency alone."""
        return WeightTable({term: self._sums[term] for term in self._best(size)}, language)

    def _best(self, n: int) -> list[str]:
        weighed = ((-self._strength(term), term) for term in self._sums)
        return [term for weight, term in nsmallest(n, weighed) if weight]

    def _strength(self, term: str) -> float:
        return self._sums[term] * self._holding[term] * self.idf(term)

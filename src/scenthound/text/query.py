"""The topic as a vector, made to be compared with every page and every anchor."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from math import sqrt
from operator import mul

from scenthound.bounded_cache import Memo
from scenthound.errors import ConfigError
from scenthound.model import Link, Topic
from scenthound.protocols.crawl import Context, Idf
from scenthound.text.analysis import analyzer
from scenthound.text.vectors import Vector, norm

REMEMBERED = 20_000  # anchors, about 3 MB


class Query:
    """The keywords of a topic in the vector space of its idf.

        w_q(t) = (sum of the weights of the keywords holding t) * idf(t)

    A phrase is its terms, each with the weight of the phrase: "dengue fever" is what a person who types these two
    words asks for. Similarities are cosines; the document's `max f` cancels out of them and is not computed.
    Those of anchors are remembered, because the pages of a site share most of theirs, and that of the last document,
    because judge and strategy ask for the same one.
    """

    def __init__(self, topic: Topic, idf: Idf) -> None:
        self.analyzer = analyzer(topic.language)
        self.idf = idf
        self.vector: Vector = {}
        for keyword in topic.keywords:
            for term in self.analyzer.counts(keyword.term):
                self.vector[term] = self.vector.get(term, 0.0) + keyword.weight * idf(term)
        self._norm = norm(self.vector)
        self._anchors = Memo(self.of_text, REMEMBERED)
        self._last: tuple[Mapping[str, float] | None, float] = (None, 0.0)

    @classmethod
    def of(cls, context: Context) -> Query:
        """The query of a crawl that cannot go without one."""
        query = _shared_by_all(context.topic, context.idf)
        if not query:
            given = ", ".join(keyword.term for keyword in context.topic.keywords)
            raise ConfigError(
                f"No keyword of the topic says anything ({given} are stop words, or found in every text). "
                "Add keywords under [topic], such as the words you would type into a search engine."
                if given
                else "The topic has no keywords. Add keywords = [...] under [topic]."
            )
        return query

    def with_terms(self, weights: Mapping[str, float]) -> Query:
        """This query with more terms, weighted as keywords are; a term it has already keeps its weight."""
        more = copy(self)
        more.vector = {term: weight * self.idf(term) for term, weight in weights.items()} | self.vector
        more._norm = norm(more.vector)
        more._anchors = Memo(more.of_text, REMEMBERED)
        more._last = (None, 0.0)
        return more

    def __bool__(self) -> bool:
        """Can anything be similar to it?"""
        return self._norm > 0.0

    def of_counts(self, counts: Mapping[str, float]) -> float:
        """Cosine of a document, given as counts of terms, and the query."""
        if counts is not self._last[0]:
            self._last = counts, self._cosine(counts)
        return self._last[1]

    def _cosine(self, counts: Mapping[str, float]) -> float:
        shared = self._shared(counts)
        if not shared:
            return 0.0
        weights = list(map(mul, counts.values(), map(self.idf, counts)))
        length = sqrt(sum(map(mul, weights, weights)))
        return min(1.0, shared / (length * self._norm))

    def of_text(self, text: str) -> float:
        """Cosine of a short text, such as an anchor, and the query."""
        if not text or self.vector.keys().isdisjoint(self.analyzer.terms(text)):
            return 0.0
        return self._cosine(self.analyzer.counts(text))

    def of_link(self, link: Link) -> float:
        """Cosine of what a link says of its target, its anchor or else its title, and the query."""
        return self._anchors[link.anchor or link.title]

    def strongest(self, counts: Mapping[str, int], n: int) -> list[tuple[str, float]]:
        """The terms that make up most of `of_counts(counts)`, and how much of it each is; they add up to it."""
        total = self._shared(counts)
        if not total:
            return []
        score = self.of_counts(counts)
        parts = {term: self._part(counts, term) * score / total for term in self.vector if term in counts}
        return sorted(parts.items(), key=lambda part: (-part[1], part[0]))[:n]

    def _shared(self, counts: Mapping[str, float]) -> float:
        return sum(self._part(counts, term) for term in self.vector if term in counts)

    def _part(self, counts: Mapping[str, float], term: str) -> float:
        return counts[term] * self.idf(term) * self.vector[term]


@lru_cache(maxsize=4)
def _shared_by_all(topic: Topic, idf: Idf) -> Query:
    """Judge and strategy of a crawl have one query, and so one memory of what was asked."""
    return Query(topic, idf)

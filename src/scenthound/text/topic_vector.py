"""The topic vector of Mali 3.1.1: which share of a page's words are the topic's.

    Sim(T, D) = sum_k  count(k in D) / words in D * w_k

| symbol | here |
|---|---|
| T = [(k, w_k), ...] | the topic's keywords, words or phrases, weights summing to 1 |
| count(k in D) | how often the keyword stands in the document: a phrase counts as a phrase |
| words in D | "effective words": terms, so without stop words |

A phrase is matched in the sequence of terms, so endings and stop words in between make no difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.model import Page, Topic
from scenthound.text.analysis import analyzer


class TopicVector:
    def __init__(self, topic: Topic) -> None:
        self.analyzer = analyzer(topic.language)
        terms = ((tuple(self.analyzer.terms(keyword.term)), keyword.weight) for keyword in topic.keywords)
        self.keywords = [(phrase, weight) for phrase, weight in terms if phrase]

    def of_page(self, page: Page) -> float:
        return min(1.0, sum(part for _, part in self.parts(page)))

    def parts(self, page: Page) -> list[tuple[str, float]]:
        """What each keyword that occurs adds to the similarity."""
        words = sum(page.terms.values())
        if not words:
            return []
        counts = [(phrase, self._count(phrase, page), weight) for phrase, weight in self.keywords]
        return [(" ".join(phrase), n / words * weight) for phrase, n, weight in counts if n]

    def _count(self, phrase: Sequence[str], page: Page) -> int:
        if len(phrase) == 1:
            return page.terms.get(phrase[0], 0)
        # Reading the text again costs more than all the rest: only where all words of the phrase are there.
        if not all(term in page.terms for term in phrase):
            return 0
        return occurrences(phrase, self.analyzer.terms(page.title)) + occurrences(
            phrase, self.analyzer.terms(page.text)
        )


def occurrences(phrase: Sequence[str], terms: Sequence[str]) -> int:
    """How often the terms of the phrase follow each other."""
    first, size = phrase[0], len(phrase)
    wanted = list(phrase)
    return sum(1 for start, term in enumerate(terms) if term == first and list(terms[start : start + size]) == wanted)

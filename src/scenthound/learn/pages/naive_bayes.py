"""Naive Bayes on words: the oldest page classifier of focused crawling, from nothing but counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

Terms = Mapping[str, int]


class NaiveBayes:
    """The multinomial model of two classes.

        P(t | c)   = (n_tc + a) / (n_c + a |V|)
        log odds   = log P(relevant) / P(irrelevant) + sum over terms of f_t * log P(t | relevant) / P(t | irrelevant)

    n_tc counts term t in the pages of class c, n_c all their terms, V is the vocabulary of both classes, a smooths.
    Terms outside V say nothing. Words come in company, which the model denies, so its odds are far too sure of
    themselves: `score` gives them per word, an order to be calibrated.
    """

    def __init__(self, relevant: Sequence[Terms], irrelevant: Sequence[Terms], smoothing: float = 1.0) -> None:
        if not relevant or not irrelevant:
            raise ValueError("naive Bayes learns from pages of both kinds, relevant and irrelevant")
        good, bad = _total(relevant), _total(irrelevant)
        vocabulary = good.keys() | bad.keys()
        scale = log((bad.total() + smoothing * len(vocabulary)) / (good.total() + smoothing * len(vocabulary)))
        self.prior = log(len(relevant) / len(irrelevant))
        self.weights = {
            term: log((good[term] + smoothing) / (bad[term] + smoothing)) + scale for term in sorted(vocabulary)
        }

    def log_odds(self, terms: Terms) -> float:
        """Of relevant against irrelevant, by the formula above."""
        return self.prior + self._words(terms)[0]

    def score(self, terms: Terms) -> float:
        """What the words say, for each word that is known: comparable between long pages and short ones."""
        odds, known = self._words(terms)
        return odds / known if known else 0.0

    def _words(self, terms: Terms) -> tuple[float, int]:
        weights, odds, known = self.weights, 0.0, 0
        for term, n in terms.items():
            if term in weights:
                odds += n * weights[term]
                known += n
        return odds, known


def _total(pages: Iterable[Terms]) -> Counter[str]:
    total: Counter[str] = Counter()
    for terms in pages:
        total.update(terms)
    return total

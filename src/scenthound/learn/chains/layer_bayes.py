"""Naive Bayes over several classes: the layers of a context graph, or bins of reward.

    P(c | d)  in proportion to  P(c) * (product over terms of P(t | c)^f_t)^(m / n),     m = min(n, 50)
    P(t | c)  = (n_tc + 1) / (n_c + |V|)

f_t counts term t among the n known terms of d, V is the vocabulary. The power m / n lets a text speak with the voice
of 50 words at most: words come in company, which the model denies, and a page of a thousand of them would be sure of
anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.chains.memm import softmax

Floats = npt.NDArray[np.float64]
Terms = Mapping[str, int]

VOICE = 50
MOST_TERMS = 5000


class LayerBayes(Struct, frozen=True):
    columns: dict[str, int]
    words: Floats  # V x C, log P(t | c)
    prior: Floats  # C, log P(c)

    def posterior(self, terms: Terms) -> Floats:
        """The probability of each class."""
        columns = self.columns
        known = [(columns[term], n) for term, n in terms.items() if term in columns]
        if not known:
            return softmax(self.prior)
        where, counts = zip(*known, strict=True)
        weights = np.array(counts, dtype=np.float64)
        n = float(weights.sum())
        return softmax(self.prior + min(n, VOICE) / n * (weights @ self.words[list(where)]))


def train(documents: Sequence[Terms], classes: Iterable[int], count: int, even: bool = False) -> LayerBayes:
    """From documents and the class of each. `even`: all classes are as likely, however many documents each has."""
    totals: list[Counter[str]] = [Counter() for _ in range(count)]
    holding: Counter[str] = Counter()
    sizes = np.ones(count)
    for terms, at in zip(documents, classes, strict=True):
        totals[at].update(terms)
        holding.update(terms.keys())
        sizes[at] += 1
    kept = sorted(holding, key=lambda term: (-holding[term], term))[:MOST_TERMS]
    counts = np.array([[total[term] for total in totals] for term in kept], dtype=np.float64).reshape(len(kept), count)
    words = np.log((counts + 1.0) / (counts.sum(axis=0) + max(len(kept), 1)))
    prior = np.zeros(count) if even else np.log(sizes / sizes.sum())
    return LayerBayes({term: column for column, term in enumerate(kept)}, words, prior)

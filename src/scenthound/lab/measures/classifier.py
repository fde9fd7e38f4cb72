"""The classifier behind the harvest rate: a linear SVM that has seen examples and never a crawl (Aastha 4.7.1).

It learns from the topic's examples, from relevant pages held apart from the crawl (of another university, say), and
from irrelevant ones: counterexamples first, then any pages that are no targets, until there are two for each relevant
page. What a crawl downloaded never trains it.

The document's own is *more informed* than the crawler: its positives are the entire relevant set, its negatives come
from the relevant sets of other topics, two for each. That is `informed_pages`, and the measure `informed-harvest-rate`.
On a web where every relevant page is labelled such a classifier has seen the answers, so it stands beside the other.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import UsageError
from scenthound.lab.measures.vectors import Terms

IRRELEVANT_PER_RELEVANT = 2
MOST_INFORMED = 300
"""Relevant pages that an informed classifier learns from, drawn at random where there are more."""


class HarvestClassifier:
    """Says of pages whether they are relevant."""

    def __init__(self, vectoriser: Any, weigh: Any, svm: Any) -> None:
        self._vectoriser = vectoriser
        self._weigh = weigh
        self._svm = svm

    def __call__(self, pages: Sequence[Terms]) -> NDArray[np.bool_]:
        if not pages:
            return np.zeros(0, dtype=np.bool_)
        rows = self._weigh.transform(self._counts(pages))
        return np.asarray(self._svm.decision_function(rows) > 0, dtype=np.bool_)

    def _counts(self, pages: Sequence[Terms]) -> Any:
        """What the vectoriser's own `transform` returns, several times faster: it knows that values are numbers."""
        from scipy.sparse import csr_matrix

        column = self._vectoriser.vocabulary_
        known = [{column[term]: n for term, n in terms.items() if term in column} for terms in pages]
        starts = np.cumsum([0, *map(len, known)])
        columns = np.fromiter(chain.from_iterable(known), dtype=np.int32, count=starts[-1])
        values = np.fromiter(chain.from_iterable(row.values() for row in known), dtype=np.float64, count=starts[-1])
        return csr_matrix((values, columns, starts), shape=(len(pages), len(column)))


def train(relevant: Sequence[Terms], irrelevant: Sequence[Terms], *, seed: int = 0) -> HarvestClassifier:
    """A linear SVM on tf-idf vectors, both classes weighing the same whatever their sizes."""
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.feature_extraction.text import TfidfTransformer
        from sklearn.svm import LinearSVC
    except ImportError as error:
        message = "The harvest rate needs scikit-learn: install scenthound with its extra `learn`, or leave it out."
        raise UsageError(message) from error
    if not relevant or not irrelevant:
        raise UsageError("The harvest rate's classifier needs pages of both kinds: relevant and irrelevant ones.")
    vectoriser, weigh = DictVectorizer(dtype=np.float64), TfidfTransformer(sublinear_tf=True)
    rows = weigh.fit_transform(vectoriser.fit_transform([*relevant, *irrelevant]))
    labels = np.array([True] * len(relevant) + [False] * len(irrelevant))
    svm = LinearSVC(class_weight="balanced", random_state=seed, max_iter=5000)
    return HarvestClassifier(vectoriser, weigh, svm.fit(rows, labels))


def informed_pages(
    relevant: Collection[str], others: Collection[str], *, seed: int = 0, most: int = MOST_INFORMED
) -> tuple[list[str], list[str]]:
    """URLs of all relevant pages, `most` of them at most, and twice as many that are relevant to other topics alone."""
    chance = random.Random(seed)
    wanted = sorted(relevant)
    chosen = chance.sample(wanted, min(most, len(wanted)))
    free = sorted(set(others).difference(relevant))
    return chosen, chance.sample(free, min(IRRELEVANT_PER_RELEVANT * len(chosen), len(free)))


def training_pages(
    relevant: Mapping[str, Terms],
    irrelevant: Mapping[str, Terms],
    others: Mapping[str, Terms],
    *,
    targets: Collection[str] = (),
    seed: int = 0,
) -> tuple[list[Terms], list[Terms]]:
    """Relevant and irrelevant pages to train on, given by URL; `others` fill up the irrelevant ones, drawn by `seed`.

    A page that is relevant, or a target, is never taken for an irrelevant one.
    """
    barred = {*relevant, *targets}
    against = {url: terms for url, terms in irrelevant.items() if url not in barred}
    free = sorted(url for url in others if url not in barred and url not in against)
    wanted = max(0, IRRELEVANT_PER_RELEVANT * len(relevant) - len(against))
    drawn = random.Random(seed).sample(free, min(wanted, len(free)))
    return list(relevant.values()), [*against.values(), *(others[url] for url in drawn)]

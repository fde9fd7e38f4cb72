"""What is held against the crawls of one topic: made by the evaluation's own means, and the same for all of them.

Similarities are cosines by the idf of the language at large, as in `evaluate`: a harvest ratio means the same in both.
The classifier is trained on the examples and on pages drawn from the web, never on what a crawl brought; another one
knows every target. The judge that a crawl follows has no part in any of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scenthound.bounded_cache import Memo
from scenthound.errors import UsageError
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.web_statistics import WebStatistics
from scenthound.lab.measures.classifier import (
    IRRELEVANT_PER_RELEVANT,
    HarvestClassifier,
    informed_pages,
    train,
    training_pages,
)
from scenthound.lab.measures.registry import Measured, evaluate
from scenthound.lab.measures.trace import Curve, Evidence, Trace, held, nearest, over_requests
from scenthound.lab.measures.vectors import Similarities, Terms, TermSpace, Vector
from scenthound.lab.topics import LabTopic
from scenthound.text import idf

DRAWN = 200
"""Pages drawn from the web, from which the classifier's irrelevant ones are filled up."""

LANGUAGES = 50
REMEMBERED_VECTORS = 50_000
"""About 5 KB each."""


class EvidenceMaker:
    """Evaluates crawls of one web, topic by topic."""

    def __init__(self, crawler: LabCrawler, statistics: WebStatistics, topics: Sequence[LabTopic] = ()) -> None:
        """`topics`: all of the experiment; what is relevant to the others is not to one of them."""
        self._crawler = crawler
        self._statistics = statistics
        self._topics = topics
        self._spaces: Memo[str, TermSpace] = Memo(lambda language: TermSpace(idf.background(language)), LANGUAGES)
        self._vectors = Memo(self._vector, REMEMBERED_VECTORS)
        self._grounds: dict[str, Yardstick] = {}

    def __call__(self, topic: LabTopic, trace: Trace) -> tuple[dict[str, Measured], Curve]:
        """All measures the topic allows, and of each page the cosine to its nearest target."""
        if topic.name not in self._grounds:
            self._grounds = {topic.name: Yardstick(self, topic)}  # crawls come topic by topic: one is enough
        return self._grounds[topic.name].assess(trace)

    def vectors(self, urls: Iterable[str], language: str) -> list[Vector]:
        return [self._vectors[url, language] for url in urls]

    def _vector(self, page: tuple[str, str]) -> Vector:
        return self._spaces[page[1]].vector(self.terms(*page))

    def terms(self, url: str, language: str) -> Terms:
        page = self._crawler.page(url, language)
        return page.terms if page is not None else {}

    def relevant_elsewhere(self, topic: LabTopic) -> set[str]:
        """Targets of other topics."""
        return {url for each in self._topics if each.name != topic.name for url in each.targets}

    def some_pages(self, n: int) -> list[str]:
        return random.Random(0).sample(sorted(self._statistics.pages), min(n, len(self._statistics.pages)))


class Yardstick:
    """One topic's targets and examples as vectors, and its classifier."""

    def __init__(self, assessor: EvidenceMaker, topic: LabTopic) -> None:
        self._assessor = assessor
        self._language = topic.language
        self._targets = topic.scored_targets()
        self._to_targets = self._similarities(sorted(self._targets))
        self._to_examples = self._similarities(topic.relevant_examples)
        self._verdicts = Verdicts(self._terms, self._train(topic))
        self._informed = Verdicts(self._terms, self._train_informed(topic))

    def _similarities(self, urls: Iterable[str]) -> Similarities | None:
        vectors = self._assessor.vectors(urls, self._language)
        return Similarities(vectors) if vectors else None

    def _train(self, topic: LabTopic) -> HarvestClassifier | None:
        """None where there are no examples to learn from, or scikit-learn is not installed."""
        terms = self._terms
        if not topic.relevant_examples:
            return None
        enough = IRRELEVANT_PER_RELEVANT * len(topic.relevant_examples)
        relevant, irrelevant = training_pages(
            terms(topic.relevant_examples),
            terms(topic.irrelevant_examples),
            terms(self._assessor.some_pages(DRAWN) if len(topic.irrelevant_examples) < enough else ()),
            targets=topic.targets,
        )
        return _trained(relevant, irrelevant)

    def _train_informed(self, topic: LabTopic) -> HarvestClassifier | None:
        """None where no other topic says what is irrelevant."""
        others = self._assessor.relevant_elsewhere(topic)
        relevant, irrelevant = map(self._terms, informed_pages({*topic.targets, *topic.relevant_examples}, others))
        return _trained(list(relevant.values()), list(irrelevant.values()))

    def _terms(self, urls: Iterable[str]) -> Mapping[str, Terms]:
        """Of those pages that have any."""
        found = {url: self._assessor.terms(url, self._language) for url in urls}
        return {url: each for url, each in found.items() if each}

    def assess(self, trace: Trace) -> tuple[dict[str, Measured], Curve]:
        urls = [request.url for request in trace.pages]
        vectors = self._assessor.vectors(urls, self._language)
        to_targets = self._to_targets(vectors) if self._to_targets else None
        evidence = Evidence(
            targets=self._targets,
            to_examples=self._to_examples(vectors) if self._to_examples else None,
            to_targets=to_targets,
            verdicts=self._verdicts(urls),
            informed=self._informed(urls),
        )
        likeness = nearest(to_targets) if to_targets is not None else np.zeros(0)
        return evaluate(trace, evidence), likeness


class Verdicts:
    """What a classifier says of pages, each asked once; None of all of them, where there is no classifier."""

    def __init__(
        self, terms: Callable[[Iterable[str]], Mapping[str, Terms]], classifier: HarvestClassifier | None
    ) -> None:
        self._terms, self._classifier = terms, classifier
        self._said: dict[str, bool] = {}

    def __call__(self, urls: Sequence[str]) -> NDArray[np.bool_] | None:
        if self._classifier is None:
            return None
        new = list(dict.fromkeys(url for url in urls if url not in self._said))
        known = self._terms(new)
        verdicts = self._classifier([known.get(url, {}) for url in new])
        self._said.update(zip(new, verdicts.tolist(), strict=True))
        return np.array([self._said[url] for url in urls], dtype=np.bool_)


def _trained(relevant: Sequence[Terms], irrelevant: Sequence[Terms]) -> HarvestClassifier | None:
    try:
        return train(relevant, irrelevant)
    except UsageError:
        return None


def counted_in_requests(measured: dict[str, Measured], trace: Trace, budget: int) -> dict[str, Measured]:
    """The same measures where the budget is one of requests: curves run over requests, a vain one adds nothing.

    The area under the recall curve is its mean over the budget, so it is taken anew.
    """
    found = {name: Measured(each.final, over_requests(trace, each.curve)) for name, each in measured.items()}
    if "target-recall" in measured:
        recall = held(over_requests(trace, measured["target-recall"].curve, start=0.0), budget, start=0.0)
        area: Curve = np.cumsum(recall) / np.arange(1, len(recall) + 1)
        found["target-recall"] = Measured(measured["target-recall"].final, recall)
        found["recall-area"] = Measured(float(area[-1]), area)
    return found

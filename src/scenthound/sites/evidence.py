"""What a page says for or against its site: by the topic's words, by what other sites have taught, or by both.

From a topic alone the judge of the crawl speaks, and `confidence.py` makes a confidence of what it says. Where labelled
sites have taught a page classifier that helps (see label_check.py), the page has two witnesses. Neither is taken for
more than half of what it says, since both read the same words:

    odds = (odds of the topic's words + odds of the classifier) / 2             each after its own error rate

A site that both together do not decide is what the words alone hold it to be: so labels move a site only where what
they taught is sure of it.

What is stored of a page is the judge's word alone. So pages may be judged again, labels come and go, and what a site is
held to be follows anew from its pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from scenthound.config import Config
from scenthound.judges.threshold import position_scale, threshold_of
from scenthound.model import Visit
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.confidence import by_position, by_threshold
from scenthound.sites.posterior import corrected, log_odds, probability


class PageEvidence(Protocol):
    """The confidence that a page stands on a relevant site, and how often that errs."""

    p_err: float
    reads_words: bool  # else the judge's word is enough, and a stored page need not be read back

    @property
    def topic(self) -> TopicEvidence | None:
        """Who speaks of a site that is not decided; None: this one does."""
        ...

    def __call__(self, visit: Visit) -> float: ...


class TopicEvidence:
    """The judge's relevance, read on the judge's own scale."""

    reads_words = False
    topic = None

    def __init__(self, threshold: float, p_err: float, position: Callable[[float], float] | None = None) -> None:
        self.threshold = threshold
        self.p_err = p_err
        self.position = position

    def __call__(self, visit: Visit) -> float:
        return self.confidence(visit.relevance)

    def confidence(self, relevance: float) -> float:
        if self.position is None:
            return by_threshold(relevance, self.threshold)
        return by_position(self.position(relevance), self.position(self.threshold))


class ClassifierEvidence:
    """What a page classifier says of the page's words, and nothing else: the document's website crawler."""

    reads_words = True
    topic = None

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier
        self.p_err = classifier.p_err
        self._last = ("", 0.5)

    def __call__(self, visit: Visit) -> float:
        """Asked twice about a page that was just visited: by what learns from it and by what ranks its links."""
        url, confidence = self._last
        if url != visit.page.url:
            confidence = self.classifier.confidence(visit.page)
            self._last = (visit.page.url, confidence)
        return confidence


class JointEvidence:
    """Both witnesses. Error rates are inside already, so there is none left."""

    p_err = 0.0
    reads_words = True

    def __init__(self, topic: TopicEvidence, classifier: ClassifierEvidence) -> None:
        self.topic = topic
        self.classifier = classifier

    def __call__(self, visit: Visit) -> float:
        topic, classifier = self.topic, self.classifier
        return joint(topic(visit), topic.p_err, classifier(visit), classifier.p_err)


def joint(topic: float, topic_err: float, classifier: float, classifier_err: float) -> float:
    """The confidence of two confidences and their error rates: the mean of the log odds."""
    odds = log_odds(corrected(topic, topic_err)) + log_odds(corrected(classifier, classifier_err))
    return probability(odds / 2)


def topic_evidence(config: Config) -> TopicEvidence:
    return TopicEvidence(threshold_of(config), config.sites.p_err, position_scale(config))

"""A site judged by its homepage alone: what the website classifier is compared with (Ester 5.2).

The same classifier by the document's own rule, trained and tested on homepages only. It needs one page a site, and
fails where a homepage says nothing: a frame set, a picture, a word of welcome. (It is not balanced as the website
classifier is: with one page to go by, that costs it more in precision than it brings in recall.)
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scenthound.model import Page
from scenthound.protocols.crawl import Idf
from scenthound.sites.classifier import CLUSTERS, PageClassifier

HALF = 0.5


class HomepageClassifier:
    """Says of a homepage how sure it is that the site behind it is relevant."""

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier

    @classmethod
    def train(
        cls,
        relevant: Sequence[Page],
        other: Sequence[Page],
        *,
        clusters: int = CLUSTERS,
        random: Random,
        idf: Idf,
    ) -> HomepageClassifier:
        """From homepages of sites known to be relevant, and of others."""
        alone = [[page] for page in relevant], [[page] for page in other]
        return cls(PageClassifier.train(*alone, clusters=clusters, random=random, idf=idf, balanced=False))

    def probability(self, page: Page) -> float:
        return self.classifier.confidence(page)

    def relevant(self, page: Page) -> bool:
        """More likely than not; a homepage that says nothing makes no site relevant."""
        return self.probability(page) > HALF

"""From confidences of pages to the confidence of a site (Ester 4.3.3).

A class of sites is taken as a process that draws pages, so the pages seen of a site speak for it one after another:

    P(relevant | pages) = P(relevant) * prod_i P'(page_i | relevant) / sum over both classes of the same

    P'(page | relevant) = conf * (1 - p_err) + (1 - conf) * p_err

`P'` is the page classifier's word after its own error rate: a classifier that errs on every second page (`p_err` 0.5)
says nothing, and even confidences of 1 and 0 decide no site alone. A site has as many factors as pages, so the product
is kept as a sum of logarithms: `odds` is `ln P(relevant | pages) - ln P(other | pages)`.

The prior is the share of relevant sites among those examined so far, since a focused crawl walks where relevant
sites are many, and the web at large says nothing about that place.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

CERTAIN = 1e-9
"""How far from 0 and 1 a probability stays, so that its logarithm exists and no page is the last word."""


def corrected(confidence: float, p_err: float) -> float:
    """The confidence of a class after the classifier's error rate: `conf * (1 - p_err) + (1 - conf) * p_err`."""
    return confidence * (1.0 - p_err) + (1.0 - confidence) * p_err


class Posterior:
    """What is known of one site. `add` takes a page's confidence as the classifier gave it."""

    def __init__(self, prior: float = 0.5, p_err: float = 0.0) -> None:
        self.p_err = p_err
        self.pages = 0
        self.odds = self._before = log_odds(prior)

    def add(self, confidence: float) -> None:
        self.odds += log_odds(corrected(confidence, self.p_err))
        self.pages += 1

    @property
    def probability(self) -> float:
        """That the site is relevant."""
        return probability(self.odds)

    @property
    def confidence(self) -> float:
        """Of the verdict, whichever it is."""
        return probability(abs(self.odds))

    @property
    def relevant(self) -> bool:
        return self.odds > 0.0

    def decided(self, p_threshold: float) -> bool:
        """Either class has reached the threshold. The prior alone decides nothing: some page has to say something."""
        return self.odds != self._before and self.confidence >= p_threshold


@dataclass
class SitePrior:
    """The share of relevant sites so far, smoothed and bounded.

        value = (relevant + smoothing) / (sites + 2 * smoothing), kept within least ... 1 - least

    Smoothed, because the first sites are few and mostly seeds. Bounded, because the share is the crawl's own opinion
    and would confirm itself: after thirty relevant sites in a row, a prior without bound would call the next one
    relevant before a page of it was seen.
    """

    smoothing: float = 5.0
    least: float = 0.25
    relevant: int = 0
    sites: int = 0

    def add(self, relevant: bool) -> None:
        self.sites += 1
        self.relevant += relevant

    @property
    def value(self) -> float:
        total = self.sites + 2 * self.smoothing
        share = (self.relevant + self.smoothing) / total if total else 0.5
        return min(max(share, self.least), 1.0 - self.least)


def log_odds(probability: float) -> float:
    p = min(max(probability, CERTAIN), 1.0 - CERTAIN)
    return log(p) - log(1.0 - p)


def probability(odds: float) -> float:
    """The inverse of `log_odds`, in the form that cannot overflow."""
    if odds >= 0:
        return 1.0 / (1.0 + exp(-odds))
    grown = exp(odds)
    return grown / (1.0 + grown)

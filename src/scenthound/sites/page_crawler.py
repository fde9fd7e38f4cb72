"""A page crawler that is made to look for sites, to compare with (Ester 3.2, 5.1).

It has one frontier of pages and knows nothing of sites while it crawls. A page waits with the mean confidence of the
pages that link to it:

    priority = mean over the pages that link there of conf(page)

A guard keeps it from asking one host for more than so many pages: `host_pages` under [scope]. Afterwards its pages are
grouped by site, and the website classifier is asked about each group (`grouped`). Page classifier, error rate and
posterior are those of the website crawler: what differs is which pages were fetched.
"""

from __future__ import annotations

from collections.abc import Iterable

from scenthound.model import MergeRule, Page, Ranked, Visit
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.definition import SiteKind, site_of
from scenthound.sites.exploration import FOLLOWED
from scenthound.sites.posterior import Posterior


class ClassifierJudge:
    """The page classifier as a judge: relevance is the confidence that the page stands on a relevant site."""

    threshold = 0.5

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier

    def __call__(self, page: Page) -> float:
        return self.classifier.confidence(page)


class PageCrawler:
    """The strategy. The judge is the page classifier, so a page's relevance is its confidence."""

    merge: MergeRule = "mean"

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, visit.relevance) for link in visit.page.links if link.kind in FOLLOWED]


def grouped(
    pages: Iterable[tuple[str, float]], p_err: float, kind: SiteKind = "host", prior: float = 0.5
) -> dict[str, Posterior]:
    """Site -> what all its pages say together. `pages` are URLs with their confidences, in any order."""
    sites: dict[str, Posterior] = {}
    for url, confidence in pages:
        sites.setdefault(site_of(url, kind), Posterior(prior, p_err)).add(confidence)
    return sites

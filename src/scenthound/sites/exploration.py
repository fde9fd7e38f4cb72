"""One site while it is looked at: pages seen, links that wait, what the pages say together (Ester 4.3.2).

The aim is not to find relevant pages but to learn what the site is, so pages are followed that speak clearly for
either class. A page's confidences lie far apart if it does, and their variance is what its links inherit:

    rank(p) = mean over the pages q seen so far that link to p of var(confidences of q)

With two classes and a confidence c that is `(c - 1/2)^2`: 0 for a page that says nothing, 1/4 for certainty. Ties, and
so the links of a homepage that is nothing but frames, are taken in the order they were found.

No I/O, and no randomness: shown the same pages in the same order, an exploration is the same again. So a crawl
that goes on after a restart shows it the pages it had, and a recorded site is explored as a live one is:

    site = Exploration("www.example.org", classifier, prior=0.5)
    while not site.decided(0.9) and (link := site.next_link()):
        page = fetch(link)
        site.visit(page) if page else site.missed(link)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scenthound import urls
from scenthound.model import Link, LinkKind, Page
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.definition import SiteKind, homepage, site_of
from scenthound.sites.posterior import Posterior

FOLLOWED: frozenset[LinkKind] = frozenset(["a", "area", "frame", "refresh", "canonical", "redirect", "seed"])
"""Kinds of links that lead to pages; feeds and sitemaps are lists, not pages that speak for a site."""

MOST_WAITING = 5_000
"""Links of one site that wait at most. A site has said what it is long before, and a trap never ends."""


def variance(confidences: Sequence[float]) -> float:
    """Population variance of a page's confidences over the classes."""
    mean = sum(confidences) / len(confidences)
    return sum((confidence - mean) ** 2 for confidence in confidences) / len(confidences)


class SeenPage(NamedTuple):
    """A page of the site, and how sure the classifier is that pages like it are on relevant sites."""

    url: str
    confidence: float


class Crossing(NamedTuple):
    """A link to another site, and the confidence of the page that holds it."""

    link: Link
    confidence: float


class Candidate:
    """A link that waits: the first way it was found, and the variances of the pages it was found on."""

    __slots__ = ("link", "order", "sources", "total")

    def __init__(self, link: Link, order: int) -> None:
        self.link = link
        self.order = order
        self.total = 0.0
        self.sources = 0

    @property
    def rank(self) -> float:
        return self.total / self.sources if self.sources else 0.0

    def found(self, weight: float) -> None:
        self.total += weight
        self.sources += 1


class Exploration:
    """The internal crawler's state of one site. It starts with the homepage waiting, or with `start`, if given.

    `crossings` maps each other site to the links that lead there: one entry a site, as transversal links count once.
    """

    def __init__(
        self,
        site: str,
        classifier: PageClassifier,
        *,
        prior: float = 0.5,
        kind: SiteKind = "host",
        start: str | Link = "",
    ) -> None:
        self.site = site
        self.kind: SiteKind = kind
        self.classifier = classifier
        self.posterior = Posterior(prior, classifier.p_err)
        self.pages: list[SeenPage] = []
        self.crossings: dict[str, list[Crossing]] = {}
        self._waiting: dict[str, Candidate] = {}
        self._known: set[str] = set()
        first = start if isinstance(start, Link) else Link(start or homepage(site), kind="seed")
        self._offer(first, 0.0)

    # What is known

    def decided(self, p_threshold: float) -> bool:
        return self.posterior.decided(p_threshold)

    @property
    def probability(self) -> float:
        """That the site is relevant, by the pages seen so far."""
        return self.posterior.probability

    @property
    def relevant(self) -> bool:
        return self.posterior.relevant

    def strongest(self, n: int = 3) -> list[SeenPage]:
        """The pages that speak loudest for the verdict."""
        sign = -1.0 if self.relevant else 1.0
        return sorted(self.pages, key=lambda seen: (sign * seen.confidence, seen.url))[:n]

    def waiting(self) -> Iterator[Candidate]:
        """Links not yet taken, best first."""
        return iter(sorted(self._waiting.values(), key=_precedence))

    def __len__(self) -> int:
        """How many links wait."""
        return len(self._waiting)

    # What happens

    def next_link(self) -> Link | None:
        """The best link, which is then no longer waiting; None where nothing waits."""
        if not self._waiting:
            return None
        best = min(self._waiting.values(), key=_precedence)
        del self._waiting[best.link.url]
        return best.link

    def visit(self, page: Page, *, asked: str = "") -> float:
        """Takes a page in and returns its confidence. `asked`: the URL it was asked for by, where that is another."""
        for url in (asked or page.url, page.url):
            self._known.add(url)
            self._waiting.pop(url, None)
        confidence = self.classifier.confidence(page)
        self.pages.append(SeenPage(page.url, confidence))
        self.posterior.add(confidence)
        weight = variance((confidence, 1.0 - confidence))
        for link in pages_of(page.links):
            self._take_in(link, confidence, weight)
        return confidence

    def missed(self, link: Link) -> None:
        """A link that brought no page: it is not offered again."""
        self._known.add(link.url)
        self._waiting.pop(link.url, None)

    def _take_in(self, link: Link, confidence: float, weight: float) -> None:
        other = site_of(link.url, self.kind)
        if other == self.site:
            self._offer(link, weight)
        else:
            self.crossings.setdefault(other, []).append(Crossing(link, confidence))

    def _offer(self, link: Link, weight: float) -> None:
        candidate = self._waiting.get(link.url)
        if candidate is None:
            if link.url in self._known or len(self._waiting) >= MOST_WAITING:
                return
            self._known.add(link.url)
            candidate = self._waiting[link.url] = Candidate(link, len(self._known))
        candidate.found(weight)


def _precedence(candidate: Candidate) -> tuple[float, int]:
    return -candidate.rank, candidate.order


def pages_of(links: Sequence[Link]) -> Iterator[Link]:
    """Links to what may be a page, each target once: a page that links to another twice says so once."""
    seen: set[str] = set()
    for link in links:
        if link.kind in FOLLOWED and link.url not in seen and urls.file_type(link.url) == "html":
            seen.add(link.url)
            yield link

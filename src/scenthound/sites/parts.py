"""What makes a crawl one for websites: strategy, judge, scope and frontier, for `assemble.assembled`.

    async with assembled(settings, folder, parts=SiteCrawlParts(classifier)) as crawl:
        await crawl.run()

With training sites, the judge is the page classifier, and what it says is the confidence. From a topic alone, the judge
is the one the settings name, and `confidence.py` makes confidences of what it says.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config
from scenthound.crawler.assemble import build, make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.link_filter import LinkFilter
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.threshold import threshold_of
from scenthound.model import Page, Step, Waiting
from scenthound.protocols.crawl import Context, Frontier, Judge
from scenthound.protocols.library import Library, Recorder
from scenthound.scope.scope import Scope
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.confidence import by_threshold
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_frontier import SiteFrontier
from scenthound.sites.site_scope import WithinItsSite

STRATEGY = "sites"
"""What a run of this kind calls its strategy in the library; its judge too, where that is the trained classifier."""

EVEN = 0.5
"""From this confidence on a page counts as relevant, where the classifier is the judge."""


class TrainedJudge:
    """The page classifier as a judge: relevance is the confidence that the page stands on a relevant site."""

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier

    def __call__(self, page: Page) -> float:
        return self.classifier.confidence(page)


class SiteCrawlParts:
    """Makes the parts of a website crawl. `crawl` is what is known of the sites, once it is assembled."""

    def __init__(self, classifier: PageClassifier | None = None) -> None:
        self.classifier = classifier
        self.crawl: SiteCrawl | None = None

    def __call__(self, config: Config, context: Context) -> CrawlParts:
        judge: Judge
        if self.classifier is not None:
            judge = TrainedJudge(self.classifier)
        else:
            judge = build(registry.judge, config.crawl.judge, context)
        sites = self.crawl = site_crawl(config, self.classifier, make_scope(config))
        return CrawlParts(
            strategy=sites,
            judge=judge,
            scope=make_scope(config, also=[WithinItsSite(config.sites.kind)]),
            denies=sites.denies,
            around=lambda frontier, library: around(frontier, library, sites),
        )


def site_crawl(config: Config, classifier: PageClassifier | None, scope: Scope | None = None) -> SiteCrawl:
    """What is known of the sites of a crawl with these settings, before the first page."""
    scope = scope or Scope()
    link_filter, threshold = LinkFilter(config, scope), threshold_of(config)
    return SiteCrawl(
        config.sites,
        classifier.p_err if classifier is not None else config.sites.p_err,
        confidence=(lambda relevance: relevance)
        if classifier is not None
        else (lambda relevance: by_threshold(relevance, threshold)),
        follows=lambda page, depth: link_filter.sort(page, depth, 0).links,
        permits=lambda link, depth: scope.refuses(link, depth) is None,
    )


def around(frontier: PoliteFrontier, library: Library, sites: SiteCrawl) -> Frontier:
    return SiteFrontier(frontier, sites, lambda rows: record(library, rows)).resume(library)


def record(library: Recorder, rows: Sequence[Waiting]) -> None:
    """Links that wait, found on no page just fetched."""
    library.record(Step(lease=rows[0], state="waiting", at=time.time(), found=tuple(rows)))


def as_run(config: Config, trained: bool) -> Config:
    """The settings as the library notes them for a run of this kind: `explain` and the list of sites go by them."""
    crawl = replace(config.crawl, strategy={"name": STRATEGY, "weight": config.sites.weight})
    if trained:
        crawl = replace(crawl, judge=STRATEGY, threshold=EVEN)
    return replace(config, crawl=crawl)

"""Crawlers that look for sites, on a web that holds still: the website crawler and those it is compared with.

| crawler | classifies a site by | is led by |
|---|---|---|
| website | its pages, until `p_threshold` is reached | sites, and inside a site the clearest pages |
| homepage | its first page alone, with a classifier of homepages | the same |
| page | whatever pages of it were fetched, afterwards | pages; a guard limits the pages of a host |

All run in the real engine, one request at a time, with the same training sites, seeds and budget. What comes out is a
`Log`, page by page, for the measures of `sites.measures`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from scenthound.config import Config, SitesSection
from scenthound.crawler.assemble import assembled, make_context, make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.lab.crawls.lab_crawl import CachingParser, LabFetcher, lab_settings, standing_still
from scenthound.lab.sites.site_trials import Answer, SiteWalker
from scenthound.library import memory_library
from scenthound.model import Step
from scenthound.protocols.crawl import Idf
from scenthound.sites.classifier import OTHER, RELEVANT, PageClassifier
from scenthound.sites.cross_validation import LabelledSite, first_pages
from scenthound.sites.definition import site_of
from scenthound.sites.homepage import HomepageClassifier
from scenthound.sites.measures import Log, SiteLook
from scenthound.sites.page_crawler import ClassifierJudge, PageCrawler
from scenthound.sites.parts import SiteCrawlParts
from scenthound.sites.posterior import Posterior
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.taught import TaughtSites

EVEN = 0.5
"""From this confidence on a page, or a site, counts as relevant."""

Kind = Literal["website", "homepage", "page"]


class SiteCrawler(Struct, frozen=True):
    """A contestant."""

    name: str
    kind: Kind = "website"
    sites: SitesSection = field(default_factory=lambda: SitesSection(active=1))


class SiteTask(Struct, frozen=True):
    """What all contestants are given. The seeds are sites already known, and are not counted as found."""

    name: str
    seeds: tuple[str, ...]
    truth: frozenset[str]  # sites that are to be found
    pages: int
    classifier: PageClassifier
    homepages: HomepageClassifier
    unbalanced: PageClassifier  # for those that go by the document's own rule


class SiteLab:
    """One web, and the pages of it that were parsed."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.parse = CachingParser()
        self.look = SiteWalker(answer)

    def run(self, crawler: SiteCrawler, task: SiteTask) -> Log:
        return asyncio.run(self._run(crawler, task))

    async def _run(self, crawler: SiteCrawler, task: SiteTask) -> Log:
        settings = settings_of(crawler, task)
        classifier = task.unbalanced if crawler.sites.published else task.classifier
        if crawler.kind == "homepage":
            classifier = task.homepages.classifier
        log: list[SiteLook] = []
        parts, judged = _parts(crawler.kind, settings, classifier)

        def note(step: Step) -> None:
            if step.visit is not None:
                log.append(judged(step.visit.page.url, step.visit.relevance))

        async with assembled(
            settings,
            memory_library(texts=False, answers=False),
            fetcher=LabFetcher(self.answer),
            clock=standing_still,
            observers=[note],
            parts=replace(parts, parse=self.parse),
        ) as crawl:
            await crawl.run()
        return log


def settings_of(crawler: SiteCrawler, task: SiteTask) -> Config:
    """The settings a contestant crawls under."""
    settings = Config(sites=crawler.sites)
    settings.topic.name = task.name
    settings.crawl.seeds = list(task.seeds)
    settings.crawl.pages, settings.crawl.threshold = task.pages, EVEN
    if crawler.kind == "homepage":
        settings.sites = replace(crawler.sites, p_threshold=EVEN)  # the first page decides
    if crawler.kind == "page":
        settings.scope.host_pages = crawler.sites.site_pages
    return lab_settings(settings)


Judged = Callable[[str, float], SiteLook]


def _parts(kind: Kind, settings: Config, classifier: PageClassifier) -> tuple[CrawlParts, Judged]:
    if kind == "page":
        judged = _Afterwards(settings.sites, classifier.p_err)
        return CrawlParts(PageCrawler(), ClassifierJudge(classifier), make_scope(settings)), judged
    dress = SiteCrawlParts(TaughtSites(classifier))
    parts = dress(settings, make_context(settings))
    return parts, lambda url, _: _as_held(dress.crawl, url)


def _as_held(sites: SiteCrawl | None, url: str) -> SiteLook:
    assert sites is not None
    name = sites.site_of(url)
    return SiteLook(name, sites.sites[name].relevant)


class _Afterwards:
    """The website classifier, asked about a page crawler's pages as they come: the last word is that of the end."""

    def __init__(self, rules: SitesSection, p_err: float) -> None:
        self._rules = rules
        self._p_err = p_err
        self._sites: dict[str, Posterior] = {}

    def __call__(self, url: str, confidence: float) -> SiteLook:
        name = site_of(url, self._rules.kind)
        posterior = self._sites.setdefault(name, Posterior(EVEN, self._p_err))
        posterior.add(confidence)
        return SiteLook(name, posterior.relevant)


def train(
    relevant: Sequence[LabelledSite], other: Sequence[LabelledSite], idf: Idf, seed: int = 0
) -> tuple[PageClassifier, HomepageClassifier, PageClassifier]:
    """Classifiers of websites and of homepages, from the same sites; and the first without balance."""
    good, bad = [first_pages(site) for site in relevant], [first_pages(site) for site in other]
    classifier, held_back = PageClassifier.train_classes({RELEVANT: good, OTHER: bad}, random=Random(seed), idf=idf)
    fronts = [[pages[0] for pages in sites if pages] for sites in (good, bad)]
    homepages = HomepageClassifier.train(fronts[0], fronts[1], random=Random(seed), idf=idf)
    return classifier, homepages, classifier.without_balance(held_back)

"""Do labels make a list of sites better, or at least no worse? Asked of a web that holds still.

    trial = LabelTrial(config, answer, truth)
    trial.without                     # the list of a crawl that knows the topic alone
    trial.labelled(4, draw=0)         # 4 + 4 of the sites it looked at labelled as the truth has it: its list then

Twice: for the result that is there, whose pages stay the same, and for a new crawl that knows the labels from its
beginning and goes where they lead it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.present_judge import present_judge, show_pages
from scenthound.lab.crawls.lab_crawl import CachingParser, LabFetcher, lab_settings, standing_still
from scenthound.lab.sites.site_trials import Answer, SiteWalker
from scenthound.library import memory_library
from scenthound.model import Page, Step, Visit
from scenthound.protocols.crawl import Judge, Watches
from scenthound.protocols.hooks import hook
from scenthound.sites.cross_validation import LabelledSite, first_pages
from scenthound.sites.definition import homepage
from scenthound.sites.label_check import LEAST_SITES, LabelCheck
from scenthound.sites.parts import SiteCrawlParts, as_run, site_crawl
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.taught import TaughtSites
from scenthound.sites.training import SiteTraining, TrainingSite, teach

LEFT = 2
"""Relevant sites that stay without a label, however many are asked for: else there is nothing left to find."""


class SiteListScore(Struct, frozen=True):
    """A list of sites against the truth."""

    right: int
    wrong: int

    @property
    def precision(self) -> float:
        """Of a list without any site it is 1: none of it is wrong."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


class LabelledScores(Struct, frozen=True):
    """What came of labels: the same result, a new crawl, and what the check on held-back sites said."""

    labels: int
    same: SiteListScore
    new: SiteListScore
    unlabelled: SiteListScore  # of the same result, the sites nobody labelled
    unlabelled_without: SiteListScore  # and these by the topic alone
    check: LabelCheck | None


class LabelTrial:
    """One topic on one web: crawled once by the topic alone, then held against what labels make of it."""

    def __init__(self, config: Config, answer: Answer, truth: Collection[str]) -> None:
        self.config = as_run(lab_settings(config))
        self.answer = answer
        self.truth = frozenset(truth)
        self.look = SiteWalker(answer, whole=True)  # judges read more than words
        self.parse = CachingParser()
        self.visits, sites = self._crawl(None, {})
        self.seen = {site.name: site.pages[0].url for site in sites.sites.values() if site.pages}
        self.listed = _relevant(sites)
        self.without = self.score(self.listed)

    def labelled(self, n: int, draw: int) -> LabelledScores:
        """`n` relevant sites and `n` others of those looked at, drawn by chance, are labelled."""
        labels = self.drawn(n, draw)
        taught = self.taught(labels, self.visits)
        same = _relevant(self.replayed(self.visits, taught, labels))
        visits, _ = self._crawl(self.taught(labels), labels)
        new = self.replayed(visits, self.taught(labels, visits), labels)  # what helps is asked again at its end
        return LabelledScores(
            len(labels),
            self.score(same),
            self.score(_relevant(new)),
            self.score(same - labels.keys()),
            self.score(self.listed - labels.keys()),
            taught.check if taught is not None else None,
        )

    def drawn(self, n: int, draw: int) -> dict[str, bool]:
        dice = Random(f"{n} {draw}")
        right = sorted(self.seen.keys() & self.truth)
        wrong = sorted(self.seen.keys() - self.truth)
        chosen = dice.sample(right, max(0, min(n, len(right) - LEFT)))
        return dict.fromkeys(chosen, True) | dict.fromkeys(dice.sample(wrong, min(n, len(wrong))), False)

    def taught(self, labels: Mapping[str, bool], visits: Sequence[Visit] = ()) -> TaughtSites | None:
        """As a crawl learns from them that made these visits; None where too few of a kind gave pages.

        Before its first visit, a judge that learns from pages has seen those of the labelled sites.
        """
        pages = {name: found for name in labels if (found := self._first_pages(name))}
        judge = self._judge([visit.page for visit in visits] or [page for site in pages.values() for page in site])
        sites = [
            TrainingSite(name, labels[name], tuple(found), tuple(judge(page) for page in found))
            for name, found in pages.items()
        ]
        lessons = SiteTraining(tuple(sorted(sites, key=lambda site: not site.relevant)))
        enough = min(len(lessons.of_kind(kind)) for kind in (True, False)) >= LEAST_SITES
        by_topic = self.replayed(visits, None, {}).sites.values()
        held = {site.name: site.posterior.odds for site in by_topic if site.posterior is not None}
        if not enough or (not visits and hook(judge, Watches) is not None):
            return None  # too few, or too early: what the judge will learn from pages is not known
        return teach(lessons, self.config, labels, held)

    def _judge(self, seen: Sequence[Page]) -> Judge:
        present = present_judge(self.config, memory_library(), ExamplePages())
        show_pages(present.judge, present.context, seen)
        return present.judge

    def replayed(self, visits: Sequence[Visit], taught: TaughtSites | None, labels: Mapping[str, bool]) -> SiteCrawl:
        """What is held of sites by these pages, as a list is made from a library."""
        sites = site_crawl(self.config, taught, labels)
        for visit in visits:
            sites.learn(replace(visit, page=replace(visit.page, links=())))
        return sites

    def score(self, listed: Collection[str]) -> SiteListScore:
        right = len(self.truth & set(listed))
        return SiteListScore(right, len(listed) - right)

    def f(self, score: SiteListScore) -> float:
        """Of a list, where all that could be found are the true sites there are."""
        return 2 * score.right / max(1, score.right + score.wrong + len(self.truth))

    def _first_pages(self, name: str) -> list[Page]:
        start, kind = homepage(name, self.seen[name]), self.config.sites.kind
        return first_pages(LabelledSite(name, name in self.truth, start, self.look, kind))

    def _crawl(self, taught: TaughtSites | None, labels: Mapping[str, bool]) -> tuple[list[Visit], SiteCrawl]:
        return asyncio.run(self._crawled(SiteCrawlParts(taught, labels)))

    async def _crawled(self, dress: SiteCrawlParts) -> tuple[list[Visit], SiteCrawl]:
        visits: list[Visit] = []

        def note(step: Step) -> None:
            if step.visit is not None:
                visits.append(step.visit)

        async with assembled(
            self.config,
            memory_library(texts=False, answers=False),
            fetcher=LabFetcher(self.answer),
            clock=standing_still,
            observers=[note],
            parts=lambda config, context: replace(dress(config, context), parse=self.parse),
        ) as crawl:
            await crawl.run()
        assert dress.crawl is not None
        return visits, dress.crawl


def _relevant(sites: SiteCrawl) -> set[str]:
    return {site.name for site in sites.sites.values() if site.pages and site.relevant}

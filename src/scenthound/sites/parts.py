"""What makes a crawl one for websites: strategy, judge, scope and frontier, for `assemble.assembled`.

    async with assembled(settings, folder, parts=SiteCrawlParts(taught, labels)) as crawl:
        await crawl.run()

The judge is the one the settings name, as in any crawl; `evidence.py` says what its word, and what labelled sites have
taught, means for a site.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config
from scenthound.crawler.assemble import build, make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.link_filter import LinkFilter
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.labelled import LabelledJudge, labels_of
from scenthound.model import Step, Waiting
from scenthound.protocols.crawl import Context, Frontier
from scenthound.protocols.library import Library, Recorder
from scenthound.scope.scope import Scope
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_frontier import SiteFrontier
from scenthound.sites.site_runs import STRATEGY
from scenthound.sites.site_scope import WithinItsSite
from scenthound.sites.taught import TaughtSites, evidence_of


class SiteCrawlParts:
    """Makes the parts of a website crawl. `crawl` is what is known of the sites, once it is assembled."""

    def __init__(self, taught: TaughtSites | None = None, labels: Mapping[str, bool] | None = None) -> None:
        self.taught = taught
        self.labels = labels or {}
        self.crawl: SiteCrawl | None = None

    def __call__(self, config: Config, context: Context) -> CrawlParts:
        judge = LabelledJudge(build(registry.judge, config.crawl.judge, context), labels_of(context))
        sites = self.crawl = site_crawl(config, self.taught, self.labels, make_scope(config))
        return CrawlParts(
            strategy=sites,
            judge=judge,
            scope=make_scope(config, also=[WithinItsSite(config.sites.kind)]),
            denies=sites.denies,
            enough=sites.enough,
            around=lambda frontier, library: around(frontier, library, sites),
            judge_relives=True,
        )


def site_crawl(
    config: Config,
    taught: TaughtSites | None = None,
    labels: Mapping[str, bool] | None = None,
    scope: Scope | None = None,
) -> SiteCrawl:
    """What is known of the sites of a crawl with these settings, before the first page."""
    scope = scope or Scope()
    link_filter = LinkFilter(config, scope)
    return SiteCrawl(
        config.sites,
        evidence_of(config, taught),
        labels=labels,
        follows=lambda page, depth: link_filter.sort(page, depth, 0).links,
        permits=lambda link, depth: scope.refuses(link, depth) is None,
    )


def around(frontier: PoliteFrontier, library: Library, sites: SiteCrawl) -> Frontier:
    return SiteFrontier(frontier, sites, lambda rows: record(library, rows)).resume(library)


def record(library: Recorder, rows: Sequence[Waiting]) -> None:
    """Links that wait, found on no page just fetched."""
    library.record(Step(lease=rows[0], state="waiting", at=time.time(), found=tuple(rows)))


def as_run(config: Config, run: Config | None = None) -> Config:
    """Settings with the strategy that the library notes for a run of this kind: `explain` and the list of sites go by
    it. `run`: the settings of the run, where they are others."""
    strategy = {"name": STRATEGY, "weight": (run or config).sites.weight}
    return replace(config, crawl=replace(config.crawl, strategy=strategy))

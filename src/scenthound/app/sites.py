"""Finding websites about a topic: the plan, the training sites, the crawl, the list, and pages of what was found.

async with SiteSearch(plan) as search:
    if search.must_learn():
        search.teach(await search.gather())
    await search.crawl().run()
rows = search.found()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app import site_demo
from scenthound.app.crawl import CrawlSession, MakeParts, check_seeds
from scenthound.app.crawl_plan import SETTINGS, CrawlOptions, CrawlPlan, listed, plan_crawl
from scenthound.app.events import Learned, Listener, observer
from scenthound.config import Config, CrawlSection, SitesSection
from scenthound.crawler.assemble import make_context, make_scope
from scenthound.errors import ConfigError, UsageError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.fetch.resolve import StaticResolver
from scenthound.library import open_library
from scenthound.protocols.crawl import Fetcher
from scenthound.report.crawl_report import write_report
from scenthound.sites import model_file, training
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.definition import KINDS
from scenthound.sites.page_collection import PageCollectionParts
from scenthound.sites.parts import EVEN, STRATEGY, SiteCrawlParts, as_run
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_list import FoundSite, found_sites, report_lines

WEIGHTS = ("global", "local", "combined", "bandit")


class SiteOptions(Struct, frozen=True):
    """The options of `sites` that `crawl` has not; None stands for what was not said."""

    relevant: Path | None = None
    other: Path | None = None
    kind: str | None = None
    weight: str | None = None
    p_threshold: float | None = None
    l_threshold: float | None = None
    site_pages: int | None = None
    active: int | None = None

    def apply(self, sites: SitesSection) -> SitesSection:
        for name, value, known in (("kind", self.kind, KINDS), ("weight", self.weight, WEIGHTS)):
            if value is not None and value not in known:
                raise UsageError(f"--{name} {value!r} is unknown; it is one of: {', '.join(known)}.")
        if (self.relevant is None) != (self.other is None):
            raise UsageError(
                "It takes both to tell them apart: --relevant-sites and --other-sites. "
                "Without sites of other kinds, name pages of good sites with --examples."
            )
        given: dict[str, Any] = {
            name: value
            for name in ("kind", "weight", "p_threshold", "l_threshold", "site_pages", "active")
            if (value := getattr(self, name)) is not None
        }
        if self.relevant is not None and self.other is not None:
            given |= {"relevant": listed(self.relevant), "other": listed(self.other)}
        return replace(sites, **given)


def plan_sites(topic: str | None, options: CrawlOptions, sites: SiteOptions, *, demo: bool = False) -> CrawlPlan:
    """What the words mean, as for any crawl; the demo may go without."""
    if not demo and topic is None:
        raise UsageError(
            'Say what to look for: scenthound sites "orchid nursery" --seed URL, or try scenthound sites --demo'
        )
    plan = site_demo.plan_demo(topic, options) if demo or topic is None else plan_crawl(topic, options)
    config = replace(plan.config, sites=sites.apply(plan.config.sites))
    keep = replace(plan.keep, sites=sites.apply(plan.keep.sites)) if plan.keep is not None else None
    plan = replace(plan, config=config, keep=keep)
    check_sites_plan(plan)
    return plan


def check_sites_plan(plan: CrawlPlan) -> None:
    """Refuses what cannot work before anything is made on the disk."""
    config = plan.config
    check_seeds(plan)
    if not config.topic.examples:
        make_context(config)
    make_scope(config)
    if config.sites.relevant or config.sites.other:
        training.named_sites(config)
    if config.sites.c < 1:
        raise ConfigError("c under [sites] must be at least 1, or the LinkRank of a site may never grow.")


def listed_sites(
    folder: Path, *, everything: bool = False, progress: Callable[[int], None] | None = None
) -> list[FoundSite]:
    """The sites a folder has found, the relevant ones or all that were looked at."""
    rows = found_sites(folder, everything=everything, progress=progress)
    if rows is None:
        raise UsageError(f"{folder} holds no crawl for sites. Start one: scenthound sites TOPIC --into {folder}")
    return rows


class SiteSearch:
    """A crawl for websites, in the steps it takes. While it is entered, the web of the demo is served."""

    def __init__(self, plan: CrawlPlan, listeners: Sequence[Listener] = ()) -> None:
        self.plan = plan
        self.listeners = list(listeners)
        self.classifier: PageClassifier | None = None  # None where the topic alone decides
        self.site_crawl: Callable[[], SiteCrawl | None] = lambda: None  # what is known of sites, while crawling
        self._resolver: StaticResolver | None = None
        self._served = AsyncExitStack()

    async def __aenter__(self) -> SiteSearch:
        self._resolver = await self._served.enter_async_context(site_demo.served(self.plan.config))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._served.aclose()

    # Training

    def must_learn(self) -> bool:
        """Are there training sites that were not learned from yet? If they were, what was learned is at hand now."""
        rules = self.plan.config.sites
        if not rules.relevant and not rules.other:
            return False
        known = model_file.load(self.plan.folder)
        if known is None or self._other_lessons():
            return True
        self.classifier = known
        return False

    async def gather(self, listeners: Sequence[Listener] = ()) -> training.SiteTraining:
        """Pages of the training sites."""
        observers = [observer(listener) for listener in (*self.listeners, *listeners)]
        return await training.gather(self.plan.config, self.plan.folder, fetcher=self._fetcher(), observers=observers)

    def teach(self, lessons: training.SiteTraining) -> PageClassifier:
        """Learns how the pages of such sites look, and keeps it."""
        self.classifier = training.teach(lessons, self.plan.config)
        model_file.save(self.classifier, self.plan.folder)
        learned = Learned("sites", self.plan.config.topic.name, len(lessons.relevant) + len(lessons.other))
        for listener in self.listeners:
            listener(learned)
        return self.classifier

    def _other_lessons(self) -> bool:
        """Do the options name other training sites than the folder was taught with?"""
        path = self.plan.folder / SETTINGS
        if not path.is_file():
            return True
        there, now = toml.load(path).sites, self.plan.config.sites
        return (there.relevant, there.other) != (now.relevant, now.other)

    # Crawling

    def crawl(self) -> CrawlSession:
        """The crawl from site to site."""
        return self._session(SiteCrawlParts(self.classifier), as_run(self.plan.config, self.classifier is not None))

    def collect(self, sites: Sequence[FoundSite], pages: int) -> CrawlSession:
        """A crawl for as many pages more, of these sites alone."""
        with open_library(self.plan.folder, write=False) as library:
            there = library.counts().fetched
        crawl: CrawlSection = replace(self.plan.config.crawl, pages=there + pages)
        if self.classifier is not None:
            crawl = replace(crawl, judge=STRATEGY, threshold=EVEN)
        parts = PageCollectionParts([row.site for row in sites], self.classifier)
        return self._session(parts, replace(self.plan.config, crawl=crawl))

    def _session(self, parts: MakeParts, config: Config) -> CrawlSession:
        self.site_crawl = lambda: getattr(parts, "crawl", None)
        plan = replace(self.plan, config=config)
        return CrawlSession(plan, fetcher=self._fetcher(), parts=parts, listeners=self.listeners)

    def _fetcher(self) -> Fetcher:
        return fetcher_for(self.plan.config, resolver=self._resolver)

    # What was found

    def found(self, *, everything: bool = False) -> list[FoundSite]:
        return found_sites(self.plan.folder, everything=everything) or []

    def write_report(self, rows: Sequence[FoundSite]) -> Path:
        return write_report(self.plan.folder, sites=report_lines([row for row in rows if row.relevant]))

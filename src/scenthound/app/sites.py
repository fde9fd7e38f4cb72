"""Finding websites about a topic: the plan, labelled sites, the crawl, the list, and pages of what was found.

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

from scenthound.app import site_demo
from scenthound.app.crawl import CrawlSession, MakeParts, check_seeds
from scenthound.app.crawl_plan import CrawlOptions, CrawlPlan, listed, plan_crawl
from scenthound.app.events import Learned, Listener, observer
from scenthound.app.site_labels import can_teach, site_labels, with_homepages
from scenthound.config import Config, CrawlSection, SitesSection
from scenthound.crawler import examples
from scenthound.crawler.assemble import make_context, make_scope
from scenthound.crawler.present_judge import present_judge
from scenthound.errors import ConfigError, UsageError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.fetch.resolve import StaticResolver
from scenthound.library import is_library, open_library
from scenthound.protocols.crawl import Fetcher, Judge, Watches
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.sites import model_file, training
from scenthound.sites.definition import KINDS
from scenthound.sites.label_check import LEAST_SITES
from scenthound.sites.page_collection import PageCollectionParts
from scenthound.sites.parts import SiteCrawlParts, as_run
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_list import FoundSite, Stages, found_sites, odds_by_topic, write_sites_report
from scenthound.sites.taught import TaughtSites, setting_of
from scenthound.text import web_directory

WEIGHTS = ("global", "local", "combined", "bandit")


PLAIN_OPTIONS = (
    "kind", "weight", "p_threshold", "l_threshold", "site_pages", "active", "enough", "pprs", "published",
)  # fmt: skip
"""Options that are settings under [sites] by the same name."""


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
    enough: int | None = None
    pprs: float | None = None
    published: bool | None = None
    directory: Path | None = None
    category: str = ""

    def apply(self, sites: SitesSection) -> SitesSection:
        for name, value, known in (("kind", self.kind, KINDS), ("weight", self.weight, WEIGHTS)):
            if value is not None and value not in known:
                raise UsageError(f"--{name} {value!r} is unknown; it is one of: {', '.join(known)}.")
        if (self.relevant is None) != (self.other is None):
            raise UsageError(
                "It takes both to tell them apart: --relevant-sites and --other-sites. "
                "Without sites of other kinds, name pages of good sites with --examples."
            )
        given: dict[str, Any] = {name: value for name in PLAIN_OPTIONS if (value := getattr(self, name)) is not None}
        if self.relevant is not None and self.other is not None:
            given |= {"relevant": listed(self.relevant), "other": listed(self.other)}
        if self.directory is not None:
            if self.relevant is not None:
                raise UsageError("Sites to learn from come from a directory or from lists: choose one of them.")
            subtree = web_directory.read_subtree(self.directory, self.category)
            given |= {"relevant": list(subtree.relevant), "other": list(subtree.other)}
        return replace(sites, **given)


def plan_sites(topic: str | None, options: CrawlOptions, sites: SiteOptions, *, demo: bool = False) -> CrawlPlan:
    """What the words mean, as for any crawl; the demo may go without."""
    if not demo and topic is None:
        raise UsageError(
            'Say what to look for: scenthound sites "orchid nursery" --seed URL, or try scenthound sites --demo'
        )
    plan = site_demo.plan_demo(topic, options) if demo or topic is None else plan_crawl(topic, options)
    chosen = None if options.judge or plan.keep is None else site_judge(plan.keep)
    config = _for_sites(plan.config, sites, chosen)
    keep = _for_sites(plan.keep, sites, chosen) if plan.keep is not None else None
    plan = replace(plan, config=config, keep=keep)
    check_sites_plan(plan)
    return plan


def site_judge(config: Config) -> str | None:
    """The judge of a new crawl for sites, where the settings name none of their own; None: as they say.

    A cosine says of a page the same whenever it is asked; the default judge measures pages by the best it has seen, and
    a site by the sum of such words. It finds as many sites and takes more others for such: docs/sites.md has figures.
    """
    if config.crawl.judge != CrawlSection().judge:
        return None
    return "examples" if config.topic.examples else "keywords"


def _for_sites(config: Config, sites: SiteOptions, judge: str | None) -> Config:
    crawl = replace(config.crawl, judge=judge) if judge else config.crawl
    return replace(config, sites=sites.apply(config.sites), crawl=crawl)


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


def listed_sites(folder: Path, *, everything: bool = False, progress: Stages | None = None) -> list[FoundSite]:
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
        self.labels: dict[str, bool] = {}  # what was said of sites, known once entered
        self.taught: TaughtSites | None = None  # by labelled sites; None where there are too few
        self.too_early = False  # to say whether that helps, for the judge learns from pages and there is none yet
        self.site_crawl: Callable[[], SiteCrawl | None] = lambda: None  # what is known of sites, while crawling
        self._resolver: StaticResolver | None = None
        self._served = AsyncExitStack()

    async def __aenter__(self) -> SiteSearch:
        self._resolver = await self._served.enter_async_context(site_demo.served(self.plan.config))
        self.labels = site_labels(self.plan.folder, self.plan.config)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._served.aclose()

    # Labelled sites

    def must_learn(self) -> bool:
        """Are there labelled sites to be learned from? If that is done, what was learned is at hand now."""
        if not can_teach(self.labels):
            if self.plan.config.sites.published:
                raise ConfigError(
                    f"published = true under [sites] goes by training sites alone. Name {LEAST_SITES} or more "
                    "relevant ones and as many others (--relevant-sites, --other-sites, --directory), or label sites."
                )
            return False
        known = model_file.load(self.plan.folder)
        if known is None or (known.labels, known.setting) != (self.labels, setting_of(self.plan.config)):
            return True
        if known.check is not None and known.check.early:
            return True
        self.taught = known
        return False

    async def gather(self, listeners: Sequence[Listener] = ()) -> training.SiteTraining:
        """Pages of the labelled sites, and what the judge as of now says of them."""
        plan, observers = self.plan, [observer(listener) for listener in (*self.listeners, *listeners)]
        config, found = with_homepages(plan.config, plan.folder, self.labels), await self._examples()

        def judge_of(pages: Library) -> Judge:
            if not is_library(plan.folder):
                judge = present_judge(plan.config, pages, found, folder=plan.folder).judge
                self.too_early = hook(judge, Watches) is not None
                return judge
            with open_library(plan.folder, write=False) as library:
                return present_judge(plan.config, library, found, folder=plan.folder).judge

        return await training.gather(config, plan.folder, judge_of, fetcher=self._fetcher(), observers=observers)

    def teach(self, lessons: training.SiteTraining) -> TaughtSites:
        """Learns how the pages of such sites look and whether that helps, and keeps it."""
        held: dict[str, float] = {}
        if is_library(self.plan.folder):
            self.too_early = False
            with open_library(self.plan.folder, write=False) as library:
                held = odds_by_topic(library)
        taught = training.teach(lessons, self.plan.config, self.labels, held)
        if taught.check is not None:
            taught = replace(taught, check=replace(taught.check, early=self.too_early))
        self.taught = taught
        model_file.save(self.taught, self.plan.folder)
        learned = Learned("sites", self.plan.config.topic.name, len(lessons.sites))
        for listener in self.listeners:
            listener(learned)
        return self.taught

    async def _examples(self) -> examples.ExamplePages:
        fetcher = self._fetcher()
        try:
            return await examples.load(self.plan.config, self.plan.folder, fetcher)
        finally:
            await fetcher.close()

    # Crawling

    def crawl(self) -> CrawlSession:
        """The crawl from site to site. What was learned from labels that have gone since is forgotten."""
        if self.taught is None:
            model_file.remove(self.plan.folder)
        # topic.toml hears nothing of how the library notes such a run: it names the strategy of crawls for pages.
        there = as_run(self.plan.there, self.plan.config) if self.plan.there is not None else None
        plan = replace(self.plan, config=as_run(self.plan.config), there=there)
        return self._session(SiteCrawlParts(self.taught, self.labels), plan)

    def collect(self, sites: Sequence[FoundSite], pages: int) -> CrawlSession:
        """A crawl for as many pages more, of these sites alone."""
        with open_library(self.plan.folder, write=False) as library:
            there = library.counts().fetched
        crawl = replace(self.plan.config.crawl, pages=there + pages)
        plan = replace(self.plan, config=replace(self.plan.config, crawl=crawl))
        return self._session(PageCollectionParts([row.site for row in sites]), plan)

    def _session(self, parts: MakeParts, plan: CrawlPlan) -> CrawlSession:
        self.site_crawl = lambda: getattr(parts, "crawl", None)
        return CrawlSession(plan, fetcher=self._fetcher(), parts=parts, listeners=self.listeners)

    def _fetcher(self) -> Fetcher:
        return fetcher_for(self.plan.config, resolver=self._resolver)

    # What was found

    def found(self, *, everything: bool = False) -> list[FoundSite]:
        return found_sites(self.plan.folder, everything=everything) or []

    def write_report(self, rows: Sequence[FoundSite]) -> Path:
        return write_sites_report(self.plan.folder, rows)

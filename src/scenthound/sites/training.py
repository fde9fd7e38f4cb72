"""Sites to learn from: named by URL, walked breadth first, 25 pages of each (Ester 4.3.1, 5.2).

    training = await gather(config, folder, judge_of)  # a crawl like any other: polite, and it goes on where it stopped
    taught = teach(training, config)                   # and whether it helps

The pages first met in a site are those that a crawl will meet, too, so they are the ones to learn from. They are
collected by the one crawl loop into a library of their own, `training-sites/` in the folder; its judge knows the
answer, so a page there is relevant if its site is one of `config.sites.relevant`. The sites come from the live web, or,
with the fetcher given, from a recording or a generated one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from scenthound.config import Config, CrawlSection, TopicSection
from scenthound.crawler.assemble import assembled, canonical_seeds, make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.errors import ConfigError, ModelError
from scenthound.library import open_library
from scenthound.library.stored_pages import copy_of
from scenthound.model import Link, Page, Ranked, Step, Visit
from scenthound.protocols.crawl import Context, Fetcher, Judge
from scenthound.protocols.library import Library
from scenthound.scope.conditions import Condition
from scenthound.sites.classifier import CLUSTERS, OTHER, RELEVANT, PageClassifier
from scenthound.sites.definition import SiteKind, site_of
from scenthound.sites.evidence import topic_evidence
from scenthound.sites.label_check import LEAST_SITES, check_labels
from scenthound.sites.taught import TaughtSites, setting_of
from scenthound.strategies.breadth_first import BreadthFirst
from scenthound.text import idf

FOLDER = "training-sites"
PAGES = 25
"""Pages of each site."""

MOVED = frozenset({"redirect", "refresh"})
"""Kinds of links by which a homepage says that its site is elsewhere: `example.org` at `www.example.org`."""


class TrainingSite(Struct, frozen=True):
    """A site to learn from: its first pages, and how relevant the crawl's judge finds each."""

    name: str
    relevant: bool
    pages: tuple[Page, ...]
    relevances: tuple[float, ...]


class SiteTraining(Struct, frozen=True):
    """Sites that gave pages, the relevant ones first; `missing` are URLs of those that gave none."""

    sites: tuple[TrainingSite, ...]
    missing: tuple[str, ...] = ()

    def of_kind(self, relevant: bool) -> list[TrainingSite]:
        return [site for site in self.sites if site.relevant is relevant]


class SiteWalk:
    """The strategy: breadth first, within the sites named, until each has given its pages.

    A site whose homepage is elsewhere is walked there: `owner` is the site as it was named. It is known from the
    visits alone, so a walk that goes on after a restart knows it again.
    """

    def __init__(self, homepages: Mapping[str, bool], kind: SiteKind = "host", most: int = PAGES) -> None:
        self.kind: SiteKind = kind
        self.most = most
        self.homepages = {site_of(url, kind): url for url in homepages}
        self.relevant = {site_of(url, kind): relevant for url, relevant in homepages.items()}
        self.pages: Counter[str] = Counter()
        self._owner = {site: site for site in self.relevant}
        self._order = BreadthFirst()

    def owner(self, url: str) -> str | None:
        """The training site that a page belongs to; None where it is none of them."""
        return self._owner.get(site_of(url, self.kind))

    def moves(self, link: Link) -> str | None:
        """The training site that has moved to where this link leads, before it showed a page."""
        owner = self.owner(link.source) if link.source and link.kind in MOVED else None
        return owner if owner is not None and not self.pages[owner] else None

    def learn(self, visit: Visit) -> None:
        site = site_of(visit.page.url, self.kind)
        if site not in self._owner and (moved := self.moves(visit.link)) is not None:
            self._owner[site] = moved
        if (owner := self._owner.get(site)) is not None:
            self.pages[owner] += 1

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return self._order.rank(visit)

    def denies(self, url: str) -> str | None:
        owner = self.owner(url)
        return f"{self.most} pages of the site are enough" if owner and self.pages[owner] >= self.most else None


class OnTrainingSite(Condition, frozen=True):
    """Nothing outside the sites. One of them may turn out to have moved, which takes more than the URL to see."""

    by_url_alone: ClassVar[bool] = False

    walk: SiteWalk

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        known = self.walk.owner(link.url) is not None or self.walk.moves(link) is not None
        return None if known else "scope: not on a training site"


async def gather(
    config: Config,
    folder: Path,
    judge_of: Callable[[Library], Judge],
    *,
    fetcher: Fetcher | None = None,
    observers: Sequence[Callable[[Step], None]] = (),
    pages: int = PAGES,
) -> SiteTraining:
    """The pages of the sites that `[sites]` names as relevant and other; none that is there already is asked again.

    `judge_of` gives the judge of the crawl that is to learn: what it says of them is what labels are held against. It
    is told of the library with the pages, as one that learns from pages what is ordinary has seen no others at first.
    """
    homepages = named_sites(config)
    walk = SiteWalk(homepages, config.sites.kind, pages)

    def parts(config: Config, context: Context) -> CrawlParts:
        def truth(page: Page) -> float:
            return float(walk.relevant.get(walk.owner(page.url) or "", False))

        scope = make_scope(config, first=[OnTrainingSite(walk)])
        return CrawlParts(strategy=walk, judge=truth, scope=scope, denies=walk.denies)

    place = folder / FOLDER
    async with assembled(
        _settings(config, homepages), place, fetcher=fetcher, observers=observers, parts=parts
    ) as crawl:
        await crawl.run()
    return read(place, walk, judge_of, config.topic.language)


def named_sites(config: Config) -> dict[str, bool]:
    """Homepage -> is the site relevant? A site cannot be both."""
    relevant, other = canonical_seeds(config.sites.relevant), canonical_seeds(config.sites.other)
    if not relevant or not other:
        raise ConfigError(
            "To learn what relevant sites look like takes both kinds: relevant = [...] and other = [...] under [sites]."
        )
    kind = config.sites.kind
    both = {site_of(url, kind) for url in relevant} & {site_of(url, kind) for url in other}
    if both:
        raise ConfigError(f"{min(both)} is named both as a relevant site and as another one. Take one of them out.")
    return dict.fromkeys(relevant, True) | dict.fromkeys(other, False)


def learning_from(config: Config, relevant: list[str], other: list[str]) -> Config:
    """The settings with other sites to learn from."""
    return replace(config, sites=replace(config.sites, relevant=relevant, other=other))


def _settings(config: Config, homepages: Mapping[str, bool]) -> Config:
    """A crawl of the sites and of nothing else, as polite as the user's."""
    return replace(
        config,
        topic=TopicSection(name=config.topic.name or "training sites", language=config.topic.language),
        crawl=CrawlSection(
            seeds=list(homepages),
            strategy="breadth-first",
            pages=0,
            threshold=0.5,
            depth=config.crawl.depth,
            parsers=config.crawl.parsers,
        ),
        scope=replace(config.scope, host_pages=0),
    )


def read(folder: Path, walk: SiteWalk, judge_of: Callable[[Library], Judge], language: str) -> SiteTraining:
    """The pages of a training library, site by site in the order they came; copies are left out."""
    found: dict[str, list[tuple[Page, float]]] = {site: [] for site in walk.relevant}
    with open_library(folder, write=False) as library:
        judge = judge_of(library)
        for stored in library.pages():
            owner = walk.owner(stored.url)
            if owner is None or stored.duplicate_of or len(found[owner]) >= walk.most:
                continue
            copy = copy_of(library, stored, language)
            if copy.has_text:
                found[owner].append((_bare(copy.page), judge(copy.page)))
    sites = [
        TrainingSite(site, walk.relevant[site], *(tuple(column) for column in zip(*pages, strict=True)))
        for site, pages in found.items()
        if pages
    ]
    return SiteTraining(
        sites=tuple(sorted(sites, key=lambda site: not site.relevant)),
        missing=tuple(walk.homepages[site] for site, pages in found.items() if not pages),
    )


def teach(
    training: SiteTraining,
    config: Config,
    labels: Mapping[str, bool] | None = None,
    held: Mapping[str, float] | None = None,
    clusters: int = CLUSTERS,
) -> TaughtSites:
    """What these sites teach about pages, and whether that helps to tell sites of their kind apart.

    `labels`: what is known to be learned with this, also of sites that gave no page. `held`: the odds that a crawl by
    the topic alone gives to sites it has looked at.
    """
    relevant, other = training.of_kind(True), training.of_kind(False)
    for kind, sites in (("relevant", relevant), ("other", other)):
        if len(sites) < LEAST_SITES:
            raise ModelError(
                f"{len(sites) or 'None'} of the {kind} training sites gave pages, and it takes {LEAST_SITES} to learn "
                "from them. Check their URLs and whether they answer, or label more sites."
            )
    classifier, held_back = PageClassifier.train_classes(
        {RELEVANT: [site.pages for site in relevant], OTHER: [site.pages for site in other]},
        clusters=clusters,
        random=Random(config.crawl.random_seed),
        idf=idf.background(config.topic.language),
        balanced=not config.sites.published,
    )
    if config.sites.published:  # nobody asks whether it helps, and the topic's words have no say
        return TaughtSites(classifier, None, dict(labels or {}), setting_of(config))
    topic = topic_evidence(config)
    check = check_labels(
        [site.relevant for site in training.sites],
        [[topic.confidence(relevance) for relevance in site.relevances] for site in training.sites],
        held_back,
        held=[(held or {}).get(site.name) for site in training.sites],
        p_err=config.sites.p_err,
        p_threshold=config.sites.p_threshold,
    )
    return TaughtSites(classifier, check, dict(labels or {}), setting_of(config))


def _bare(page: Page) -> Page:
    """All that a classifier looks at."""
    return Page(url=page.url, title=page.title, terms=page.terms, language=page.language)

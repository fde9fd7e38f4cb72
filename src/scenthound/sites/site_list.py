"""The list of sites a crawl has found, as a person or a program wants it.

It is made from the library alone: the pages in the order of their visits, with what the judge said of each, lead to the
same posteriors again, and labelled sites are what their labels say. So it can be had at any time, also while the crawl
runs, and shows a label at once. What labels have taught is as of the last crawl: to learn takes pages of those sites.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.library import open_library
from scenthound.library.stored_pages import unread_visit, words_visit
from scenthound.model import Link
from scenthound.protocols.library import Decisions, LabelStore, Library
from scenthound.protocols.records import StoredPage
from scenthound.report.crawl_report import write_report
from scenthound.report.site_section import SiteLine, SitePageLine
from scenthound.sites import model_file
from scenthound.sites.definition import homepage
from scenthound.sites.parts import site_crawl
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_name import site_name
from scenthound.sites.site_runs import STRATEGY, settings_of
from scenthound.sites.site_state import SiteState
from scenthound.sites.taught import TaughtSites

STRONGEST = 3

Stages = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and of how much."""

Basis = Literal["topic", "topic and labels", "label"]


class StrongPage(Struct, frozen=True):
    url: str
    title: str
    confidence: float


class FoundSite(Struct, frozen=True):
    """One line of the list."""

    site: str
    relevant: bool
    confidence: float  # that it is relevant
    decided: bool  # the threshold was reached, or it is labelled; else it is the best guess
    pages: int  # looked at
    homepage: str
    title: str  # of the homepage
    strongest: list[StrongPage]
    found_on: str  # the page whose link led there; empty for a seed
    anchor: str
    way: list[str]  # the sites on the way, from a seed on
    first_at: float
    label: bool | None = None  # what somebody has said of the site, which wins over any score
    by: Basis = "topic"  # what the confidence goes by
    name: str = ""  # what the site is called
    check: str = ""  # where sites are labelled: whether it is learned from them, and why


def replayed(
    library: Library, config: Config, progress: Stages | None = None
) -> tuple[SiteCrawl, dict[str, StoredPage]]:
    """All sites as their pages left them, and the pages by URL. Links between sites are not gone into."""
    sites, stored = site_crawl(config, taught_of(library), labels_of(library)), {}
    language, whole, reads = config.topic.language, library.counts().fetched, sites.evidence.reads_words
    for page in library.pages():
        stored[page.url] = page
        sites.learn(words_visit(library, page, language) if reads else unread_visit(page))
        if progress is not None:
            progress("Reading page", len(stored), whole)
    return sites, stored


def odds_by_topic(library: Library) -> dict[str, float]:
    """Site -> what a crawl by the topic alone holds of it, as log odds; nothing where none has judged the pages."""
    config = settings_of(library)
    if config is None or config.crawl.judge == STRATEGY:
        return {}
    sites = site_crawl(config)
    for page in library.pages():
        sites.learn(unread_visit(page))
    return {site.name: site.posterior.odds for site in sites.sites.values() if site.posterior is not None}


def labels_of(library: LabelStore) -> dict[str, bool]:
    """Site -> what was said of it."""
    return {name: label.relevant is True for name, label in library.labels("site").items()}


def taught_of(library: Library) -> TaughtSites | None:
    return model_file.load(library.folder) if library.folder is not None else None


def found_sites(folder: Path, *, everything: bool = False, progress: Stages | None = None) -> list[FoundSite] | None:
    """Relevant sites, or all that were looked at, best first; None if the folder holds no crawl for sites."""
    with open_library(folder, write=False) as library:
        config = settings_of(library)
        if config is None:
            return None
        sites, stored = replayed(library, config, progress)
        taught = taught_of(library)
        check = str(taught.check) if taught is not None and taught.check is not None else ""
        chosen = [site for site in sites.sites.values() if site.pages and (everything or site.relevant)]
        rows = []
        for number, site in enumerate(sorted(chosen, key=_precedence)):
            rows.append(replace(_row(library, sites, site, stored), check=check))
            if progress is not None:
                progress("Looking at site", number + 1, len(chosen))
        return rows


def _precedence(site: SiteState) -> tuple[int, float, float, str]:
    """Labelled sites at the top or the bottom; else by confidence; among equals, the clearer pages."""
    mean = sum(seen.confidence for seen in site.pages) / len(site.pages)
    place = {True: 0, None: 1, False: 2}[site.label]
    return place, -site.confidence, -mean, site.name


def _row(library: Decisions, sites: SiteCrawl, site: SiteState, stored: dict[str, StoredPage]) -> FoundSite:
    first = stored[site.pages[0].url]
    front = stored.get(homepage(site.name, first.url), first)
    way = library.way(first.url)
    met = list(dict.fromkeys(sites.site_of(step.link.url) for step in way))
    entry = next((step.link for step in way if sites.site_of(step.link.url) == site.name), Link(url=first.url))
    return FoundSite(
        site=site.name,
        relevant=site.relevant,
        confidence=round(site.confidence, 4),
        decided=site.decided,
        pages=len(site.pages),
        homepage=front.url,
        title=front.title or first.title,
        strongest=[
            StrongPage(seen.url, stored[seen.url].title, round(seen.confidence, 4))
            for seen in site.strongest(STRONGEST)
        ],
        found_on=entry.source,
        anchor=entry.anchor or entry.title,
        way=met[:-1],
        first_at=first.first_at,
        label=site.label,
        name=site_name(
            site.name,
            front.title if front.url == homepage(site.name, first.url) else "",
            [stored[seen.url].title for seen in site.pages],
            entry.anchor or entry.title,
        ),
        by="label" if site.label is not None else "topic and labels" if sites.evidence.reads_words else "topic",
    )


def report_lines(rows: Sequence[FoundSite]) -> list[SiteLine]:
    """The list as the report of a library shows it."""
    return [
        SiteLine(
            site=row.site,
            url=row.homepage,
            name=row.name,
            confidence=row.confidence,
            pages=row.pages,
            labelled=row.label is not None,
            found_on=row.found_on,
            anchor=row.anchor,
            strongest=[SitePageLine(page.url, page.title, page.confidence) for page in row.strongest],
        )
        for row in rows
    ]


def write_whole_report(folder: Path, output: Path | None = None) -> Path:
    """The report of a crawl, with the sites that were found where it has looked for any."""
    return write_sites_report(folder, found_sites(folder) or [], output)


def write_sites_report(folder: Path, rows: Sequence[FoundSite], output: Path | None = None) -> Path:
    """The report with these sites, of which those that are relevant are shown."""
    relevant = [row for row in rows if row.relevant]
    return write_report(folder, output, report_lines(relevant), relevant[0].check if relevant else "")

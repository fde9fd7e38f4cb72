"""The sites of a library, ranked: as a crawl for sites has judged them; else hosts, by the relevant pages they have."""

from __future__ import annotations

from msgspec import Struct

from scenthound import urls
from scenthound.protocols.library import Library
from scenthound.sites.site_list import found_sites

MOST = 200


class RankedSite(Struct, frozen=True):
    """A line of the list."""

    site: str
    name: str  # what it is called; empty: not known
    pages: int
    relevant: int  # of these
    confidence: float | None = None  # that the site is what was looked for; None: no crawl has looked for sites
    decided: bool = False  # as far as a crawl for sites goes
    label: bool | None = None  # what somebody said of it
    failed: int = 0
    delay: float = 0.0  # seconds between requests that its robots.txt asks for
    last_asked: float = 0.0


class RankedSites(Struct, frozen=True):
    sites: list[RankedSite]
    looked_for: bool  # a crawl looked for sites: they are ranked by its confidence
    whole: int  # hosts that gave pages


def rank_sites(library: Library, limit: int = MOST) -> RankedSites:
    whole = library.page_totals().hosts
    found = found_sites(library.folder, everything=True) if library.folder is not None else None
    if found is None:
        return RankedSites(_hosts(library, limit), False, whole)
    asked = {row.host: row for row in library.hosts()}
    ranked = []
    for each in found[:limit]:
        row = asked.get(each.site) or asked.get(f"www.{each.site}")
        ranked.append(
            RankedSite(
                site=each.site,
                name=each.name or each.title,
                pages=each.pages,
                relevant=row.relevant if row is not None else 0,
                confidence=each.confidence,
                decided=each.decided,
                label=each.label,
                failed=row.failed if row is not None else 0,
                delay=row.delay if row is not None else 0.0,
                last_asked=row.last_asked if row is not None else 0.0,
            )
        )
    return RankedSites(ranked, True, whole)


def _hosts(library: Library, limit: int) -> list[RankedSite]:
    said = library.labels("site")
    found = []
    for row in library.hosts(limit):
        label = said.get(row.host) or said.get(urls.site(f"https://{row.host}/"))
        found.append(
            RankedSite(
                site=row.host,
                name="",
                pages=row.pages,
                relevant=row.relevant,
                label=label.relevant if label is not None else None,
                failed=row.failed,
                delay=row.delay,
                last_asked=row.last_asked,
            )
        )
    return found

"""The sites that a crawl for sites found relevant, as a section of the report: name, strongest pages, way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from scenthound.report.formatting import plural, short_url
from scenthound.report.markup import Html, el, safe_href, short
from scenthound.report.page_parts import named_page, section

MOST_SITES = 100


class SitePageLine(Struct, frozen=True):
    """A page that speaks for its site."""

    url: str
    title: str
    confidence: float


class SiteLine(Struct, frozen=True):
    """A website that a crawl for sites found relevant."""

    site: str
    url: str
    name: str
    confidence: float
    pages: int
    labelled: bool = False
    found_on: str = ""  # the page whose link led there; empty for a seed
    anchor: str = ""
    strongest: Sequence[SitePageLine] = ()


def site_section(sites: Sequence[SiteLine], note: str) -> Html:
    rows = [
        el(
            "tr",
            el("td", el("span", "labelled" if site.labelled else f"{site.confidence:.2f}", class_="pill")),
            el("td", *named_page(site.name or site.site, site.url, site.site), el("div", *_way(site), class_="facts")),
            el("td", *(_strong(page) for page in site.strongest), class_="strong"),
            el("td", f"{site.pages:,}", class_="number"),
        )
        for site in sites[:MOST_SITES]
    ]
    shown = f"The {len(rows)} most certain of {len(sites):,}." if len(sites) > len(rows) else ""
    head = el(
        "tr",
        el("th", "Confidence"),
        el("th", "Site"),
        el("th", "Strongest pages"),
        el("th", "Pages seen", class_="number"),
    )
    table = el("table", el("thead", head), el("tbody", *rows), class_="sites")
    return section(plural(len(sites), "relevant site"), f"{shown} {note}".strip(), table, wide=True)


def _way(site: SiteLine) -> Iterator[Html | str]:
    if not site.found_on:
        yield "a seed"
        return
    yield "found on "
    yield _linked(site.found_on, short_url(site.found_on))
    if site.anchor.strip():
        yield f", “{short(' '.join(site.anchor.split()), 60)}”"


def _strong(page: SitePageLine) -> Html:
    title = " ".join(page.title.split()) or short_url(page.url)
    return el("div", el("b", f"{page.confidence:.2f}"), " ", _linked(page.url, title))


def _linked(url: str, text: str) -> Html:
    href = safe_href(url)
    shown = short(text, 90)
    return el("a", shown, href=href, rel="noopener noreferrer nofollow") if href is not None else el("span", shown)

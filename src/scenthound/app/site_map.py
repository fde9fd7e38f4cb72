"""The sites of a library and how they link to each other, as a picture: where each stands, and the lines worth drawing.

All links between sixty sites are a hairball. Drawn are the sites with most relevant pages, and of their links those
that hold the picture together: a tree of the strongest ties, and from each site the strongest few beyond it. Sites
stand near those they are tied to (springs along ties, a push between any two), the same way each time.

    tie(a, b) = (links a -> b + links b -> a) / sqrt(links of a * links of b)
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound import urls
from scenthound.protocols.library import Library
from scenthound.protocols.records import PageFilters

MOST_SITES = 48
PAGES_A_SITE = 150
"""Whose links are read, the best first: enough to know whom a site links to, and bounded however large it is."""

STRONGEST = 2  # ties of a site that are drawn beyond the tree
ROUNDS = 400
WIDE, HIGH = 1.6, 1.0

Points = NDArray[np.float64]


class MapSite(Struct, frozen=True):
    host: str
    pages: int
    relevant: int
    x: float  # 0 to 1, from the left
    y: float  # 0 to 1, from the top
    links_to: int  # other sites of the map
    linked_from: int


class MapLink(Struct, frozen=True):
    source: str
    target: str
    links: int


class SiteMap(Struct, frozen=True):
    sites: list[MapSite]  # those with most relevant pages first
    links: list[MapLink]  # the ones to draw, the strongest last, so that they are on top
    all_links: int  # between any two of these sites
    hosts: int  # of the library, with pages


def site_map(library: Library, host: str = "") -> SiteMap:
    """Of the sites with most relevant pages; or of one host, and those it is linked with."""
    rows = {row.host: row for row in library.hosts(MOST_SITES) if row.pages}
    counted = _links(library, list(rows))
    if host:
        near = {host} | {each for pair in counted if host in pair for each in pair}
        rows = {name: row for name, row in rows.items() if name in near}
        counted = Counter({pair: links for pair, links in counted.items() if pair[0] in near and pair[1] in near})
    names = list(rows)
    ties = _ties(names, counted)
    drawn = _worth_drawing(ties)
    places = _placed(ties, drawn)
    sites = [
        MapSite(
            host=name,
            pages=rows[name].pages,
            relevant=rows[name].relevant,
            x=round(float(place[0]), 4),
            y=round(float(place[1]), 4),
            links_to=sum(pair[0] == name for pair in counted),
            linked_from=sum(pair[1] == name for pair in counted),
        )
        for name, place in zip(names, places, strict=True)
    ]
    shown = {(names[a], names[b]) for a, b in drawn} | {(names[b], names[a]) for a, b in drawn}
    links = sorted((links, *pair) for pair, links in counted.items() if pair in shown)
    return SiteMap(
        sites, [MapLink(a, b, links) for links, a, b in links], sum(counted.values()), library.page_totals().hosts
    )


def _links(library: Library, hosts: list[str]) -> Counter[tuple[str, str]]:
    """How many links lead from host to host, among these."""
    counted: Counter[tuple[str, str]] = Counter()
    wanted = set(hosts)
    for host in hosts:
        for page in library.page_list(PageFilters(host=host), "best", "", PAGES_A_SITE).pages:
            targets = {link.url for link in library.outlinks(page.url)}
            counted.update((host, other) for url in targets if (other := urls.host(url)) in wanted and other != host)
    return counted


def _ties(names: list[str], counted: Counter[tuple[str, str]]) -> Points:
    place = {name: number for number, name in enumerate(names)}
    ties = np.zeros((len(names), len(names)))
    for (source, target), links in counted.items():
        ties[place[source], place[target]] += links
        ties[place[target], place[source]] += links
    sums = np.maximum(1.0, ties.sum(axis=1))
    return np.asarray(ties / np.sqrt(np.outer(sums, sums)))


def _worth_drawing(ties: Points) -> set[tuple[int, int]]:
    """A tree of the strongest ties of each connected part, and the strongest few of each site."""
    drawn: set[tuple[int, int]] = set()
    parts = list(range(len(ties)))

    def part(number: int) -> int:
        while parts[number] != number:
            number = parts[number]
        return number

    strongest = sorted(zip(*np.nonzero(np.triu(ties)), strict=True), key=lambda pair: (-ties[pair], pair))
    for a, b in ((int(a), int(b)) for a, b in strongest):
        if part(a) != part(b):
            parts[part(a)] = part(b)
            drawn.add((a, b))
    for a in range(len(ties)):
        for b in (int(each) for each in np.argsort(-ties[a], kind="stable")[:STRONGEST]):
            if ties[a, b] > 0:
                drawn.add((min(a, b), max(a, b)))
    return drawn


def _placed(ties: Points, drawn: set[tuple[int, int]]) -> Points:
    """Springs along what is drawn, a push between any two, from a spiral, so that it is the same twice."""
    count = len(ties)
    if count < 2:
        return np.full((count, 2), 0.5)
    angles = np.arange(count) * 2.399963  # the golden angle: no two start on one another
    spread = np.sqrt((np.arange(count) + 0.5) / count)
    places = np.stack([WIDE * spread * np.cos(angles), HIGH * spread * np.sin(angles)], axis=1)
    pulls = np.zeros((count, count))
    for a, b in drawn:
        pulls[a, b] = pulls[b, a] = 0.3 + ties[a, b]
    length = 1.3 * sqrt(WIDE * HIGH / count)
    for round_ in range(ROUNDS):
        gaps = places[:, None, :] - places[None, :, :]
        away = np.maximum(1e-3, np.sqrt((gaps**2).sum(axis=2)))
        push = (length**2 / away)[:, :, None] * (gaps / away[:, :, None])
        pull = (pulls * away**2 / length)[:, :, None] * (gaps / away[:, :, None])
        home = 0.12 * places / np.array([WIDE, HIGH])
        move = push.sum(axis=1) - pull.sum(axis=1) - home
        far = np.maximum(1e-9, np.sqrt((move**2).sum(axis=1)))[:, None]
        places += move / far * np.minimum(far, 0.1 * (1 - round_ / ROUNDS))
    low, high = places.min(axis=0), places.max(axis=0)
    return np.asarray((places - low) / np.maximum(1e-9, high - low))

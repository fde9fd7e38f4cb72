"""Who links to whom in a generated web: a few numpy arrays, and nothing else that grows with its size.

Rules that make it worth crawling, and that the tests hold on to:

- a relevant page links to relevant pages of its own island only; every way to another island leads over
  irrelevant pages, and into a far island only through its tunnels;
- inside a section every page hangs on a tree below the section's index, so all of an island is reachable;
- popular pages are popular with all: targets are drawn with a bias, u ** 2 of a pool in order of popularity;
- background pages link among themselves and, one in four, somewhere into a mainland.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.generated.hash_random import mix, mix_array, share_array
from scenthound.lab.generated.layout import Size, WebLayout
from scenthound.lab.generated.vocabulary import BACKGROUND, TOPICS

Numbers = NDArray[np.int64]

OFF, RELATED, CORE = 0, 1, 2
ON_THE_INDEX = 12  # articles that hang directly on a section's index
BRANCHES = 3  # articles that hang on each article


class PageArrays(NamedTuple):
    """What is known of each page, by number."""

    theme: NDArray[np.int8]  # index into vocabulary.THEMES
    grade: NDArray[np.int8]  # OFF, RELATED or CORE with respect to its section's topic
    island: NDArray[np.int8]  # -1 where no topic holds it
    catalogue: NDArray[np.bool_]  # pages of links: the hubs
    indptr: NDArray[np.int64]  # links of page p: targets[indptr[p]:indptr[p + 1]]
    targets: NDArray[np.int32]


class _Labels(NamedTuple):
    """The part of `PageArrays` that is known before the links are."""

    theme: NDArray[np.int8]
    grade: NDArray[np.int8]
    island: NDArray[np.int8]
    catalogue: NDArray[np.bool_]

    def core(self, topic: int, island: int) -> Numbers:
        return np.flatnonzero((self.theme == topic) & (self.island == island) & (self.grade == CORE))


class _Edges:
    """Collects links, drawing them by stateless chance; every draw has its own purpose number."""

    def __init__(self, seed: int, pages: int) -> None:
        self.seed = seed
        self.pages = pages
        self.keys: list[Numbers] = []
        self._purpose = 100

    def purpose(self) -> int:
        self._purpose += 1
        return self._purpose

    def add(self, sources: Numbers, targets: Numbers) -> None:
        self.keys.append((sources * self.pages + targets)[sources != targets])

    def draw(self, sources: Numbers, pool: Numbers, low: int, high: int) -> None:
        """From each source `low` to `high` links into the pool, more of them to its beginning."""
        if not len(pool) or not len(sources):
            return
        spread = mix_array(self.seed, self.purpose(), sources) % np.uint64(high - low + 1)
        repeated = np.repeat(sources, low + spread.astype(np.int64))
        serial = np.arange(len(repeated))
        chosen = share_array(self.seed, self.purpose(), serial) ** 2 * len(pool)
        self.add(repeated, pool[chosen.astype(np.int64)])

    def by_popularity(self, pool: Numbers) -> Numbers:
        """The pool in an order of chance that is the same for all who link to it."""
        return pool[np.argsort(mix_array(self.seed, 16, pool), kind="stable")]

    def some(self, sources: Numbers, part: float) -> Numbers:
        return sources[share_array(self.seed, self.purpose(), sources) < part]

    def compressed(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        keys = np.unique(np.concatenate(self.keys))
        sources = keys // self.pages
        indptr = np.zeros(self.pages + 1, dtype=np.int64)
        np.cumsum(np.bincount(sources, minlength=self.pages), out=indptr[1:])
        return indptr, (keys % self.pages).astype(np.int32)


def link_up(size: Size, layout: WebLayout) -> PageArrays:
    labels = _label(size, layout)
    numbers = np.arange(size.pages)
    edges = _Edges(size.seed, size.pages)
    general = edges.by_popularity(numbers[(labels.island < 0) & _listed(size, layout)])
    mainland = edges.by_popularity(numbers[(labels.island == 0) & (labels.grade > OFF)])
    _trees(edges, layout)
    for topic in range(size.topics):
        _community(edges, topic, size, layout, labels, general)
    edges.draw(general, general, 3, 8)
    edges.draw(edges.some(general, 0.25), mainland, 1, 1)
    _homes(edges, layout)
    _tunnels(edges, size, layout, labels, general)
    return PageArrays(*labels, *edges.compressed())


def _label(size: Size, layout: WebLayout) -> _Labels:
    """Theme, grade and island of every page. Topical sections hold a few pages about something else."""
    theme = np.zeros(size.pages, dtype=np.int8)
    grade = np.zeros(size.pages, dtype=np.int8)
    island = np.full(size.pages, -1, dtype=np.int8)
    for section in layout.sections:
        run = slice(section.start, section.stop)
        theme[run], island[run] = section.theme, section.island
        if section.island >= 0:
            chance = share_array(size.seed, 10, np.arange(section.start, section.stop))
            grade[run] = np.where(chance < 0.62, CORE, np.where(chance < 0.88, RELATED, OFF))
            grade[section.start] = RELATED
            grade[section.start + 1 : section.stop][:1] = CORE
    strays = np.flatnonzero((grade == OFF) & (island >= 0))
    theme[strays] = len(TOPICS) + (mix_array(size.seed, 11, strays) % np.uint64(len(BACKGROUND))).astype(np.int8)
    for tunnel in layout.tunnels:
        for page in range(tunnel.start, tunnel.stop):
            theme[page] = way_theme(size.seed, tunnel.topic, tunnel.stop - page)
    catalogue = (grade == RELATED) & (share_array(size.seed, 12, np.arange(size.pages)) < 0.12)
    return _Labels(theme, grade, island, catalogue)


def way_theme(seed: int, topic: int, distance: int) -> int:
    """What a tunnel page of this topic, so many links before the island, is about: the same in every tunnel,
    so that a crawler which learns the way to a topic has something to learn."""
    return len(TOPICS) + (mix(seed, 13, topic) + distance) % len(BACKGROUND)


def _listed(size: Size, layout: WebLayout) -> NDArray[np.bool_]:
    listed = np.ones(size.pages, dtype=bool)
    for tunnel in layout.tunnels:
        listed[tunnel.start : tunnel.stop] = False
    return listed


def _trees(edges: _Edges, layout: WebLayout) -> None:
    """The index links to the first articles, each article to the next few: no page is out of reach."""
    for section in layout.sections:
        if section.listed and section.slug:
            articles = np.arange(section.stop - section.start - 1)
            parent = np.where(articles < ON_THE_INDEX, 0, 1 + (articles - ON_THE_INDEX) // BRANCHES)
            edges.add(section.start + parent, section.start + 1 + articles)


def _community(edges: _Edges, topic: int, size: Size, layout: WebLayout, labels: _Labels, general: Numbers) -> None:
    """Dense links inside each island of a topic, some out to the background and to the kin's mainland."""
    theme, grade, island, catalogue = labels
    kin = next(k for k, other in enumerate(TOPICS) if other.name == TOPICS[topic].kin)
    relatives = edges.by_popularity(np.flatnonzero((theme == kin) & (island == 0)))
    for number in range(1 + len(size.tunnels)):
        pool = edges.by_popularity(np.flatnonzero((theme == topic) & (island == number) & (grade > OFF)))
        core, related = pool[grade[pool] == CORE], pool[grade[pool] == RELATED]
        edges.draw(core, pool, 4, 9)
        edges.draw(related, pool, 2, 4)
        edges.draw(pool[catalogue[pool]], core, 20, 36)
        edges.draw(core, general, 1, 3)
        edges.draw(related, general, 2, 6)
        edges.draw(edges.some(pool, 0.4), relatives, 1, 2)
        runs = [np.arange(s.start, s.stop) for s in layout.sections if s.theme == topic and s.island == number]
        own = np.concatenate(runs)
        strays = own[grade[own] == OFF]
        edges.draw(strays, pool, 0, 2)
        edges.draw(strays, general, 3, 7)


def _homes(edges: _Edges, layout: WebLayout) -> None:
    """A home page shows some of its articles; homes of one island know each other, and so do portals."""
    for site in layout.sites:
        home = np.array([site.start])
        listed = [section for section in layout.sections[site.first + 1 : site.last] if section.listed]
        own = np.concatenate([np.arange(section.start, section.stop) for section in listed])
        edges.draw(home, own, 6, 10)
        peers = [other.start for other in layout.sites if (other.theme, other.island) == (site.theme, site.island)]
        peers.remove(site.start)
        if site.theme >= 0:
            edges.draw(home, np.array(peers, dtype=np.int64), len(peers), len(peers))
            ring = next((peer for peer in peers if peer > site.start), peers[0] if peers else site.start)
            edges.add(home, np.array([ring]))
        else:
            edges.draw(home, np.array(peers, dtype=np.int64), 3, 5)


def _tunnels(edges: _Edges, size: Size, layout: WebLayout, labels: _Labels, general: Numbers) -> None:
    """mainland core page -> tunnel page -> ... -> tunnel page -> page of the far island"""
    for serial, tunnel in enumerate(layout.tunnels):
        exits, entries = labels.core(tunnel.topic, 0), labels.core(tunnel.topic, tunnel.island)
        exit_ = exits[mix(size.seed, 14, serial) % len(exits)]
        entry = entries[mix(size.seed, 15, serial) % len(entries)]
        inside = np.arange(tunnel.start, tunnel.stop)
        edges.add(np.concatenate([[exit_], inside]), np.concatenate([inside, [entry]]))
    if layout.tunnels:
        edges.draw(np.concatenate([np.arange(t.start, t.stop) for t in layout.tunnels]), general, 6, 12)

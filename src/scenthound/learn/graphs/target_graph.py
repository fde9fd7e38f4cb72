"""A web graph grown backwards from target pages, as training data (Liu 3.1).

    layer 0      the targets
    layer i + 1  pages that link to pages of layer i: at most `per_layer` of them, and of each page's backlinks
                 at most per_layer / |layer i|, rounded up and drawn at random, so that no page with a thousand
                 backlinks crowds out the others
    edges        every link among the collected pages
    targets      the given ones, and each page whose cosine to one of them is 0.8 or more
    state        fewest hops to a target, on those edges; what was collected in layer 3 may turn out to be T1

`GraphGrowth` asks nobody: it says whose pages and whose backlinks it wants and is told. So the same code grows a graph
from a recorded web in one go, and from a wiki over an afternoon of polite requests. `collect` is the first of these.

Where `limit` says how many pages there may be in all, what is left of it is shared evenly by the layers to come:
taken as they come, the pages next to the targets would use it up, and all a learner saw would be T0 and T1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from math import ceil
from random import Random

from scenthound.learn.graphs.hops import Edge, hops
from scenthound.learn.graphs.sequences import SEQUENCES, walks
from scenthound.model import Lessons, Page
from scenthound.protocols.crawl import Idf
from scenthound.text.nearest import Nearest

LAYERS = 4
PER_LAYER = 600
SIMILAR = 0.8


def collect(
    targets: Sequence[str],
    backlinks: Callable[[str], Sequence[str]],
    fetch: Callable[[str], Page | None],
    *,
    layers: int = LAYERS,
    per_layer: int = PER_LAYER,
    similar: float = SIMILAR,
    idf: Idf,
    random: Random,
    limit: int | None = None,
    sequences: int = SEQUENCES,
) -> Lessons:
    """Grows the graph from a web that answers at once, and draws so many sequences from it."""
    growth = GraphGrowth(targets, random, layers=layers, per_layer=per_layer, limit=limit)
    while growth.wanted:
        growth.arrive({url: page for url in growth.wanted if (page := fetch(url)) is not None})
        growth.extend({url: backlinks(url) for url in growth.asking})
    return growth.lessons(idf, similar, sequences)


def reversed_links(
    urls: Iterable[str], fetch: Callable[[str], Page | None], progress: Callable[[int, int], None] | None = None
) -> Callable[[str], Sequence[str]]:
    """Who links to a page, in a web that can be read as a whole: all pages are looked at, once."""
    pages = list(dict.fromkeys(urls))
    place = {url: number for number, url in enumerate(pages)}
    linking: list[list[int]] = [[] for _ in pages]
    for number, url in enumerate(pages):
        page = fetch(url)
        for target in dict.fromkeys(link.url for link in page.links) if page is not None else ():
            if target in place and target != url:
                linking[place[target]].append(number)
        if progress is not None:
            progress(number + 1, len(pages))

    def backlinks(url: str) -> Sequence[str]:
        return [pages[number] for number in linking[place[url]]] if url in place else []

    return backlinks


class GraphGrowth:
    """A graph in the making. `wanted`: whose pages come next; `asking`: whose backlinks, at most `quota` of each.

    while growth.wanted:
        growth.arrive(pages of growth.wanted)
        growth.extend(backlinks of growth.asking)
    """

    def __init__(
        self,
        targets: Sequence[str],
        random: Random,
        *,
        layers: int = LAYERS,
        per_layer: int = PER_LAYER,
        limit: int | None = None,
    ) -> None:
        self.most_layers = layers
        self.per_layer = per_layer
        self.limit = limit
        self.random = random
        self.pages: list[Page] = []
        self.layers: list[int] = []  # of each page
        self.wanted = list(dict.fromkeys(targets))[: min(per_layer, limit or per_layer)]
        self.asking: list[str] = []
        self.quota = 0
        self._layer = 0
        self._room = 0
        self._place: dict[str, int] = {}  # every name a page goes by -> its place
        self._seen = set(self.wanted)
        self._claimed: dict[tuple[str, str], None] = {}  # edges as the source of backlinks has them

    def arrive(self, pages: Mapping[str, Page]) -> None:
        """The pages of `wanted`, as far as they could be had."""
        newest: list[str] = []
        for url in self.wanted:
            page = pages.get(url)
            if page is None:
                continue
            if page.url in self._place:  # it redirects to one that we have
                self._place.setdefault(url, self._place[page.url])
                continue
            for name in (page.url, url, page.canonical):
                if name:
                    self._place.setdefault(name, len(self.pages))
            newest.append(page.url)
            self._seen.add(page.url)
            self.pages.append(page)
            self.layers.append(self._layer)
        self.wanted = []
        self._ask(newest)

    def _ask(self, newest: list[str]) -> None:
        left = self.most_layers - self._layer
        self._room = self.per_layer
        if self.limit is not None and left:
            self._room = min(self.per_layer, ceil((self.limit - len(self.pages)) / left))
        self.asking = newest if left and self._room > 0 else []
        self.quota = ceil(self._room / len(newest)) if newest else 0

    def extend(self, backlinks: Mapping[str, Sequence[str]]) -> None:
        """The backlinks of `asking`, any number of each: the next layer is drawn from those that are new."""
        drawn: list[list[str]] = []
        taken: set[str] = set()  # by a page of this layer; such a backlink is another's no more
        for url in self.asking:
            sources = list(dict.fromkeys(source for source in backlinks.get(url, ()) if source != url))
            self._claimed.update(dict.fromkeys((source, url) for source in sources))
            new = [source for source in sources if source not in self._seen and source not in taken]
            drawn.append(self.random.sample(new, min(self.quota, len(new))))
            taken.update(drawn[-1])
        # One of each page in turn, so that a layer that gets full has taken as many from each.
        turns = [source for turn in zip_longest(*drawn) for source in turn if source is not None]
        self.wanted = turns[: self._room]
        self._seen.update(self.wanted)
        self.asking = []
        self._layer += 1

    def edges(self) -> tuple[Edge, ...]:
        """Every link among the pages: those that stand on them, and those the source of backlinks knows of."""
        found: dict[Edge, None] = {}
        for source, page in enumerate(self.pages):
            for link in page.links:
                target = self._place.get(link.url)
                if target is not None and target != source:
                    found[source, target] = None
        for link_source, link_target in self._claimed:
            edge = self._place.get(link_source), self._place[link_target]
            if edge[0] is not None and edge[0] != edge[1]:
                found[edge[0], edge[1]] = None
        return tuple(found)

    def lessons(self, idf: Idf, similar: float = SIMILAR, sequences: int = SEQUENCES) -> Lessons:
        edges = self.edges()
        states = hops(len(self.pages), edges, self._targets(idf, similar))
        drawn = walks(edges, states, sequences, random=self.random, layers=self.layers) if sequences else ()
        return Lessons(tuple(self.pages), edges, states, drawn)

    def _targets(self, idf: Idf, similar: float) -> Iterable[int]:
        first = [number for number, layer in enumerate(self.layers) if layer == 0]
        nearest = Nearest([self.pages[number].terms for number in first], idf)
        for number, page in enumerate(self.pages):
            if self.layers[number] == 0 or nearest.similarity(page.terms) >= similar:
                yield number

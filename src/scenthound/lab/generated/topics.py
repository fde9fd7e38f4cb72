"""The truth of a generated web: which pages are about a topic, and how far they are from where a crawl starts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.lab.generated.hash_random import mix_array
from scenthound.lab.generated.html import Renderer
from scenthound.lab.generated.links import CORE, RELATED, Numbers
from scenthound.lab.generated.vocabulary import TOPICS

SEED_DISTANCES = (1, 2, 3)  # links from a seed to the nearest target, topic by topic: easy, harder, hard
SEEDS = 3
EXAMPLES = 8
FAR = 100  # more links than that are not counted


class GeneratedTopic(Struct, frozen=True):
    """A topic of a generated web with its truth."""

    name: str
    keywords: tuple[str, ...]
    seeds: tuple[str, ...]
    targets: tuple[str, ...]  # core pages
    related: tuple[str, ...]  # loosely related pages
    relevant_examples: tuple[str, ...]  # some of the targets, all on the mainland
    irrelevant_examples: tuple[str, ...]
    distance: int  # links from a seed to the nearest target


def describe(renderer: Renderer, topic: int) -> GeneratedTopic:
    directory, pages = renderer.directory, renderer.pages
    own = pages.theme == topic
    core = np.flatnonzero(own & (pages.grade == CORE))
    related = np.flatnonzero(own & (pages.grade == RELATED))
    mainland = core[pages.island[core] == 0]
    outside = np.flatnonzero(~own & (pages.island < 0))
    seeds, distance = _seeds(renderer, topic, outside)

    def addresses(numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(directory.entry(int(page)).url for page in numbers)

    theme = TOPICS[topic]
    return GeneratedTopic(
        theme.name,
        (theme.name, *theme.nouns[:6]),
        addresses(seeds),
        addresses(core),
        addresses(related),
        addresses(_shuffled(renderer.seed, mainland, topic)[:EXAMPLES]),
        addresses(_shuffled(renderer.seed, outside, topic)[:EXAMPLES]),
        distance,
    )


def distances(renderer: Renderer, goals: Numbers) -> NDArray[np.int8]:
    """For every page, fewest links to any of the goals: breadth first against the links, all pages at once."""
    pages = renderer.pages
    sources = np.repeat(np.arange(len(pages.theme)), np.diff(pages.indptr))
    bars = [(site.start, site.stop, renderer.navigation(site.start)) for site in renderer.directory.layout.sites]
    found = np.full(len(pages.theme), FAR, dtype=np.int8)
    found[goals] = 0
    for step in range(1, FAR):
        near = found < step
        reaching = np.zeros(len(found), dtype=bool)
        reaching[sources[near[pages.targets]]] = True
        for start, stop, bar in bars:
            if near[bar].any():
                reaching[start:stop] = True
        new = reaching & ~near
        if not new.any():
            break
        found[new] = step
    return found


def _seeds(renderer: Renderer, topic: int, outside: Numbers) -> tuple[Numbers, int]:
    """Irrelevant pages at the distance this topic's turn asks for, or at the nearest to it there is."""
    pages = renderer.pages
    away = distances(renderer, np.flatnonzero((pages.theme == topic) & (pages.grade == CORE)))
    open_ = np.ones(len(away), dtype=bool)
    for tunnel in renderer.directory.layout.tunnels:
        open_[tunnel.start : tunnel.stop] = False
    candidates = outside[open_[outside]]
    wanted = SEED_DISTANCES[topic % len(SEED_DISTANCES)]
    distance = min({int(away[page]) for page in candidates}, key=lambda links: (abs(links - wanted), links))
    return _shuffled(renderer.seed, candidates[away[candidates] == distance], topic)[:SEEDS], distance


def _shuffled(seed: int, numbers: Numbers, topic: int) -> Numbers:
    return numbers[np.argsort(mix_array(seed, 62 + topic, numbers), kind="stable")]

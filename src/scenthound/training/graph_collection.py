"""Grows a web graph backwards from target pages, by whatever source of backlinks there is, and keeps it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from heapq import nlargest
from pathlib import Path
from random import Random

from msgspec import Struct

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler import examples
from scenthound.errors import ConfigError
from scenthound.learn.graphs.sequences import SEQUENCES
from scenthound.learn.graphs.target_graph import LAYERS, PER_LAYER, SIMILAR, GraphGrowth
from scenthound.model import Lessons
from scenthound.protocols.library import Library
from scenthound.text import idf
from scenthound.training.backlink_sources import BacklinkSource
from scenthound.training.bookmarks import listed
from scenthound.training.training_pages import TrainingPages
from scenthound.training.training_store import GraphHeader, Node, TrainingStore

MOST_FOUND = 100
"""Pages of a library that are taken as targets where nothing else says what is one: the most relevant."""

ENOUGH = 50
"""Backlinks of a page that are asked for at least, to choose from."""

Watch = Callable[[str, int, int], None]
"""Is told what is done, how far it is, and of how much."""


class CollectOptions(Struct, frozen=True):
    """How a graph is to be collected."""

    layers: int = LAYERS
    per_layer: int = PER_LAYER
    similar: float = SIMILAR
    limit: int | None = None
    seed: int = 0
    sequences: int = SEQUENCES


def find_targets(
    given: Sequence[str], folder: Path, config: Config, library: Library | None, threshold: float | None = None
) -> list[str]:
    """The targets named (URLs, or files that list such), or the topic's examples, or what the library found relevant.

    With a threshold, the library is asked first. Pages that a label calls relevant are targets, too, where none are
    named; others that a label speaks of are not.
    """
    if given:
        named = [url for entry in given for url in ([entry] if "://" in entry else listed(Path(entry)))]
        return _usable(named)
    marks = TrainingStore(folder).marks()
    found: list[str] = []
    if threshold is None:
        found = _usable([entry for entry in examples.entries(config.topic.examples, folder) if isinstance(entry, str)])
    if not found and library is not None:
        pages = (page for page in library.pages() if not page.duplicate_of and page.url not in marks)
        wanted = (page for page in pages if (page.relevant if threshold is None else page.relevance >= threshold))
        best = nlargest(MOST_FOUND, wanted, key=lambda page: (page.relevance, -page.seq))
        found = [page.url for page in best]
    found = [url for url in found if url not in marks] + [url for url, relevant in marks.items() if relevant]
    if found:
        return found
    raise ConfigError(
        "There are no targets to collect from. Name some: --target URL, or --target FILE with a URL a line; or give "
        f"the topic example pages: scenthound topic {shlex.quote(str(folder))} --from-pages URL"
    )


def _usable(given: Sequence[str]) -> list[str]:
    found = []
    for entry in given:
        url = urls.canonical(entry)
        if isinstance(url, urls.Malformed):
            raise ConfigError(f"The target {entry!r} is no usable URL: {url.reason}.")
        found.append(url)
    return list(dict.fromkeys(found))


async def collect(
    folder: Path,
    targets: Sequence[str],
    source: BacklinkSource,
    pages: TrainingPages,
    plan: CollectOptions,
    watch: Watch | None = None,
) -> Lessons:
    """Grows the graph and keeps it in the folder's training."""
    growth = GraphGrowth(targets, Random(plan.seed), layers=plan.layers, per_layer=plan.per_layer, limit=plan.limit)
    layer = 0
    while growth.wanted:
        growth.arrive(await pages.bring(growth.wanted, _part(watch, f"TrainingPages of layer {layer}:")))
        if not layer and not growth.pages:
            raise ConfigError(
                f"None of the {len(targets)} targets could be had from {source.name}. Name pages it knows: --target URL"
            )
        layer += 1
        links: dict[str, Sequence[str]] = {}
        for number, url in enumerate(growth.asking, 1):
            links[url] = await source.to(url, max(ENOUGH, 2 * growth.quota))
            if watch is not None:
                watch(f"BacklinkSource for layer {layer}:", number, len(growth.asking))
        growth.extend(links)
    lessons = growth.lessons(idf.background(pages.config.topic.language), plan.similar, 0)
    _keep(folder, source.name, lessons, growth.layers, plan)
    return lessons


def _part(watch: Watch | None, doing: str) -> Callable[[int, int], None] | None:
    if watch is None:
        return None
    return lambda done, whole: watch(doing, done, whole)


def _keep(folder: Path, source: str, lessons: Lessons, layers: Sequence[int], plan: CollectOptions) -> None:
    links: list[list[int]] = [[] for _ in lessons.pages]
    for start, end in lessons.edges:
        links[start].append(end)
    nodes = (
        Node(page.url, layer, state, tuple(linked))
        for page, layer, state, linked in zip(lessons.pages, layers, lessons.states, links, strict=True)
    )
    header = GraphHeader(
        source=source,
        layers=plan.layers,
        per_layer=plan.per_layer,
        similar=plan.similar,
        seed=plan.seed,
        sequences=plan.sequences,
        at=time.time(),
    )
    TrainingStore(folder).keep_graph(header, nodes)

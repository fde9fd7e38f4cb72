"""From what a folder keeps in `training/` to `Lessons`. Labels have the last word on which pages are targets."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Literal

from msgspec.structs import replace

from scenthound import config as toml
from scenthound.config import Config
from scenthound.crawler.present_judge import MOST_LABELLED
from scenthound.errors import ConfigError
from scenthound.learn.graphs import trails
from scenthound.learn.graphs.hops import hops, merged
from scenthound.learn.graphs.sequences import walks
from scenthound.library.stored_pages import where_it_is
from scenthound.model import Lessons, Page
from scenthound.protocols.crawl import Progress
from scenthound.training.training_pages import TrainingPages
from scenthound.training.training_store import GraphHeader, Node, TrainingStore

SETTINGS = "topic.toml"

Kind = Literal["trails", "graph"]


def load_lessons(
    folder: Path,
    kind: Kind | None = None,
    *,
    seed: int | None = None,
    sequences: int | None = None,
    progress: Progress | None = None,
) -> Lessons:
    """All there is to learn from: the trails imported, the graph collected, pages labelled, or all as one.

    A labelled page that is on none of them comes with the way on which the crawl got to it. `seed` and `sequences` are
    those the graph was collected with, unless given here. Nothing is fetched.
    """
    training = TrainingStore(folder)
    browsed = training.trails() if kind != "graph" else []
    graph = training.graph() if kind != "trails" else None
    marks = training.marks()
    relevant = {url for url, mark in marks.items() if mark}
    nodes = graph[1] if graph is not None else []
    there = dict.fromkeys([*(url for trail in browsed for url in trail.urls), *_urls(nodes)])
    with TrainingPages(folder, settings_of(folder)) as pages:
        ways = _ways_to([url for url in marks if url not in there], pages) if kind is None else []
        known = _gathered(pages, [*there, *(url for way in ways for url in way.urls)], progress)
    if not browsed and graph is None and not ways:
        raise ConfigError(_nothing(folder, kind))
    if not relevant and graph is None:
        raise ConfigError(_none_relevant(folder, browsed=bool(browsed)))
    parts = []
    if browsed or ways:
        parts.append(trails.lessons([*browsed, *ways], known, relevant))
    if graph is not None:
        parts.append(_of_graph(graph[0], nodes, known, marks, seed, sequences))
    lessons = merged(parts)
    if not lessons.targets:
        raise ConfigError(_no_targets(folder, lessons, marks))
    return lessons


def _ways_to(labelled: Sequence[str], pages: TrainingPages) -> list[trails.Trail]:
    """From a seed to each of these pages that the library has, the latest labels of them."""
    library = pages.library()
    if library is None:
        return []
    stored = [url for url in labelled[-MOST_LABELLED:] if library.page(where_it_is(library, url)) is not None]
    return [trails.click_path(step.link.url for step in library.way(url)) for url in stored]


def settings_of(folder: Path) -> Config:
    path = folder / SETTINGS
    return toml.load(path) if path.is_file() else Config()


def _nothing(folder: Path, kind: Kind | None) -> str:
    there = shlex.quote(str(folder))
    ways = {
        "trails": f"Import browsing: scenthound trails import {there} FILE",
        "graph": f"Collect a web graph: scenthound trails collect {there}",
    }
    if kind is not None:
        return f"{folder} has no {kind} to learn from yet. {ways[kind]}"
    asked = f"answer questions about its pages: scenthound label {there} --ask"
    return f"{folder} has nothing to learn from yet. {ways['trails']}, {ways['graph'].lower()}, or {asked}"


def _none_relevant(folder: Path, *, browsed: bool) -> str:
    there = shlex.quote(str(folder))
    if not browsed:
        return f"No page of {folder} is labelled relevant yet. Go on: scenthound label {there} --ask"
    return (
        f"No page of the trails in {folder} is marked relevant, so nothing can be learned from them. "
        f"Say which are: scenthound trails import {there} --ask, or --relevant FILE"
    )


def _no_targets(folder: Path, lessons: Lessons, marks: Mapping[str, bool]) -> str:
    there = shlex.quote(str(folder))
    if any(marks.get(page.url) is False for page in lessons.pages):
        return (
            f"Nothing can be learned: labels say of the pages in {folder / 'training'} that none is relevant. "
            f"Say which are: scenthound label {there} URL --yes, or take a label back: --undo"
        )
    return (
        f"None of the relevant pages in {folder / 'training'} is at hand. Fetch them: "
        f"scenthound trails import {there}, or name a recording with --warc FILE"
    )


def _urls(nodes: Iterable[Node]) -> Iterable[str]:
    return (node.url for node in nodes)


def _gathered(pages: TrainingPages, wanted: Iterable[str], progress: Progress | None) -> dict[str, Page]:
    wanted = list(dict.fromkeys(wanted))
    found: dict[str, Page] = {}
    for number, url in enumerate(wanted, 1):
        page = pages.get(url)
        if page is not None:
            found[url] = page
        if progress is not None:
            progress(number, len(wanted))
    return found


def _of_graph(
    header: GraphHeader,
    nodes: list[Node],
    known: dict[str, Page],
    marks: Mapping[str, bool],
    seed: int | None,
    sequences: int | None,
) -> Lessons:
    """The graph as far as its pages are still there, and the sequences that its seed draws from it.

    Its targets are those it was collected from, but for pages that labels speak of. Where these make other targets of
    it, layers no longer say how far a page is from one, and states take their place.
    """
    there = [number for number, node in enumerate(nodes) if node.url in known]
    place = {number: new for new, number in enumerate(there)}
    edges = tuple(
        (place[number], place[target]) for number in there for target in nodes[number].links if target in place
    )
    collected_from = [number for number in there if nodes[number].state == 0]
    targets = [number for number in there if marks.get(nodes[number].url, nodes[number].state == 0)]
    states = hops(len(there), edges, map(place.__getitem__, targets))
    lessons = Lessons(tuple(known[nodes[number].url] for number in there), edges, states)
    drawn = walks(
        edges,
        states,
        header.sequences if sequences is None else sequences,
        random=Random(header.seed if seed is None else seed),
        layers=[nodes[number].layer for number in there] if targets == collected_from else None,
    )
    return replace(lessons, sequences=drawn)

"""Something to learn from: a person's browsing, or the web around target pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from scenthound.app import demo
from scenthound.atomic_write import replacing
from scenthound.config import Config
from scenthound.errors import UsageError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.learn.graphs.trails import GAP
from scenthound.model import Lessons, Page
from scenthound.protocols.crawl import Fetcher, Progress
from scenthound.scope.grammar import parse
from scenthound.training import bookmarks, browsing_history, graph_collection, graph_picture
from scenthound.training.backlink_sources import make_source
from scenthound.training.lessons import Kind, load_lessons, settings_of
from scenthound.training.training_pages import TrainingPages
from scenthound.training.training_store import FOLDER, TrainingStore

PICTURE = "graph.html"


class ImportOptions(Struct, frozen=True):
    """The options of `trails import`."""

    folder: Path
    files: list[Path] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    only: str = ""
    since: float = 0.0
    everything: bool = False
    gap: float = GAP
    topic: str = ""
    bookmarks: Path | None = None
    bookmark_folder: str = ""
    relevant: Path | None = None
    warc: list[Path] = field(default_factory=list)
    fetch: bool = True
    contact: str = ""
    allow_private: bool = False


class ImportedTrails(Struct, frozen=True):
    """What an import came to. Pages are those of all trails of the folder."""

    trails: int
    new_trails: int
    pages: int
    pages_at_hand: int
    relevant: int
    irrelevant: int


class TrailImport(Struct, frozen=True):
    """Trails that were taken in, and the pages on them that are at hand."""

    folder: Path
    trails: int
    new_trails: int
    visited: list[str]
    pages: dict[str, Page]

    def unmarked(self) -> list[Page]:
        """Pages of which nobody has said yet whether they are relevant."""
        marks = TrainingStore(self.folder).marks()
        return [page for url, page in self.pages.items() if url not in marks]

    def mark(self, url: str, relevant: bool) -> None:
        """A person's word on a page: kept at once."""
        TrainingStore(self.folder).mark({url: relevant}, "person")

    def summary(self) -> ImportedTrails:
        marks = TrainingStore(self.folder).marks()
        return ImportedTrails(
            trails=self.trails,
            new_trails=self.new_trails,
            pages=len(self.visited),
            pages_at_hand=len(self.pages),
            relevant=sum(marks.get(url) is True for url in self.visited),
            irrelevant=sum(marks.get(url) is False for url in self.visited),
        )


async def import_trails(options: ImportOptions, progress: Progress | None = None) -> TrailImport:
    """Takes in what was browsed, marks what is known to be relevant, and brings the pages home."""
    training = TrainingStore(options.folder)
    new = sum(_take_in(training, path, options) for path in options.files)
    trails = training.trails()
    if not trails:
        raise UsageError(
            f"Nothing was visited that fits, and {options.folder} has no trails yet. Name a history that holds some, "
            "and check --host, --only and --since."
        )
    visited = list(dict.fromkeys(url for trail in trails for url in trail.urls))
    _mark(training, visited, options)
    config = _settings(options.folder, options.contact, options.allow_private)
    async with _fetching(config, options.warc, options.fetch) as fetcher:
        with TrainingPages(options.folder, config, fetcher) as pages:
            at_hand = await pages.bring(visited, progress)
    return TrailImport(options.folder, len(trails), new, visited, at_hand)


def follow(options: ImportOptions, known: dict[Path, tuple[int, int]]) -> int:
    """Takes in what browsers' files have grown by since they were `known`; says how many trails are new or longer."""
    training = TrainingStore(options.folder)
    before = sum(len(trail.urls) for trail in training.trails())
    for path in options.files:
        files = [each for each in (path, path.with_name(path.name + "-wal")) if each.is_file()]
        facts = [each.stat() for each in files]
        state = sum(fact.st_size for fact in facts), max((fact.st_mtime_ns for fact in facts), default=0)
        if known.get(path) != state:
            known[path] = state
            _take_in(training, path, options)
    return sum(len(trail.urls) for trail in training.trails()) - before


def _settings(folder: Path, contact: str, allow_private: bool) -> Config:
    config = settings_of(folder)
    config.politeness.contact = contact or config.politeness.contact
    config.fetch.private_addresses |= allow_private
    return config


def _take_in(training: TrainingStore, path: Path, options: ImportOptions) -> int:
    keep = _rule(options)
    wanted = browsing_history.WantedVisits(keep, options.since, options.gap, options.topic, options.everything)
    history = browsing_history.read(path, wanted)
    new = training.add_trails(history.trails)
    training.mark(history.marks, "file")
    return new


def _rule(options: ImportOptions) -> Callable[[str], bool] | None:
    """Which URLs are taken; None: all."""
    hosts = " or ".join(f"host:{name} or host:*.{name}" for name in options.hosts)
    parts = [f"({part})" for part in (hosts, options.only.strip()) if part]
    if not parts:
        return None
    rule = parse(" and ".join(parts))
    return lambda url: rule(url, 0)


def _mark(training: TrainingStore, visited: Sequence[str], options: ImportOptions) -> None:
    source = options.bookmarks
    if source is None and options.bookmark_folder:
        if not options.files:
            raise UsageError("Say whose folder that is: --bookmarks FILE --bookmark-folder NAME")
        source = options.files[0]
    if source is not None:
        found = bookmarks.marked(visited, bookmarks.read(source, options.bookmark_folder))
        training.mark(dict.fromkeys(found, True), "bookmarks")
    if options.relevant is not None:
        found = bookmarks.marked(visited, bookmarks.listed(options.relevant))
        training.mark(dict.fromkeys(found, True), "list")


@asynccontextmanager
async def _fetching(config: Config, recordings: Sequence[Path], wanted: bool) -> AsyncIterator[Fetcher | None]:
    """What brings pages that no library has: recordings, the built-in web, the network, or nothing."""
    if not wanted and not recordings:
        yield None
    elif config.fetch.demo and not recordings:
        async with demo.fetching(config, latency=0) as fetcher:
            try:
                yield fetcher
            finally:
                await fetcher.close()
    else:
        fetcher = fetcher_for(config, recordings=recordings)
        try:
            yield fetcher
        finally:
            await fetcher.close()


async def collect_graph(
    folder: Path,
    source: str,
    given: Sequence[str],
    threshold: float | None,
    options: graph_collection.CollectOptions,
    *,
    contact: str = "",
    allow_private: bool = False,
    watch: Callable[[str, int, int], None] = lambda doing, done, whole: None,
) -> Lessons:
    """The web around target pages, backwards along links. `watch` is told what is done, and how far it is."""
    config = _settings(folder, contact, allow_private)
    with TrainingPages(folder, config) as pages:
        targets = graph_collection.find_targets(given, folder, config, pages.library(), threshold)
        links = await make_source(source, folder, pages.library(), config, partial(watch, "Reading the recording:"))
        try:
            pages.fetcher = links.fetcher
            return await graph_collection.collect(folder, targets, links, pages, options, watch)
        finally:
            await links.close()


def draw_lessons(
    folder: Path, kind: Kind | None = None, output: Path | None = None, progress: Progress | None = None
) -> tuple[Lessons, Path]:
    """What there is to learn from, and where the picture of it was put."""
    lessons = load_lessons(folder, kind, progress=progress)
    path = output or folder / FOLDER / PICTURE
    name = settings_of(folder).topic.name or folder.resolve().name
    with replacing(path) as stream:
        stream.write(graph_picture.render(lessons, name))
    return lessons, path


def plain_lessons(lessons: Lessons) -> dict[str, Any]:
    """What there is to learn from, in numbers."""
    return {
        "pages": len(lessons.pages),
        "links": len(lessons.edges),
        "targets": len(lessons.targets),
        "sequences": len(lessons.sequences),
        "states": {graph_picture.name_of(state): number for state, number in graph_picture.counts(lessons)},
    }

"""What `trails import`, `trails collect` and `trails show` do, and what they say."""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct, field

from scenthound.app import demo
from scenthound.app.event_loop import run
from scenthound.atomic_write import replacing
from scenthound.cli.arguments import as_json
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.config import Config
from scenthound.errors import UsageError
from scenthound.learn.graphs.trails import GAP
from scenthound.model import Lessons, Page
from scenthound.protocols.crawl import Fetcher
from scenthound.report.figures import plural, printable
from scenthound.scope.grammar import parse
from scenthound.training import bookmarks, browsing_history, graph_collection, graph_picture
from scenthound.training.backlink_sources import make_source
from scenthound.training.lessons import Kind, load_lessons, settings_of
from scenthound.training.training_pages import TrainingPages, make_fetcher
from scenthound.training.training_store import ASKED, FOLDER, TrainingStore

PICTURE = "graph.html"
SNIPPET = 300  # characters of a page that one is asked about


class Import(Struct, frozen=True):
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
    ask: bool = False
    warc: list[Path] = field(default_factory=list)
    fetch: bool = True
    contact: str = ""
    allow_private: bool = False


class Imported(Struct, frozen=True):
    """What an import came to. Pages are those of all trails of the folder."""

    trails: int
    new_trails: int
    pages: int
    pages_at_hand: int
    relevant: int
    irrelevant: int


def run_import(order: Import) -> Imported:
    training = TrainingStore(order.folder)
    new = sum(_take_in(training, path, order) for path in order.files)
    trails = training.trails()
    if not trails:
        raise UsageError(
            f"Nothing was visited that fits, and {order.folder} has no trails yet. Name a history that holds some, "
            "and check --host, --only and --since."
        )
    visited = list(dict.fromkeys(url for trail in trails for url in trail.urls))
    _mark(training, visited, order)
    config = _settings(order.folder, order.contact, order.allow_private)
    pages = run(_bring(order, config, visited))
    if order.ask:
        _ask(training, pages)
    marks = training.marks()
    return Imported(
        trails=len(trails),
        new_trails=new,
        pages=len(visited),
        pages_at_hand=len(pages),
        relevant=sum(marks.get(url) is True for url in visited),
        irrelevant=sum(marks.get(url) is False for url in visited),
    )


def _settings(folder: Path, contact: str, allow_private: bool) -> Config:
    config = settings_of(folder)
    config.politeness.contact = contact or config.politeness.contact
    config.fetch.private_addresses |= allow_private
    return config


def _take_in(training: TrainingStore, path: Path, order: Import) -> int:
    keep = _rule(order)
    wanted = browsing_history.WantedVisits(keep, order.since, order.gap, order.topic, order.everything)
    history = browsing_history.read(path, wanted)
    new = training.add_trails(history.trails)
    training.mark(history.marks, "file")
    return new


def _rule(order: Import) -> Callable[[str], bool] | None:
    """Which URLs are taken; None: all."""
    hosts = " or ".join(f"host:{name} or host:*.{name}" for name in order.hosts)
    parts = [f"({part})" for part in (hosts, order.only.strip()) if part]
    if not parts:
        return None
    rule = parse(" and ".join(parts))
    return lambda url: rule(url, 0)


def _mark(training: TrainingStore, visited: Sequence[str], order: Import) -> None:
    source = order.bookmarks
    if source is None and order.bookmark_folder:
        if not order.files:
            raise UsageError("Say whose folder that is: --bookmarks FILE --bookmark-folder NAME")
        source = order.files[0]
    if source is not None:
        found = bookmarks.marked(visited, bookmarks.read(source, order.bookmark_folder))
        training.mark(dict.fromkeys(found, True), "bookmarks")
    if order.relevant is not None:
        found = bookmarks.marked(visited, bookmarks.listed(order.relevant))
        training.mark(dict.fromkeys(found, True), "list")


async def _bring(order: Import, config: Config, visited: Sequence[str]) -> dict[str, Page]:
    progress = ProgressLine("Pages fetched:")
    try:
        async with _fetching(config, order.warc, order.fetch) as fetcher:
            with TrainingPages(order.folder, config, fetcher) as pages:
                return await pages.bring(visited, progress)
    finally:
        progress.end()


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
        fetcher = make_fetcher(config, recordings)
        try:
            yield fetcher
        finally:
            await fetcher.close()


def _ask(training: TrainingStore, pages: dict[str, Page]) -> None:
    """Page by page: y, n, s to skip, q to stop. What was answered is kept at once, and not asked again."""
    marks = training.marks()
    unmarked = [url for url in pages if url not in marks]
    for number, url in enumerate(unmarked, 1):
        page = pages[url]
        text = printable(page.description or page.text)[:SNIPPET]
        typer.echo(f"\n{number} of {len(unmarked)}  {printable(page.title) or '(no title)'}\n{url}\n{text}")
        answer = _answer()
        if answer == "q":
            break
        if answer in "yn":
            training.mark({url: answer == "y"}, ASKED)


def _answer() -> str:
    while True:
        try:
            given: str = typer.prompt("Relevant? y, n, s(kip), q(uit)", prompt_suffix=" ")
        except typer.Abort:
            return "q"
        if given.strip().lower()[:1] in ("y", "n", "s", "q"):
            return given.strip().lower()[:1]


def imported(outcome: Imported, folder: Path, *, as_json: bool) -> str:
    if as_json:
        return _json(outcome)
    lines = [
        f"{plural(outcome.trails, 'trail')} ({outcome.new_trails:,} new) over {plural(outcome.pages, 'page')}, "
        f"{outcome.pages_at_hand:,} of them at hand; {outcome.relevant:,} marked relevant, "
        f"{outcome.irrelevant:,} not."
    ]
    there = shlex.quote(str(folder))
    if not outcome.relevant:
        lines.append(
            f"Nothing can be learned before a page is relevant: scenthound trails import {there} --ask, "
            "or --relevant FILE, or --bookmarks FILE"
        )
    else:
        lines.append(f"Look at them: scenthound trails show {there}")
    return "\n".join(lines)


# collect


def run_collect(
    folder: Path,
    source: str,
    given: Sequence[str],
    threshold: float | None,
    plan: graph_collection.CollectOptions,
    contact: str,
    allow_private: bool,
) -> Lessons:
    config = _settings(folder, contact, allow_private)
    progress = ProgressLine("Reading the recording:")

    def watch(doing: str, done: int, whole: int) -> None:
        progress.doing = doing
        progress(done, whole)

    async def collected() -> Lessons:
        with TrainingPages(folder, config) as pages:
            targets = graph_collection.find_targets(given, folder, config, pages.library(), threshold)
            links = await make_source(source, folder, pages.library(), config, progress)
            try:
                pages.fetcher = links.fetcher
                return await graph_collection.collect(folder, targets, links, pages, plan, watch)
            finally:
                await links.close()

    try:
        return run(collected())
    finally:
        progress.end()


def collected(lessons: Lessons, folder: Path, *, as_json: bool) -> str:
    if as_json:
        return _json(_counts(lessons))
    return f"{_summary(lessons)}\nLook at it: scenthound trails show {shlex.quote(str(folder))}"


# show


def shown(folder: Path, kind: Kind | None, samples: int, seed: int, output: Path | None, *, as_json: bool) -> str:
    progress = ProgressLine("Pages read:")
    try:
        lessons = load_lessons(folder, kind, progress=progress)
    finally:
        progress.end()
    path = output or folder / FOLDER / PICTURE
    name = settings_of(folder).topic.name or folder.resolve().name
    with replacing(path) as stream:
        stream.write(graph_picture.render(lessons, name))
    ways = graph_picture.samples(lessons, samples, seed)
    if as_json:
        told = [[{"url": lessons.pages[n].url, "state": lessons.states[n]} for n in way] for way in ways]
        return _json({**_counts(lessons), "sequences_shown": told, "picture": str(path)})
    lines = [_summary(lessons), ""]
    for way in ways:
        lines += [_line(lessons, number, place) for place, number in enumerate(way)] + [""]
    return "\n".join([*lines, f"The picture: {path}"])


def _line(lessons: Lessons, number: int, place: int) -> str:
    page = lessons.pages[number]
    arrow = "→ " if place else "  "
    return f"  {arrow}{graph_picture.name_of(lessons.states[number]):<7}{printable(graph_picture.told(page))}"


def _summary(lessons: Lessons) -> str:
    head = (
        f"{plural(len(lessons.pages), 'page')}, {plural(len(lessons.edges), 'link')} among them, "
        f"{plural(len(lessons.targets), 'target')}"
    )
    head += f", {plural(len(lessons.sequences), 'sequence')}" if lessons.sequences else ""
    rows = [f"  {graph_picture.name_of(state):<7}{number:>7,}" for state, number in graph_picture.counts(lessons)]
    return "\n".join([head, *rows])


def _counts(lessons: Lessons) -> dict[str, Any]:
    return {
        "pages": len(lessons.pages),
        "links": len(lessons.edges),
        "targets": len(lessons.targets),
        "sequences": len(lessons.sequences),
        "states": {graph_picture.name_of(state): number for state, number in graph_picture.counts(lessons)},
    }


def _json(told: Any) -> str:
    return as_json(told)

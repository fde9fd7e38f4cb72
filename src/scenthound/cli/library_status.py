"""What is in a library, gathered in one struct and drawn on one screen: by `status`, and when a crawl has ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from heapq import nlargest
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.text import Text

from scenthound import config as toml
from scenthound.cli.views.figures import fit, sparkline
from scenthound.config import Config, named
from scenthound.library.sqlite.library import SqliteLibrary
from scenthound.protocols.records import CrawlRun
from scenthound.report.figures import ENDINGS, count, duration, percent, plural, printable, short_url, size

GOOD, QUIET = "green", "dim"
BEST, HOSTS, CURVE_CELLS = 10, 10, 120


class Find(Struct, frozen=True):
    url: str
    title: str
    relevance: float


class HostShare(Struct, frozen=True):
    host: str
    pages: int
    relevant: int


class RunLine(Struct, frozen=True):
    started: float
    ended: float | None
    ending: str
    pages: float | None


class LibraryStatus(Struct, frozen=True):
    folder: str
    topic: str
    strategy: str
    pages: int = 0
    budget: int = 0
    relevant: int = 0
    duplicates: int = 0
    waiting: int = 0
    failed: int = 0
    refused: int = 0
    moved: int = 0
    hosts: int = 0
    bytes: int = 0
    harvest: list[float] = []
    failures: dict[str, int] = {}
    refusals: dict[str, int] = {}
    top_hosts: list[HostShare] = []
    best: list[Find] = []
    runs: list[RunLine] = []


def read(folder: Path) -> LibraryStatus:
    """Looks into a library, also while a crawl writes to it."""
    with SqliteLibrary.open(folder, write=False) as library:
        counts, runs = library.counts(), library.runs()
        finds = (page for page in library.pages(relevant=True) if not page.duplicate_of)
        best = nlargest(BEST, finds, key=lambda page: (page.relevance, -page.seq))
        settings = _settings(folder, runs)
        return LibraryStatus(
            folder=str(folder),
            topic=settings.topic.name,
            strategy=named(settings.crawl.strategy, "strategy")[0],
            pages=counts.fetched,
            budget=settings.crawl.pages,
            relevant=counts.relevant,
            duplicates=counts.duplicates,
            waiting=counts.waiting,
            failed=sum(counts.failed.values()),
            refused=sum(counts.refused.values()),
            moved=counts.moved,
            hosts=counts.hosts,
            bytes=bytes_in(folder),
            harvest=_curve([counted for _, counted in library.harvest()]),
            failures=dict(counts.failed),
            refusals=dict(counts.refused),
            top_hosts=[HostShare(row.host, row.pages, row.relevant) for row in library.hosts() if row.pages][:HOSTS],
            best=[Find(page.url, page.title, page.relevance) for page in best],
            runs=[RunLine(run.started_at, run.ended_at, run.reason, run.counters.get("pages")) for run in runs],
        )


def _settings(folder: Path, runs: list[CrawlRun]) -> Config:
    """As the last run had them, options included; else as topic.toml says."""
    if runs:
        return msgspec.json.decode(runs[-1].config, type=Config)
    return toml.load(folder / "topic.toml") if (folder / "topic.toml").is_file() else Config()


def _curve(relevant: list[bool], cells: int = CURVE_CELLS) -> list[float]:
    """Harvest ratio of equal stretches of the crawl."""
    width = max(1, -(-len(relevant) // cells))
    return [
        round(sum(stretch) / len(stretch), 4)
        for start in range(0, len(relevant), width)
        if (stretch := relevant[start : start + width])
    ]


def lines(portrait: LibraryStatus, width: int, height: int = 24, *, runs: bool = True) -> Iterator[Text]:
    """The portrait as lines of text, for a screen of that size."""
    rows = max(7, height - 17)
    yield _heading(portrait, width)
    yield _harvest(portrait, width)
    yield _counts(portrait)
    yield Text()
    if portrait.best:
        yield _title("Best pages", width)
        yield from (_find(find, width) for find in portrait.best[: (rows + 1) // 2])
    if portrait.top_hosts:
        yield _title("Best hosts", width)
        yield from (_host(share, width) for share in portrait.top_hosts[: rows // 2])
    if runs and portrait.runs:
        yield _title("Runs", width)
        yield from (_run(run) for run in portrait.runs[-3:])
    yield from _tallied("Failed", portrait.failures, "red")
    yield from _tallied("Refused", portrait.refusals, "yellow")


def draw(portrait: LibraryStatus, console: Console, *, runs: bool = True) -> None:
    for line in lines(portrait, console.width, console.height, runs=runs):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=False)


def _heading(portrait: LibraryStatus, width: int) -> Text:
    line = Text.assemble(
        " ", (printable(portrait.topic) or "by example", "bold cyan"), (f" · {portrait.strategy}", QUIET)
    )
    spare = width - line.cell_len - len(portrait.folder) - 1
    return line.append(f"{'':{spare}}{portrait.folder}", QUIET) if spare > 1 else line


def _harvest(portrait: LibraryStatus, width: int) -> Text:
    pages = plural(portrait.pages, "page")
    line = Text.assemble(
        f" {pages} · ",
        (f"{count(portrait.relevant)} relevant", GOOD),
        " · harvest ",
        (percent(portrait.relevant, portrait.pages), "bold"),
        "  ",
    )
    return line.append(sparkline(portrait.harvest, min(60, width - line.cell_len - 1)), GOOD)


def _counts(portrait: LibraryStatus) -> Text:
    parts = [
        f"{count(portrait.waiting)} waiting",
        plural(portrait.hosts, "host"),
        plural(portrait.duplicates, "duplicate"),
        f"{count(portrait.failed)} failed",
        f"{count(portrait.refused)} refused",
        size(portrait.bytes),
    ]
    return Text(" " + " · ".join(parts), style=QUIET)


def _title(title: str, width: int) -> Text:
    return Text.assemble((f" {title} ", "bold"), ("─" * max(0, width - len(title) - 3), "bright_black"))


def _find(find: Find, width: int) -> Text:
    room = width - 9
    half = room // 2
    title = fit(printable(find.title) or "(no title)", half)
    return Text.assemble(
        (f"  {find.relevance:.2f}  ", GOOD), title, "  ", (fit(short_url(find.url), room - half - 2), QUIET)
    )


def _host(share: HostShare, width: int) -> Text:
    room = max(12, min(48, width - 40))
    line = Text.assemble(
        f"  {fit(share.host, room)} {count(share.pages):>7} pages",
        (f" {percent(share.relevant, share.pages):>6} ", GOOD),
    )
    cells = min(16, width - line.cell_len)
    full = round(cells * share.relevant / share.pages) if share.pages else 0
    return line.append("━" * full, GOOD).append("━" * (cells - full), "bright_black")


def _tallied(title: str, tally: Mapping[str, int], style: str) -> Iterator[Text]:
    if tally:
        words = " · ".join(f"{printable(kind)} {count(number)}" for kind, number in _most(tally, 6))
        yield Text.assemble((f" {title:8}", style), words)


def _most(tally: Mapping[str, int], most: int) -> Iterable[tuple[str, int]]:
    ordered = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(number for _, number in ordered[most:])
    return [*ordered[:most], *([("other", rest)] if rest else [])]


def _run(run: RunLine) -> Text:
    when = datetime.fromtimestamp(run.started).strftime("%Y-%m-%d %H:%M")
    took = duration(run.ended - run.started) if run.ended else "?"
    ending = ENDINGS.get(run.ending, run.ending)
    pages = f"  {plural(int(run.pages), 'page'):>12}" if run.pages is not None else ""
    return Text.assemble(f"  {when}  {took:>8}{pages}  ", (ending, QUIET))


def bytes_in(folder: Path) -> int:
    """What a folder takes up. Files may come and go while we look."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total

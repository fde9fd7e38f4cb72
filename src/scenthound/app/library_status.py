"""What is in a library, gathered in one struct: what `status` shows, and the end of a crawl."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from scenthound import config as toml
from scenthound.app.out_of_reach import held_links
from scenthound.config import Config, named
from scenthound.crawler.budget import stop_reason
from scenthound.crawler.coverage.crawl_record import asked_coverage
from scenthound.crawler.coverage.recall_estimate import RecallEstimate
from scenthound.crawler.script_figures import ScriptFigures, of_runs
from scenthound.library import open_library
from scenthound.library.best_pages import best_pages
from scenthound.library.label_figures import LabelFigures, label_figures
from scenthound.protocols.records import CrawlRun, JudgedAgain

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
    reason: str = ""  # the kind of ending: `limit` for pages, requests and minutes
    held: float = 0  # links that were left, of hosts whose robots.txt could not be read
    looks: float = 0  # of a round that looked at stored pages again


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
    noindex: int = 0  # pages that asked not to be indexed, and of which nothing is kept but links
    scripts: ScriptFigures | None = None  # pages that show nothing without scripts, where there were any
    harvest: list[float] = []
    failures: dict[str, int] = {}
    refusals: dict[str, int] = {}
    held: dict[str, int] = {}  # links that wait for hosts whose robots.txt could not be read, by the kind of reason
    top_hosts: list[HostShare] = []
    best: list[Find] = []
    runs: list[RunLine] = []
    labels: LabelFigures = LabelFigures()
    judged_again: JudgedAgain | None = None
    coverage: RecallEstimate | None = None  # of a crawl that was to reach some


def read_status(folder: Path) -> LibraryStatus:
    """Looks into a library, also while a crawl writes to it."""
    with open_library(folder, write=False) as library:
        counts, runs = library.counts(), library.runs()
        best = best_pages(library, BEST)
        settings = _settings(folder, runs)
        return LibraryStatus(
            folder=str(folder),
            topic=settings.topic.name,
            strategy=named(settings.crawl.strategy, "strategy")[0],
            pages=counts.fetched,
            budget=settings.crawl.pages,
            relevant=counts.relevant,
            duplicates=counts.duplicates,
            noindex=counts.noindex,
            scripts=figures if (figures := of_runs(run.counters for run in runs)).counters() else None,
            waiting=counts.waiting,
            failed=sum(counts.failed.values()),
            refused=sum(counts.refused.values()),
            moved=counts.moved,
            hosts=counts.hosts,
            bytes=max(bytes_in(folder), library.disk_bytes()),  # what is in PostgreSQL is in no folder
            harvest=library.harvest_curve(CURVE_CELLS),
            failures=dict(counts.failed),
            refusals=dict(counts.refused),
            held=held_links(library),
            top_hosts=[HostShare(row.host, row.pages, row.relevant) for row in library.hosts(HOSTS) if row.pages],
            best=[Find(page.url, page.title, page.relevance) for page in best],
            runs=[run_line(run) for run in runs],
            labels=label_figures(library),
            judged_again=library.judged_again(),
            coverage=asked_coverage(library, settings),
        )


def run_line(run: CrawlRun) -> RunLine:
    held = run.counters.get("held", 0)
    pages, looks = run.counters.get("pages"), run.counters.get("looks", 0)
    return RunLine(run.started_at, run.ended_at, run.reason, pages, stop_reason(run.reason), held, looks)


def _settings(folder: Path, runs: list[CrawlRun]) -> Config:
    """As the last run had them, options included; else as topic.toml says."""
    if runs:
        return toml.from_stored(runs[-1].config)
    return toml.load(folder / "topic.toml") if (folder / "topic.toml").is_file() else Config()


def bytes_in(folder: Path) -> int:
    """What a folder takes up. Files may come and go while we look."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total

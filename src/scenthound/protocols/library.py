"""What a library can do, by use. A backend that does all of it passes `tests/conformance/libraries.py`.

| protocol | who uses it |
|---|---|
| `Recorder` | the engine: what every request changed |
| `FrontierStore` | the frontier: links that wait and do not fit in memory |
| `StoredPages` | everybody: pages, texts, answers as they came, links |
| `Decisions` | `explain`: why this URL, why not that one |
| `LibraryFigures` | `status` and reports |
| `PageLists` | the dashboard: any number of pages, a stretch at a time |
| `History` | `revisit` and `changes`: what pages were, and when they were looked at |
| `Searchable` | `search` |
| `Judgements` | `judge`, and a crawl that goes on: stored pages are judged again |
| `LabelStore` | `label`: what a person, a list or a program said about pages and sites |
| `SnapshotStore` | a crawl that goes on: what strategy and judge had learned |

Reads see everything that was recorded before them. Long answers are iterators that hold nothing up: the library may be
written to while one is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from scenthound.model import Label, LabelKind, Link, MainText, Outcome, Response, Step, Waiting
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import (
    CrawlRun,
    CutFile,
    EndedLink,
    HostQueue,
    HostRow,
    JudgedAgain,
    LibraryCounts,
    MissingPage,
    PageFacets,
    PageFilters,
    PageLook,
    PageOrder,
    PageSlice,
    PageTotals,
    SearchFilters,
    SearchMatch,
    SearchResult,
    StoredImage,
    StoredPage,
    UrlRow,
    Version,
    WatchedPage,
    WayStep,
)
from scenthound.protocols.snapshots import KeptSnapshots, Snapshot


class FrontierStore(Protocol):
    """Where a frontier keeps what does not fit in memory."""

    def waiting(self, host: str, limit: int) -> Sequence[Waiting]:
        """Links of a host that wait, best first, then in the order of discovery."""
        ...

    def queues(self) -> Iterable[HostQueue]:
        """Every host with links that wait."""
        ...

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        """The rows of links by their ids, in the order given."""
        ...

    def known(self) -> Iterable[tuple[int, bool]]:
        """(id, still waiting) of every URL seen. Not of refused ones, which may be found again: rules change."""
        ...

    def next_order(self) -> int:
        """The number that the next link to be found gets."""
        ...


class Recorder(Protocol):
    """The way in. One recorder at a time may write to a library."""

    def record(self, step: Step) -> None:
        """Takes in all that one request changed: soon, in order, each step whole or not at all."""
        ...

    def flush(self) -> None:
        """Everything recorded so far is stored when this returns."""
        ...

    def start_run(self, config: str) -> None:
        """Notes that a crawl begins, with the settings it runs under, as JSON."""
        ...

    def end_run(self, reason: str, counters: Mapping[str, float] | None = None) -> None:
        """Notes why it ended, and whatever figures it wants to leave."""
        ...


class StoredPages(Protocol):
    """What was collected. To get a page back as the crawl saw it, see `scenthound.library.stored_pages`."""

    def page(self, url: str) -> StoredPage | None: ...

    def pages(self, *, relevant: bool = False, since: float = 0.0, after: int = 0) -> Iterator[StoredPage]:
        """Pages in the order they were first fetched: only relevant ones, only fetched since, only from `after` on."""
        ...

    def text(self, url: str, version: Version | None = None) -> str | None:
        """The visible text of a page, or of an earlier version; None if there is none or it asked not to be indexed."""
        ...

    def main_text(self, url: str) -> MainText | None:
        """What a page says, as Markdown, made when it is first asked for; None where `text` is."""
        ...

    def versions(self, url: str) -> list[Version]:
        """All answers of a URL, oldest first."""
        ...

    def body(self, url: str, version: int | Version | None = None) -> Response | None:
        """An answer as it was received; None if it was not kept. Raises `LibraryError` where it was and is damaged.

        Without a version it is the one that brought the page as it is stored, else the latest.
        """
        ...

    def outlinks(self, url: str) -> list[Link]:
        """The links of a page, as its last visit found them; what stood around them is left out."""
        ...

    def graph(self) -> Iterator[tuple[str, list[Link]]]:
        """Every page with links, and the links of its last visit, in the order of the first."""
        ...

    def linking(self, url: str) -> list[str]:
        """URLs of the pages that link to a URL, or did in an earlier version."""
        ...

    def backlinks(self, url: str) -> Iterator[Link]:
        """Links to a URL from the pages as they are stored now."""
        ...

    def simhashes(self) -> Iterator[tuple[int, str]]:
        """(simhash, URL) of every page that repeats no other and is still there."""
        ...


class Decisions(Protocol):
    """What became of every URL ever found, and why."""

    def url_row(self, url: str) -> UrlRow | None: ...

    def failed(self, kind: str = "") -> Iterator[Link]:
        """Every link that brought no page, in the order of discovery; only those of a kind, where one is named."""
        ...

    def way(self, url: str) -> list[WayStep]:
        """From a seed to the URL, each step with its score; empty if the URL was never found."""
        ...

    def ahead(self, row: UrlRow) -> tuple[int, int]:
        """How many waiting links have a better claim than this one: in all, and on its host."""
        ...

    def urls_of_host(self, host: str, limit: int) -> list[str]:
        """Known URLs of a host, whatever became of them."""
        ...

    def near(self, url: str, n: int = 3) -> list[str]:
        """Known URLs of the same host that are spelled most like it."""
        ...


class LibraryFigures(Protocol):
    def counts(self) -> LibraryCounts: ...

    def harvest(self) -> list[tuple[float, bool]]:
        """(relevance, counted as relevant) of pages as first judged, in the order of fetching: the harvest curve."""
        ...

    def harvest_curve(self, cells: int) -> list[float]:
        """The share of pages that counted when they were fetched, in so many equal stretches of the crawl at most."""
        ...

    def hosts(self, limit: int = 0) -> list[HostRow]:
        """Hosts that were asked, those with most relevant pages first; of these so many, 0 for all."""
        ...

    def runs(self) -> list[CrawlRun]:
        """Every crawl session, oldest first."""
        ...

    def disk_bytes(self) -> int:
        """What it takes up on a disk, what is derived from it left out."""
        ...

    def outcomes(self, since: float = 0.0) -> dict[str, int]:
        """How many looks since then showed what."""
        ...

    def ages(self, now: float) -> list[float]:
        """Seconds since each relevant page that is still there was last known to be as stored, youngest first."""
        ...


class PageLists(Protocol):
    """Lists of pages that are read a stretch at a time. None of these answers takes longer because there is more."""

    def page_list(
        self, filters: PageFilters | None = None, order: PageOrder = "best", after: str = "", limit: int = 50
    ) -> PageSlice:
        """Up to `limit` pages that pass, from the place on that `PageSlice.next` named. An `after` that names no
        place is a `ValueError`."""
        ...

    def page_totals(self) -> PageTotals: ...

    def page_facets(self) -> PageFacets: ...


class History(Protocol):
    """The library in time: when a page was looked at, what each look showed, what it said before."""

    def watched(self) -> Iterator[WatchedPage]:
        """Every page that is there or was found gone, and repeats none that is there, in the order of fetching."""
        ...

    def looks(self, since: float = 0.0, outcomes: Iterable[Outcome] = (), after: int = 0) -> Iterator[PageLook]:
        """Looks since a time, oldest first, only those that showed one of the outcomes."""
        ...

    def looks_of(self, url: str) -> list[PageLook]:
        """All looks at one page, oldest first."""
        ...

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        """The links that led to pages, as they waited once; in the order given."""
        ...

    def version_at(self, url: str, at: float) -> Version | None:
        """The page as it was stored at that time; None if it was not yet."""
        ...

    def before(self, url: str, version: Version) -> Version | None:
        """The version a version took the place of."""
        ...

    def texts(self, version: int) -> tuple[str, str] | None:
        """The text an answer replaced, and its own; None where one of them was not kept."""
        ...

    def new_pages(
        self, since: float, *, relevant: bool = False, best: bool = False, limit: int = 0
    ) -> Iterator[StoredPage]:
        """Pages that were fetched for the first time since then: the newest first, or the best; so many, 0 for all."""
        ...

    def count_new_pages(self, since: float, *, relevant: bool = False) -> int:
        """How many `new_pages` there are."""
        ...

    def broken(self) -> Iterator[tuple[str, str, float]]:
        """(URL, reason, since when) of all that did not answer, or answers no more, in the order of discovery."""
        ...

    def holders(self, url: str) -> list[Link]:
        """The links to a URL that stand on pages now, one a page."""
        ...

    def missing(self, host: str) -> MissingPage | None:
        """What the host answers to a URL that cannot exist, if it was asked."""
        ...

    def note_missing(self, page: MissingPage) -> None: ...

    def image(self, url: str) -> StoredImage | None:
        """A picture of a watched page, as it last was."""
        ...

    def note_image(self, image: StoredImage) -> None: ...


class Searchable(Protocol):
    """Full-text search: ranked, stemmed, with the stretch of text that answers."""

    def update_search(self, progress: Progress | None = None) -> int:
        """Takes in the answers stored since the last time; how many. To be called before `search`."""
        ...

    def search(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10, offset: int = 0
    ) -> SearchResult:
        """The best pages for the words; `offset` leaves out as many of the first ones."""
        ...

    def search_matches(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10_000
    ) -> list[SearchMatch]:
        """Every page that has all the words, copies too, in no order; so many at most. For who counts them."""
        ...


class Judgements(Protocol):
    """The present judgement of stored pages, where it is no longer the first one."""

    def judge_again(self, judgements: Iterable[tuple[str, float, bool]]) -> int:
        """Takes in (URL, relevance, relevant) of pages, a batch a transaction; counts follow. How many changed.

        What was recorded before is stored before, and all is stored when this returns. URLs without a page are left
        out. The iterable may read from the library meanwhile.
        """
        ...

    def rank_again(self, priorities: Iterable[tuple[int, float]]) -> int:
        """Takes in (URL's id, priority) of links that wait, likewise; all others stay. How many changed."""
        ...

    def judged_by(self) -> str:
        """The digest of what the present judgements were made with; empty: each page has the one it came with."""
        ...

    def note_judged_by(self, digest: str, judge: str = "") -> None:
        """To be said after the last batch: whoever is killed before has it all to do again, and nothing is half.

        `judge` is what a person is told about it: the judge's name.
        """
        ...

    def judged_again(self) -> JudgedAgain | None:
        """When all pages were last judged again, and by which judge; None: never."""
        ...


class LabelStore(Protocol):
    """What was said about pages and sites. A person's word outranks a list's, a list's that of a program."""

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        """Subject -> the word that counts; what was taken back is not there."""
        ...

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        """Stored when this returns, also in a library opened for reading. Those that changed what counts."""
        ...

    def label_history(self, subject: str) -> list[Label]:
        """All that was ever said about a page or a site, oldest first."""
        ...


class AnswerArchive(Protocol):
    """The answers as they came, where they are kept in files that may suffer."""

    def mend_archive(self) -> list[CutFile]:
        """Files that have lost their end are cut to what is whole; pages whose answers are gone wait again."""
        ...


class SnapshotStore(Protocol):
    """What strategy and judge had learned when a certain page was the last: one set, the latest."""

    def keep_snapshots(self, snapshots: Mapping[str, Snapshot], made_with: str) -> None:
        """Takes them in behind all that was recorded before, in one transaction: they are never ahead of the pages.

        `made_with` stands for all that shaped them but for the pages.
        """
        ...

    def kept_snapshots(self, made_with: str) -> KeptSnapshots | None:
        """None where there are none, where they were made with something else, or where they are damaged."""
        ...

    def misses(self) -> Iterator[EndedLink]:
        """Links that brought no page since the snapshots, in the order in which that was recorded; one that was given
        up may be there several times."""
        ...

    def finds(self) -> Iterator[tuple[int, list[str]]]:
        """URLs that nobody had seen before, by the number of the page, since the snapshots, that showed them first; in
        the order they were found. Only of pages whose steps told of any, and of some thousands of them at most."""
        ...


class Library(
    Recorder,
    FrontierStore,
    StoredPages,
    Decisions,
    LibraryFigures,
    PageLists,
    History,
    Searchable,
    Judgements,
    LabelStore,
    SnapshotStore,
    AnswerArchive,
    Protocol,
):
    """Keeps pages, versions, links, judgements and the frontier's state. See `scenthound.library.open_library`."""

    @property
    def folder(self) -> Path | None:
        """Where its files are, and beside them topic.toml, models and reports; None where it has none."""
        ...

    def close(self) -> None:
        """Stores what is left. May be called twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

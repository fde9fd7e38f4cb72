"""A library in a script or a notebook: `scenthound.open_library(folder)`.

    with scenthound.open_library("crawls/dengue-fever") as library:
        for hit in library.search("mosquito nets"):
            print(hit.title, hit.url)
        table = library.to_pandas(relevant=True)

Any number may look, also while a crawl writes; nothing is written but labels and, by `judge`,
judgements. Times are unix times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from scenthound.api.background import BackgroundWork
from scenthound.api.picture import Picture, harvest_picture
from scenthound.app import export as export_use_case
from scenthound.app.explanation import Explanation, explain
from scenthound.app.judge import JudgeOptions, JudgeOutcome, JudgeSession
from scenthound.app.label import LabelChange, LabelRow, list_labels, set_labels
from scenthound.app.page_usage import PageUsage
from scenthound.errors import UsageError
from scenthound.export.exporter import ChosenPages, ExportChoice
from scenthound.export.fields import fields_of
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library as open_backend
from scenthound.model import Link
from scenthound.protocols.library import Library
from scenthound.protocols.records import LibraryCounts, SearchFilters, SearchHit, StoredPage
from scenthound.report.formatting import plural

if TYPE_CHECKING:
    import pandas
    import pyarrow


def open_library(folder: str | PathLike[str]) -> OpenLibrary:
    """The library that a crawl made in this folder, to look into."""
    return OpenLibrary(Path(folder))


class OpenLibrary:
    """What was collected. Made by `scenthound.open_library`; to be closed, or used in a `with`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._library: Library = open_backend(folder, write=False)

    # Pages

    def pages(self, *, relevant: bool = False, since: float = 0.0) -> Iterator[StoredPage]:
        """Pages in the order they were fetched: all, or those that count as found, or those fetched since a time."""
        found = self._library.pages(relevant=relevant, since=since)
        return (page for page in found if page.counts or not relevant)

    def __iter__(self) -> Iterator[StoredPage]:
        return self.pages()

    def __len__(self) -> int:
        return self.counts().fetched

    def counts(self) -> LibraryCounts:
        """How many pages, relevant ones, waiting links, failures and refusals by reason."""
        return self._library.counts()

    def page(self, url: str) -> StoredPage | None:
        return self._library.page(url)

    def text(self, url: str) -> str | None:
        """The visible text of a page; None if it is not here, or asked not to be indexed."""
        return self._library.text(url)

    def links(self, url: str) -> list[Link]:
        """The links of a page."""
        return self._library.outlinks(url)

    # Questions

    def search(
        self, words: str, limit: int = 10, *, relevant: bool = False, host: str = "", site: str = ""
    ) -> list[SearchHit]:
        """The best pages for the words, best first: "a phrase" and -without are understood."""
        if not words.strip():
            raise UsageError('Say what to search for: library.search("dengue vaccine")')
        self._library.update_search()
        asked = [words] if '"' in words else words.split()
        filters = SearchFilters(relevant=relevant, host=host, site=site)
        return list(self._library.search(asked, filters, limit).hits)

    def explain(self, url: str) -> Explanation:
        """Why a page was fetched, kept or dropped."""
        return explain(self.folder, url)

    def plot(self) -> Picture:
        """The harvest curve: relevant pages over pages fetched."""
        return harvest_picture([counted for _, counted in self._library.harvest()])

    # Labels

    def label(self, url: str, relevant: bool | None) -> LabelChange:
        """Says of a page whether it is relevant; None takes it back. Stored at once; the next crawl judges by it."""
        return set_labels(self.folder, [url], relevant)[0]

    def labels(self) -> list[LabelRow]:
        """Every label that counts, the last one first."""
        return list_labels(self.folder)

    def judge(self, *, judge: str | None = None, threshold: float | None = None) -> JudgeOutcome:
        """Judges all pages again by what is set now; not while a crawl writes.

        A judge or threshold given here goes into topic.toml.
        """
        session = JudgeSession(self.folder, JudgeOptions(judge, threshold))
        [outcome] = BackgroundWork[JudgeOutcome](lambda tell: _told(session, tell), "judging")
        return outcome

    # To take away

    def export(
        self,
        path: str | PathLike[str],
        *,
        format: str = "",
        fields: Sequence[str] = (),
        relevant: bool = False,
        text: bool = False,
    ) -> Path:
        """Writes pages to a file; the format follows its name, pages.jsonl or pages.csv, or is named. Returns where."""
        export_use_case.export(self._library, Path(path), _choice(fields, relevant, text), format)
        return Path(path)

    def to_arrow(self, *, fields: Sequence[str] = (), relevant: bool = False, text: bool = False) -> pyarrow.Table:
        """A row a page, as a pyarrow table; polars and duckdb take one as it is."""
        arrow: Any = _needed("pyarrow", "parquet")
        chosen = self._chosen(fields, relevant, text)
        rows = list(chosen.rows())
        return arrow.table({name: [row[name] for row in rows] for name in chosen.fields})

    def to_pandas(self, *, fields: Sequence[str] = (), relevant: bool = False, text: bool = False) -> pandas.DataFrame:
        """A row a page, as a data frame."""
        frames: Any = _needed("pandas", "notebook")
        chosen = self._chosen(fields, relevant, text)
        return frames.DataFrame(list(chosen.rows()), columns=list(chosen.fields))

    def _chosen(self, fields: Sequence[str], relevant: bool, text: bool) -> ChosenPages:
        return ChosenPages(self._library, _choice(fields, relevant, text), usage=PageUsage(self._library))

    # Its end

    def close(self) -> None:
        self._library.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.__exit__(kind, error, trace)

    def __repr__(self) -> str:
        counts = self.counts()
        return f"<library {self.folder}: {plural(counts.fetched, 'page')}, {counts.relevant:,} relevant>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.plot().svg}"


def _choice(fields: Sequence[str], relevant: bool, text: bool) -> ExportChoice:
    return ExportChoice(fields_of(fields, text), PageFilter(relevant=relevant))


async def _told(session: JudgeSession, tell: Callable[[JudgeOutcome], None]) -> None:
    tell(await session.run())


def _needed(package: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError:
        raise UsageError(f"This takes {package}, which is not installed: pip install 'scenthound[{extra}]'") from None

"""What an exporter is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, ClassVar, Protocol

from msgspec import Struct

from scenthound.export.fields import DEFAULT_FIELDS, FIELDS
from scenthound.model import Label
from scenthound.protocols.library import LabelStore, StoredPages
from scenthound.protocols.records import StoredPage
from scenthound.registry import Registry

YES, NO = "yes", "no"
"""How a label is written, as `scenthound label --to` writes it. A page without one has an empty text."""


class PagesToExport(StoredPages, LabelStore, Protocol):
    """What is asked of a library."""


class ExportChoice(Struct, frozen=True):
    """Which pages, and what of them."""

    fields: tuple[str, ...] = DEFAULT_FIELDS
    relevant: bool = False  # only pages that count as found: over the threshold, and no repetition of another
    since: float = 0.0  # unix time of the last fetch


class ChosenPages:
    """The pages to be written, in the order of fetching, each read from the library when its turn comes.

    `progress` hears of each page of the library with its number.
    """

    def __init__(
        self, library: PagesToExport, choice: ExportChoice | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        self.library = library
        self.choice = choice or ExportChoice()
        self.progress = progress
        self.taken = 0  # how many were handed out
        self._labels: dict[str, Label] | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """What is wanted of each page, in this order."""
        return self.choice.fields

    def __iter__(self) -> Iterator[StoredPage]:
        for page in self.library.pages(relevant=self.choice.relevant, since=self.choice.since):
            if self.progress is not None:
                self.progress(page.seq)
            if page.counts or not self.choice.relevant:
                self.taken += 1
                yield page

    def rows(self) -> Iterator[dict[str, Any]]:
        """The pages as plain data: field -> text, number, or true and false."""
        return map(self.row, self)

    def row(self, page: StoredPage) -> dict[str, Any]:
        return {name: self._field(name, page) for name in self.fields}

    def _field(self, name: str, page: StoredPage) -> Any:
        read = FIELDS[name].read
        if read is not None:
            return read(page)
        if name == "text":
            return self.text(page)
        label = self.label(page)
        if label is None:
            return ""
        return label.by if name == "label_by" else YES if label.relevant else NO

    def label(self, page: StoredPage) -> Label | None:
        """What somebody said about the page, and who; None if nobody did."""
        if self._labels is None:
            self._labels = self.library.labels()
        return self._labels.get(page.url)

    def text(self, page: StoredPage) -> str:
        return self.library.text(page.url) or ""


class Exporter(Protocol):
    """Writes pages in one format, in constant memory. Register with `@exporter("name")`."""

    extensions: ClassVar[tuple[str, ...]]  # of file names that ask for it: (".csv",), in small letters

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None: ...


exporter = Registry("format", "scenthound.export", Exporter)

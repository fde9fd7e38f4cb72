"""What an exporter is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, ClassVar, Protocol

from msgspec import Struct

from scenthound.export.fields import DEFAULT_FIELDS, FIELDS
from scenthound.protocols.library import StoredPages
from scenthound.protocols.records import StoredPage
from scenthound.registry import Registry


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
        self, library: StoredPages, choice: ExportChoice | None = None, progress: Callable[[int], None] | None = None
    ) -> None:
        self.library = library
        self.choice = choice or ExportChoice()
        self.progress = progress
        self.taken = 0  # how many were handed out

    @property
    def fields(self) -> tuple[str, ...]:
        """What is wanted of each page, in this order."""
        return self.choice.fields

    def __iter__(self) -> Iterator[StoredPage]:
        for page in self.library.pages(relevant=self.choice.relevant, since=self.choice.since):
            if self.progress is not None:
                self.progress(page.seq)
            if not (self.choice.relevant and page.duplicate_of):
                self.taken += 1
                yield page

    def rows(self) -> Iterator[dict[str, Any]]:
        """The pages as plain data: field -> text, number, or true and false."""
        return map(self.row, self)

    def row(self, page: StoredPage) -> dict[str, Any]:
        return {name: self.text(page) if name == "text" else FIELDS[name](page) for name in self.fields}

    def text(self, page: StoredPage) -> str:
        return self.library.text(page.url) or ""


class Exporter(Protocol):
    """Writes pages in one format, in constant memory. Register with `@exporter("name")`."""

    extensions: ClassVar[tuple[str, ...]]  # of file names that ask for it: (".csv",), in small letters

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None: ...


exporter = Registry("format", "scenthound.export", Exporter)

"""What an exporter is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, ClassVar, Protocol

from msgspec import Struct

from scenthound import urls
from scenthound.export.fields import DEFAULT_FIELDS, FIELDS, TEXT_FIELDS
from scenthound.export.file_tree import FileTree
from scenthound.export.page_filter import NO, YES, PageFilter
from scenthound.library.stored_pages import answer_of
from scenthound.model import Label, MainText
from scenthound.parse.usage_preferences import UsagePreferences, of_answer
from scenthound.protocols.library import FrontierStore, LabelStore, StoredPages
from scenthound.protocols.records import StoredPage
from scenthound.registry import Registry


class PagesToExport(StoredPages, LabelStore, FrontierStore, Protocol):
    """What is asked of a library."""


class ExportChoice(Struct, frozen=True):
    """Which pages, and what of them."""

    fields: tuple[str, ...] = DEFAULT_FIELDS
    filter: PageFilter = PageFilter()
    chunk_words: int = 0  # of pieces, where the format has such; 0: as it likes


class ChosenPages:
    """The pages to be written, in the order of fetching, each read from the library when its turn comes.

    `progress` hears of each page of the library with its number. `usage` knows what robots.txt files said of pages.
    `topic` is what they were collected for.
    """

    def __init__(
        self,
        library: PagesToExport,
        choice: ExportChoice | None = None,
        progress: Callable[[int], None] | None = None,
        usage: Callable[[StoredPage], UsagePreferences] | None = None,
        topic: str = "",
    ) -> None:
        self.library = library
        self.topic = topic
        self.choice = choice or ExportChoice()
        self.progress = progress
        self._usage_of = usage or self._usage_by_answer
        self._usage: tuple[str, UsagePreferences] = ("", UsagePreferences())  # of the page at hand
        self.taken = 0  # how many were handed out, the last time, and not left out
        self.left_out = 0  # pages that the format cannot write, since their answers were not kept
        self._labels: dict[str, Label] | None = None
        self._main: tuple[str, MainText] = ("", MainText())  # of the page at hand

    @property
    def fields(self) -> tuple[str, ...]:
        """What is wanted of each page, in this order."""
        return self.choice.fields

    def __iter__(self) -> Iterator[StoredPage]:
        wanted = self.choice.filter
        self.taken = self.left_out = 0
        groups: set[int] = set()
        for page in self.library.pages(relevant=wanted.relevant, since=wanted.since):
            if self.progress is not None:
                self.progress(page.seq)
            if not wanted.takes(page, self.label, self.main_text, self.usage):
                continue
            if wanted.unique:
                group = urls.fingerprint(page.duplicate_of or page.url)
                if group in groups:
                    continue
                groups.add(group)
            self.taken += 1
            yield page

    def leave_out(self) -> None:
        """Says that the page at hand was not written, as nothing is kept of it that the format could write."""
        self.taken -= 1
        self.left_out += 1

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
        if name in TEXT_FIELDS:
            return TEXT_FIELDS[name](self.main_text(page))
        if name in ("usage", "license"):
            usage = self.usage(page)
            return str(usage) if name == "usage" else " ".join(usage.licenses)
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

    def main_text(self, page: StoredPage) -> MainText:
        """What the page says, as Markdown; nothing where it asked not to be kept."""
        if self._main[0] != page.url:
            self._main = (page.url, self.library.main_text(page.url) or MainText())
        return self._main[1]

    def usage(self, page: StoredPage) -> UsagePreferences:
        """What the owner of the page prefers to be done with it."""
        if self._usage[0] != page.url:
            self._usage = (page.url, self._usage_of(page))
        return self._usage[1]

    def _usage_by_answer(self, page: StoredPage) -> UsagePreferences:
        """As far as the page itself says."""
        answer = answer_of(self.library, page.url, damaged_too=True)
        return of_answer(answer) if answer is not None else UsagePreferences()


class Exporter(Protocol):
    """Writes pages in one format, in constant memory. Register with `@exporter("name")`.

    One that has to keep a list of what it wrote says how many bytes that takes: `memory_a_page`. One that writes
    something else than pages says what that is called: `what = "link"`.
    """

    extensions: ClassVar[tuple[str, ...]]  # of file names that ask for it: (".csv",), in small letters

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None: ...


class WritesTree(Protocol):
    """A hook of formats that are many files: they go into a folder, or into a zip file where a stream is wanted."""

    def write_tree(self, pages: ChosenPages, tree: FileTree) -> None: ...


exporter = Registry("format", "scenthound.export", Exporter, (WritesTree,))

"""Takes what was collected out of a library, in any format that is registered: see `scenthound.export`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from scenthound.app.page_usage import PageUsage
from scenthound.atomic_write import replacing
from scenthound.errors import UsageError
from scenthound.export.exporter import ChosenPages, ExportChoice, Exporter, WritesTree, exporter
from scenthound.export.file_tree import folder_tree
from scenthound.library import library_at
from scenthound.library.run_settings import last_settings
from scenthound.protocols.crawl import Progress
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library, LibraryFigures

DEFAULT_FORMAT = "jsonl"


class ExportFormat(Struct, frozen=True):
    """One way to write pages."""

    name: str
    extensions: tuple[str, ...]
    doc: str  # one line

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.extensions)})" if self.extensions else self.name


class Written(Struct, frozen=True):
    """What an export has written, and what it could not."""

    number: int
    left_out: int = 0  # chosen pages whose answers were not kept, where the format is made of answers
    what: str = "page"

    def __str__(self) -> str:
        told = f"{self.number:,} {self.what}{'' if self.number == 1 else 's'}"
        if not self.left_out:
            return told
        return f"{told} ({self.left_out:,} more left out, as no answer of them is stored)"


def export_formats() -> list[ExportFormat]:
    """All there are, ours and those of other packages."""
    found = []
    for name in exporter.names():
        cls = exporter.get(name)
        first, _, _ = inspect.cleandoc(cls.__doc__ or "").partition("\n")
        found.append(ExportFormat(name, tuple(getattr(cls, "extensions", ())), first))
    return found


def format_of(path: Path) -> str:
    """The format that a file's name asks for. One that has no ending asks for none, and gets JSON lines."""
    ending, name = path.suffix.lower(), path.name.lower()
    if not ending:
        return DEFAULT_FORMAT
    formats = export_formats()
    meant = [known.name for known in formats if name.endswith(known.extensions)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise UsageError(f"{path.name} may be any of {', '.join(meant)}: name the format, as in --format {meant[0]}.")
    listed = ", ".join(map(str, formats))
    raise UsageError(
        f"No format has files ending in {ending!r}. There are: {listed}. Name the file so, or the format by --format."
    )


def export(
    place: Path | Library,
    target: Path | BinaryIO,
    choice: ExportChoice | None = None,
    form: str = "",
    progress: Progress | None = None,
) -> Written:
    """Writes the pages of a library to a stream, or into a file that is there when it is whole.

    A format that is many files makes a folder, or a zip file where the name of the target ends in `.zip`.
    Where no format is named, it is the one of the file's name; JSON lines for a stream.
    """
    form = form or (format_of(target) if isinstance(target, Path) else DEFAULT_FORMAT)
    writer: Exporter = exporter.build(form)
    with library_at(place) as library, ExitStack() as stack:
        topic = last_settings(library).topic.name
        pages = ChosenPages(library, choice, _counted(library, progress), PageUsage(library), topic)
        of_files = hook(writer, WritesTree) if isinstance(target, Path) and target.suffix.lower() != ".zip" else None
        if of_files is not None and isinstance(target, Path):
            of_files.write_tree(pages, stack.enter_context(folder_tree(target)))
        else:
            stream = stack.enter_context(replacing(target)).buffer if isinstance(target, Path) else target
            writer.write(pages, stream)
    return Written(pages.taken, pages.left_out, getattr(writer, "what", "page"))


def _counted(library: LibraryFigures, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    whole = library.counts().fetched
    return lambda number: progress(number, whole)

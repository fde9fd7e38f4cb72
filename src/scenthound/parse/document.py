"""What is read out of a document, and who reads which format.

A reader is a class in a file of `parse/documents/` that is named after the format, or comes from another package by an
entry point of the group `scenthound.documents`, named after the format as well:

    @document_reader("rtf")
    @dataclass
    class RtfReader:
        def read(self, response: Response) -> Document: ...

It may raise: the page then has a `problem`. It may take long, and use much memory: it works in a process that is ended
when either is too much. A format without a reader is kept as it is, and known by its name alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from typing import Protocol

from msgspec import Struct

from scenthound import registry, urls
from scenthound.errors import ConfigError, UnknownName
from scenthound.model import Response
from scenthound.parse.file_format import TEXTS
from scenthound.protocols.hooks import hook

READ_AS = {**dict.fromkeys(TEXTS - {"txt", "csv"}, "txt"), "tsv": "csv"}
"""Formats that the reader of another one reads."""


class DocumentLink(Struct, frozen=True):
    href: str
    anchor: str = ""  # the words it stands on, as its part has them
    part: int = 0  # which part it stands in


class DocumentPart(Struct, frozen=True):
    """A heading and what follows it, paragraphs with an empty line in between."""

    text: str
    heading: str = ""
    level: int = 0  # of the heading, 1 to 6


class Document(Struct, frozen=True):
    title: str = ""
    description: str = ""
    language: str = ""
    charset: str = ""
    parts: tuple[DocumentPart, ...] = ()
    links: tuple[DocumentLink, ...] = ()


class DocumentReader(Protocol):
    def read(self, response: Response) -> Document: ...


class ChecksInstallation(Protocol):
    """Of a reader that needs more than comes with us."""

    def check_installation(self) -> None:
        """Raises a `UsageError` that says what to install, where it is not there."""


document_reader = registry.Registry(
    "document_reader", "scenthound.parse.documents", DocumentReader, (ChecksInstallation,), group="documents"
)


@cache
def reader_for(name: str) -> DocumentReader | None:
    """Who reads a format; None where nobody does."""
    try:
        reader: DocumentReader = document_reader.build(READ_AS.get(name, name))
    except UnknownName:
        return None
    return reader


def checked_formats(names: Iterable[str]) -> frozenset[str]:
    """The formats that a crawl wants beside web pages, `PDF` and `.pdf` alike; an error for what cannot be meant."""
    wanted = frozenset(name.strip().lower().lstrip(".") for entry in names for name in entry.split(",") if name.strip())
    kinds = set(urls.FILE_TYPES.values())
    for name in sorted(wanted - kinds - set(urls.FILE_TYPES)):
        if name in ("html", "htm", "xhtml"):
            raise ConfigError("Web pages are always wanted: leave html out of want.")
        readers = document_reader.names()
        if name not in readers:
            near = get_close_matches(name, [*readers, *kinds], n=1) or get_close_matches(name, urls.FILE_TYPES, n=1)
            all_of_them = f"Kinds are {', '.join(sorted(kinds))}; endings are pdf, csv, xlsx and so on."
            hint = f"Did you mean {near[0]!r}?" if near else all_of_them
            raise ConfigError(f"There is no kind of file called {name!r}. {hint}")
    for name in sorted(wanted):
        reader = None if name in kinds else reader_for(name)
        if reader is not None and (checks := hook(reader, ChecksInstallation)) is not None:
            checks.check_installation()
    return wanted

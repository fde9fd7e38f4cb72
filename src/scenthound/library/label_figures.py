"""How many labels there are, who gave them, and what they decided: for `status` and reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from scenthound.model import Label
from scenthound.protocols.library import LabelStore, StoredPages
from scenthound.protocols.records import SearchResult, StoredPage


class LabelledLibrary(StoredPages, LabelStore, Protocol):
    """Where pages and their labels are."""


class LabelTally(Struct, frozen=True):
    """How many were said to be relevant, how many not."""

    yes: int = 0
    no: int = 0


class LabelledPage(Struct, frozen=True):
    """A stored page, and the word on it that counts."""

    page: StoredPage
    label: Label

    @property
    def overturned(self) -> bool:
        """Was it first judged otherwise?"""
        return self.page.first_relevant is not self.label.relevant


class LabelFigures(Struct, frozen=True):
    """All labels that count."""

    pages: LabelTally = LabelTally()
    sites: LabelTally = LabelTally()
    by: Mapping[str, LabelTally] = {}  # who said so of pages, most first
    stored: LabelTally = LabelTally()  # pages in the library that count or do not because of their label
    overturned: int = 0  # of these, how many were first judged otherwise


def labelled_pages(library: LabelledLibrary) -> list[LabelledPage]:
    """Stored pages that have a label, what was said last first."""
    found = [(library.page(url), label) for url, label in library.labels().items()]
    pages = [LabelledPage(page, label) for page, label in found if page is not None]
    return sorted(pages, key=lambda each: -each.label.at)


def label_figures(library: LabelledLibrary, labelled: Iterable[LabelledPage] | None = None) -> LabelFigures:
    """`labelled`: the library's labelled pages, where they have been read already."""
    pages, stored = list(library.labels().values()), labelled_pages(library) if labelled is None else list(labelled)
    by: dict[str, list[Label]] = {}
    for label in pages:
        by.setdefault(label.by, []).append(label)
    return LabelFigures(
        pages=_tally(pages),
        sites=_tally(library.labels("site").values()),
        by={who: _tally(said) for who, said in sorted(by.items(), key=lambda item: (-len(item[1]), item[0]))},
        stored=_tally(each.label for each in stored),
        overturned=sum(each.overturned for each in stored),
    )


def _tally(labels: Iterable[Label]) -> LabelTally:
    said = [label.relevant for label in labels]
    return LabelTally(said.count(True), said.count(False))


def with_labels(found: SearchResult, labels: Mapping[str, Label]) -> SearchResult:
    """What a search found, each hit with its label."""
    if not labels:
        return found
    hits = [replace(hit, label=labels[hit.url].relevant) if hit.url in labels else hit for hit in found.hits]
    return replace(found, hits=hits)

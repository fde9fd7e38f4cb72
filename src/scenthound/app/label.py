"""Labels of a folder: what somebody said about its pages and sites. Set, taken back, listed, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scenthound.app.label_subjects import LabelSubjects, Subject
from scenthound.app.label_table import read_table, write_table
from scenthound.errors import LibraryBusy, LibraryMissing, UsageError
from scenthound.library import is_library, open_library
from scenthound.library.label_file import LabelFile
from scenthound.model import Label, LabelKind
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import LabelStore, Library

if TYPE_CHECKING:  # a crawler, which nobody needs who only lists labels
    from scenthound.crawler.judge_again import JudgedPages


class LabelChange(Struct, frozen=True):
    """What was said about a page or site, and what that changed."""

    subject: str
    kind: LabelKind
    relevant: bool | None  # what counts now; None: nothing
    before: bool | None  # what counted before
    state: str  # what became of the URL; empty: the crawl never saw it, or looked for no sites
    near: tuple[str, ...]
    relevance: float | None = None  # by the judge, where it is a stored page
    counted: bool | None = None  # it counted as found, before
    copy_of: str = ""  # the page that counts in its place
    teaches: bool = True  # False: it asked not to be kept, so that nothing can be learned from it

    @property
    def changed(self) -> bool:
        return self.relevant is not self.before


class LabelRow(Struct, frozen=True):
    """A line of the list."""

    subject: str
    kind: LabelKind
    relevant: bool
    by: str
    at: float
    title: str = ""
    relevance: float | None = None  # by the judge; None: no page of the library


def set_labels(
    folder: Path, given: Sequence[str], relevant: bool | None, *, sites: bool = False, by: str = "person"
) -> list[LabelChange]:
    """Says of pages and sites, named as people name them, whether they are relevant; None takes it back.

    If one of the names is no URL, nothing is stored.
    """
    with labelled_folder(folder) as (library, store):
        subjects = LabelSubjects(library, sites=sites)
        found = dict.fromkeys(subjects.find(text) for text in given)
        return store_labels(
            library, store, {subject: Label(subject.name, relevant, by, kind=subject.kind) for subject in found}
        )


def store_labels(library: Library | None, store: LabelStore, labels: dict[Subject, Label]) -> list[LabelChange]:
    before = {kind: store.labels(kind) for kind in ("page", "site")}
    store.add_labels(labels.values())
    after = {kind: store.labels(kind) for kind in ("page", "site")}
    changes = []
    for subject in labels:
        page = library.page(subject.name) if library is not None and subject.kind == "page" else None
        changes.append(
            LabelChange(
                subject=subject.name,
                kind=subject.kind,
                relevant=_said(after[subject.kind].get(subject.name)),
                before=_said(before[subject.kind].get(subject.name)),
                state=subject.state,
                near=subject.near,
                relevance=page.relevance if page else None,
                counted=page.relevant if page else None,
                copy_of=page.duplicate_of if page else "",
                teaches=not (page and page.noindex),
            )
        )
    return changes


def _said(label: Label | None) -> bool | None:
    return label.relevant if label is not None else None


def list_labels(folder: Path) -> list[LabelRow]:
    """All labels that count, the last said first."""
    rows = []
    with labelled_folder(folder) as (library, store):
        for label in all_labels(store):
            page = library.page(label.subject) if library is not None and label.kind == "page" else None
            rows.append(
                LabelRow(
                    subject=label.subject,
                    kind=label.kind,
                    relevant=bool(label.relevant),
                    by=label.by,
                    at=label.at,
                    title=page.title if page else "",
                    relevance=page.relevance if page else None,
                )
            )
    return sorted(rows, key=lambda row: (-row.at, row.subject))


def all_labels(store: LabelStore) -> list[Label]:
    return [*store.labels("page").values(), *store.labels("site").values()]


def labels_as_table(folder: Path) -> str:
    with labelled_folder(folder) as (_, store):
        return write_table(all_labels(store))


def labels_from_table(folder: Path, data: bytes, where: str) -> list[LabelChange]:
    """Takes in a table whole, or, where a line of it cannot be used, nothing of it."""
    with labelled_folder(folder) as (library, store):
        subjects = LabelSubjects(library)
        labels = read_table(data, where, subjects.page_named, subjects.site_named)
        return store_labels(library, store, {Subject(label.subject, label.kind): label for label in labels})


class LabelEffect(Struct, frozen=True):
    """What labels did to the judgement of all pages, or when they will."""

    judged: JudgedPages | None = None
    later: str = ""  # why nothing was judged, and when it will be


async def take_effect(folder: Path, progress: Progress | None = None) -> LabelEffect:
    """Judges all pages of the folder again by what is known now, if nobody else is writing to it.

    Whoever is stopped meanwhile has changed nothing: the next crawl does it.
    """
    from scenthound.app.judge import JudgeSession

    if not is_library(folder):
        return LabelEffect(later="The first crawl into this folder will take it in.")
    try:
        return LabelEffect((await JudgeSession(folder, progress=progress).run()).judged)
    except LibraryBusy:
        return LabelEffect(later="A crawl that is running here takes it in within seconds; anything else when it ends.")
    except UsageError as error:
        return LabelEffect(later=f"Stored pages keep their judgement: {error}")


@contextmanager
def labelled_folder(folder: Path) -> Iterator[tuple[Library | None, LabelStore]]:
    """The library of a folder, if it has one, and its labels. It may be crawled meanwhile: nothing is locked."""
    if is_library(folder):
        with open_library(folder, write=False) as library:
            yield library, library
    elif folder.is_dir():
        yield None, LabelFile(folder)
    else:
        raise LibraryMissing(
            f"There is no folder {folder}. Labels belong to a crawl: scenthound crawl TOPIC --into {folder}"
        )

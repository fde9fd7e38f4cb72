"""A damaged library's folder, repaired: see `sqlite.repair` for how. Nobody else may write to it meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from scenthound.library.folder_check import Told, refuse_elsewhere
from scenthound.library.folder_lock import FolderLock
from scenthound.model import Link, Page

ChooseLinks = Callable[[Page, int], Iterable[Link]]
"""Which links of a page, found at that depth, a crawl with these settings would follow."""


class FolderRepair(Struct, frozen=True):
    """What came back and what did not."""

    kept_as: str  # the damaged file; empty where there was none
    salvaged: dict[str, int]  # table -> rows that could be taken over
    damaged_tables: list[str]
    refused_rows: int = 0  # that could be read, and made no sense
    answers: int = 0  # in the archive
    answers_added: int = 0  # of those, such that library.db had lost
    answers_lost: int = 0  # that library.db knew, and the archive has lost
    urls: int = 0  # rebuilt from the archive, as the following
    pages: int = 0
    texts: int = 0
    links: int = 0
    links_found_again: int = 0  # that wait
    fetched_again: int = 0  # pages that wait because their answers are lost
    lost_texts: int = 0  # of pages that are in no archive
    lost_pages: int = 0
    finished_earlier: bool = False  # an earlier repair had been killed at its last step


def repair_folder(
    folder: Path, language: str, choose: ChooseLinks, told: Told = lambda what, done, whole: None
) -> FolderRepair:
    """`choose` says which links of a page a crawl would follow: those wait again whose rows are lost."""
    # Imported here as `library` does: nobody else of this package knows its backends.
    from scenthound.library.sqlite.repair import repair_database

    refuse_elsewhere(folder)
    lock = FolderLock(folder)
    try:
        done, kept = repair_database(folder, language, choose, told)
    finally:
        lock.release()
    return FolderRepair(
        kept_as=kept,
        salvaged={table.name: table.rows for table in done.tables},
        damaged_tables=[table.name for table in done.tables if not table.whole],
        refused_rows=sum(table.refused for table in done.tables),
        answers=done.answers.found,
        answers_added=done.answers.added,
        answers_lost=done.answers.lost,
        urls=done.pages.urls,
        pages=done.pages.pages,
        texts=done.pages.texts,
        links=done.pages.links,
        links_found_again=done.links_found_again,
        fetched_again=done.fetched_again,
        lost_texts=done.pages.lost_texts,
        lost_pages=done.pages.lost_pages,
        finished_earlier=done.finished_earlier,
    )


def remove_derived(folder: Path) -> None:
    """The indexes that are made anew when somebody asks."""
    from scenthound.library.sqlite.index_check import remove_indexes

    remove_indexes(folder)


def take_first_judgements(folder: Path) -> None:
    """Pages that were rebuilt have no first judgement: the present one stands for it."""
    from scenthound.library.sqlite.repair import take_first_judgements as take

    lock = FolderLock(folder)
    try:
        take(folder)
    finally:
        lock.release()

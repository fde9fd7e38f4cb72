"""A library's folder, looked through: is every part there, whole, and in agreement with the others?

    library.db      see `sqlite.database_check`
    warc/           see `sqlite.archive_check`
    search.db, index.db   see `sqlite.index_check`
    labels.jsonl    every line can be read

Nothing is changed, and a crawl may go on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from scenthound.errors import LibraryBusy, LibraryError, UsageError
from scenthound.library.archive.warc_files import files_in
from scenthound.library.damage import Damage
from scenthound.library.folder import ARCHIVE, address_in, is_library
from scenthound.library.folder_lock import FolderLock
from scenthound.library.label_file import NAME as LABELS
from scenthound.library.label_file import LabelFile

Told = Callable[[str, int, int], None]
"""What is being done, how many of how many."""


class FolderFindings(Struct, frozen=True):
    """What was found."""

    damages: list[Damage]
    answers: int = 0  # that are in the archive as they should be
    being_written: bool = False


def holds_library(folder: Path) -> bool:
    """Is there a library, or what is left of one?"""
    return is_library(folder) or bool(files_in(folder / ARCHIVE))


def refuse_elsewhere(folder: Path) -> None:
    """Of a library in PostgreSQL only the server can say whether it is whole, and mend it."""
    if address := address_in(folder):
        raise LibraryError(
            f"The library of {folder} is at {address}, and that server looks after it: pg_amcheck checks it, and a "
            f"backup of the server brings it back. To have a folder that can be checked as files: "
            f"scenthound library copy {folder} ANOTHER-FOLDER"
        )


def check_folder(folder: Path, told: Told = lambda what, done, whole: None) -> FolderFindings:
    refuse_elsewhere(folder)
    # Imported here as `library` does: nobody else of this package knows its backends.
    from scenthound.library.sqlite.archive_check import ArchiveCheck
    from scenthound.library.sqlite.database_check import DatabaseCheck
    from scenthound.library.sqlite.index_check import check_indexes

    writing = _is_written(folder)
    damages = DatabaseCheck(folder, told).run()
    archive = ArchiveCheck(folder, told, writing=writing)
    archived = archive.run()
    derived = check_indexes(folder) if not damages else []
    return FolderFindings([*damages, *archived, *derived, *_label_damage(folder)], archive.answers, writing)


def _is_written(folder: Path) -> bool:
    try:
        FolderLock(folder).release()
    except LibraryBusy:
        return True
    except LibraryError:
        pass  # not ours to write: nor does anybody else
    return False


def _label_damage(folder: Path) -> list[Damage]:
    try:
        LabelFile(folder).labels()
    except (UsageError, LibraryError) as error:
        return [Damage(LABELS, f"cannot be read ({error})", remedy="Mend that line with an editor, or delete it.")]
    return []

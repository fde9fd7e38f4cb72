"""A library's folder copied while somebody writes to it: as it was at one moment, to be opened elsewhere.

The database comes first, by SQLite's own backup, so that it is whole; then the WARC files, which only ever grow and so
hold at least what it points to. Search index and other derived files are left out: they are made anew when asked for.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from scenthound.errors import LibraryFull, UsageError
from scenthound.library.folder import DATABASE
from scenthound.library.sqlite.database_check import SQLITE_ERRORS
from scenthound.library.sqlite.explain_error import explain

PAGES_AT_ONCE = 2_000  # of the database, between which a writer gets its turn
LEFT_OUT = (".db", ".db-wal", ".db-shm", ".db-journal", ".lock", ".part", ".tmp")

Told = Callable[[str, int, int], None]


def copy_folder(folder: Path, target: Path, told: Told = lambda what, done, whole: None) -> int:
    """Copies the library of a folder into a new one; how many bytes."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is there already. Name a folder that is new, or empty.")
    if target.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{target} lies in the library that is to be copied. Name another place.")
    try:
        target.mkdir(parents=True, exist_ok=True)
        _copy_database(folder, target, told)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(LEFT_OUT)]
        for number, path in enumerate(files, 1):
            place = target / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)
            told("Copying file", number, len(files))
    except OSError as error:
        raise LibraryFull(
            f"{target} could not be written ({error.strerror or error}). The library itself is as it was; make room, "
            f"delete {target}, and copy again."
        ) from error
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def _copy_database(folder: Path, target: Path, told: Told) -> None:
    def progress(status: int, left: int, whole: int) -> None:
        told("Copying the database, page", whole - left, whole)

    try:
        with (
            closing(sqlite3.connect(f"{(folder / DATABASE).resolve().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target / DATABASE)) as copy,
        ):
            source.backup(copy, pages=PAGES_AT_ONCE, progress=progress)
    except SQLITE_ERRORS as error:
        raise explain(error, folder) from error

"""A library copied to another place, exactly: from a folder into PostgreSQL, back, or from one server to another.

    copy_library(Path("crawls/ferns"), Path("crawls/shared-ferns"), "postgresql://localhost/crawls#ferns")

1. Both are opened; the new one must be new, and the old one is read as it is at this moment, whoever writes to it.
2. The folder's files are copied: WARC files as far as the database knows them, topic.toml, models, training.
3. Every row of every table goes over in one transaction. Killed at any moment, the copy is whole or holds no row, and
   the same command begins again.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from scenthound.config import LibrarySection
from scenthound.errors import LibraryError, UsageError
from scenthound.library import is_library, open_library
from scenthound.library.archive.object_store import store_of
from scenthound.library.folder import ADDRESS, ARCHIVE, DATABASE, SERVER, address_in
from scenthound.library.folder_lock import NAME as LOCK
from scenthound.library.label_file import NAME as LABELS
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.tables import OWN_NOTES, TABLES
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library

DERIVED = ("index.db", "search.db", "main-text.db")
CHUNK = 1 << 20


class CopyOutcome(Struct, frozen=True):
    """What was copied."""

    folder: str  # of the copy
    address: str  # of its database; empty: in the folder
    pages: int
    urls: int
    rows: int
    files: int


def copy_library(source: Path, target: Path, address: str = "", progress: Progress | None = None) -> CopyOutcome:
    """Copies the library in the folder `source` to the folder `target`; its database goes to the address, if any."""
    _refuse_place(source, target)
    settings = LibrarySection(address=address, warc=False)  # WARC files are copied as they are, none is begun
    with open_library(source, write=False) as old, open_library(target, create=True, settings=settings) as new:
        _refuse_unless_new(new, target)
        with closing(_whole(old).held_still()) as reading:
            files = _copy_files(source, target, dict(reading.execute("SELECT name, bytes FROM warcs").fetchall()))
            rows = _copy_rows(reading, new, progress)
        new.add_labels(_whole(old).label_words())
        counts = new.counts()
        return CopyOutcome(str(target), address_in(target), counts.fetched, _urls(new), rows, files)


def _refuse_place(source: Path, target: Path) -> None:
    if target.resolve() == source.resolve():
        raise UsageError(f"{source} cannot be copied onto itself. Name another folder.")
    if target.resolve().is_relative_to(source.resolve()):
        raise UsageError(f"{target} lies in the library that is to be copied. Name another place.")
    if target.exists() and not is_library(target) and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is there already. Name a folder that is new, or empty.")


def _refuse_unless_new(library: Library, folder: Path) -> None:
    if library.counts().fetched or library.runs() or library.next_order():
        raise UsageError(f"{address_in(folder) or folder} holds a library already. Copy to a new place.")


def _whole(library: Library) -> WholeLibrary:
    if not isinstance(library, WholeLibrary):
        raise LibraryError("Only libraries on a disk or in PostgreSQL can be copied.")
    return library


def _copy_rows(reading: Connection, library: Library, progress: Progress | None) -> int:
    new, copied = _whole(library), [0]
    whole = sum(reading.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0] for table in TABLES)

    def copy(writing: Connection) -> None:
        for table in TABLES:
            insert, keep = table.insert(), table.name != "notes"
            if table.name == "counters":
                writing.execute("DELETE FROM counters")
            for rows in table.rows(reading):
                insert(writing, rows if keep else [row for row in rows if row[0] not in OWN_NOTES])
                copied[0] += len(rows)
                if progress is not None:
                    progress(copied[0], whole)
            if table.counts:
                new.count_on(writing, table.name, table.columns[0])

    new.change(copy)
    return copied[0]


def _copy_files(source: Path, target: Path, warcs: dict[str, int]) -> int:
    """Everything beside the database that is not derived; a WARC file as far as the rows know it."""
    files = 0
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        name = path.relative_to(source)
        if _stays(name) or (target.resolve() in path.resolve().parents):
            continue
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if name.parts[0] == ARCHIVE:
            if (size := warcs.get(name.relative_to(ARCHIVE).as_posix())) is None:
                continue
            _copy_start(path, copy, size)
        else:
            shutil.copy2(path, copy)
        files += 1
    return files + _fetch_files(source / ARCHIVE, target / ARCHIVE, warcs)


def _fetch_files(source: Path, target: Path, warcs: dict[str, int]) -> int:
    """WARC files that are kept in an object store: a copy has its own."""
    if (store := store_of(source)) is None:
        return 0
    missing = {name: size for name, size in warcs.items() if not (source / name).is_file()}
    for name, size in missing.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        store.fetch(name, target / name, size)
    return len(missing)


def _stays(name: Path) -> bool:
    first = name.parts[0]
    if first == SERVER:
        return True
    return len(name.parts) == 1 and (first.startswith((DATABASE, *DERIVED)) or first in (ADDRESS, LOCK, LABELS))


def _copy_start(path: Path, copy: Path, size: int) -> None:
    with open(path, "rb") as source, open(copy, "wb") as target:
        while size > 0 and (part := source.read(min(CHUNK, size))):
            target.write(part)
            size -= len(part)


def _urls(library: Library) -> int:
    counts = library.counts()
    return counts.fetched + counts.waiting + counts.moved + sum(counts.failed.values()) + sum(counts.refused.values())

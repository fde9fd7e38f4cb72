"""A damaged `library.db` made anew: what can be read of it, and what the archive has.

    1. `library.db.repairing` is begun. Killed here, it is thrown away by the next repair.
    2. `salvage`, `rebuild_answers`, `rebuild_pages`, `rebuild_frontier` fill it; SQLite checks it.
    3. On the disk, it becomes `library.db.repaired`. From now on nobody opens the library until the next step is done.
    4. `put_in_place`: the damaged file gets a second name, which stays; then the new one takes the first, in one go.

So at any moment there is a file with all that there was, and a repair that was killed is done again, or finished.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound.errors import LibraryError, LibraryFull
from scenthound.library.folder import DATABASE, REPAIRED
from scenthound.library.sqlite.database_check import Told, integrity
from scenthound.library.sqlite.explain_error import explain
from scenthound.library.sqlite.index_check import remove_indexes
from scenthound.library.sqlite.lost_answers import fetch_again
from scenthound.library.sqlite.rebuild_answers import RebuiltAnswers, rebuild_answers
from scenthound.library.sqlite.rebuild_frontier import ChooseLinks, count_again, find_links_again
from scenthound.library.sqlite.rebuild_pages import REBUILT, PageRebuilding, RebuiltPages
from scenthound.library.sqlite.salvage import SalvagedTable, salvage

REPAIRING = "library.db.repairing"
LEARNED = ("snapshots", "snapshot_pieces", "misses", "finds")


class RepairedDatabase(Struct):
    """What came back and what did not."""

    tables: list[SalvagedTable] = []
    answers: RebuiltAnswers = msgspec.field(default_factory=RebuiltAnswers)
    pages: RebuiltPages = msgspec.field(default_factory=RebuiltPages)
    links_found_again: int = 0
    fetched_again: int = 0  # pages that wait because their answers are lost
    finished_earlier: bool = False  # an earlier repair had been killed at its last step


def repair_database(folder: Path, language: str, choose: ChooseLinks, told: Told) -> tuple[RepairedDatabase, str]:
    """Repairs, and says under which name the damaged file is kept; nothing where there was none."""
    result = RepairedDatabase(finished_earlier=True)
    try:
        if not (folder / REPAIRED).exists():
            result = _build(folder, language, choose, told)
            os.replace(folder / REPAIRING, folder / REPAIRED)
            _sync(folder)
        return result, put_in_place(folder)
    except (sqlite3.Error, OSError) as error:
        raise _explain_failure(error, folder) from error


def _explain_failure(error: sqlite3.Error | OSError, folder: Path) -> LibraryError:
    told = explain(error, folder)
    if isinstance(told, LibraryFull):
        return told
    return LibraryError(f"{folder} could not be repaired ({error}). The damaged library is as it was.")


def _build(folder: Path, language: str, choose: ChooseLinks, told: Told) -> RepairedDatabase:
    path = folder / REPAIRING
    path.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as new:
            # Until it is whole nobody needs it: what is written half is thrown away.
            new.execute("PRAGMA journal_mode = OFF")
            new.execute("PRAGMA synchronous = OFF")
            new.execute("PRAGMA cache_size = -65536")
            new.execute("BEGIN")
            result = _fill(folder, new, language, choose, told)
            new.execute("COMMIT")
            if faults := integrity(new, "integrity_check(5)"):
                raise LibraryError(f"{folder} could not be repaired ({faults[0]}). The damaged library is as it was.")
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink()  # a full disk needs the room
        raise
    return result


def _fill(folder: Path, new: sqlite3.Connection, language: str, choose: ChooseLinks, told: Told) -> RepairedDatabase:
    salvaged = salvage(folder, new, told)
    answers, lost = rebuild_answers(folder, new, told)
    pages = PageRebuilding(folder, new, language, told).run(links_lost=not salvaged["links"].whole)
    again = fetch_again(new, lost)
    for table in LEARNED:
        new.execute(f"DELETE FROM {table}")  # by pages that may have other numbers now; the next crawl learns it again
    links = find_links_again(new, choose, told) if not salvaged["urls"].whole else 0
    count_again(new)
    return RepairedDatabase(list(salvaged.values()), answers, pages, links, again)


def put_in_place(folder: Path) -> str:
    """The last step, which can be taken again at any moment until it is done."""
    kept = _keep_damaged(folder)
    remove_indexes(folder)  # they number answers as the damaged one did
    os.replace(folder / REPAIRED, folder / DATABASE)
    _sync(folder)
    remove_indexes(folder)
    return kept


def _keep_damaged(folder: Path) -> str:
    """A second name for the damaged file and its log. The log has to go: SQLite would apply it to the new file."""
    path, log = folder / DATABASE, folder / f"{DATABASE}-wal"
    kept = ""
    if path.exists():
        kept = _name_for(folder, path)
        _link(path, folder / kept)
        if log.exists():
            _link(log, folder / f"{kept}-wal")
    elif log.exists() and log.stat().st_size:  # somebody deleted the database alone: what came last is in its log
        kept = f"{_name_for(folder, path)}-wal"
        _link(log, folder / kept)
    _sync(folder)
    for name in (log, folder / f"{DATABASE}-shm"):
        name.unlink(missing_ok=True)
    return kept


def _name_for(folder: Path, path: Path) -> str:
    for known in folder.glob(f"{DATABASE}.damaged-*"):
        if path.exists() and known.samefile(path):
            return known.name  # an earlier try came as far as this
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime())
    names = (f"{DATABASE}.damaged-{stamp}{more}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not (folder / name).exists())


def _link(path: Path, name: Path) -> None:
    if name.exists():
        return
    try:
        os.link(path, name)
    except OSError:  # a file system without such names
        part = name.with_name(f"{name.name}.part")
        shutil.copy2(path, part)
        os.replace(part, name)


def _sync(folder: Path) -> None:
    """Names onto the disk, where the system can do that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def take_first_judgements(folder: Path) -> None:
    """Of pages that were made anew, and have been judged since."""
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        row = connection.execute("SELECT value FROM notes WHERE name = ?", (REBUILT,)).fetchone()
        for number in msgspec.json.decode(row[0], type=list[int]) if row else ():
            connection.execute(
                "UPDATE pages SET first_relevance = relevance, first_relevant = relevant WHERE seq = ?", (number,)
            )
        connection.execute("DELETE FROM notes WHERE name = ?", (REBUILT,))
        connection.execute("COMMIT")

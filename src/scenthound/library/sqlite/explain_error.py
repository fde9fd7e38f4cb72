"""What went wrong with a library's files, in words a person can act on: no room, not ours to write, damaged.

SQLite says "malformed" without saying of what, and a byte that changed within a value makes anything of ours stumble.
So where an error may come from damage the database is looked at, and what is damaged is named.
"""

from __future__ import annotations

import errno
import zlib
from pathlib import Path

from scenthound.errors import LibraryError, LibraryFull, ScenthoundError
from scenthound.library.damage import Damage, damaged_library
from scenthound.library.folder import DATABASE
from scenthound.library.sqlite.database_check import SQLITE_ERRORS, DatabaseCheck

_NO_ROOM = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_CANTOPEN"}
_NO_ROOM_NUMBERS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ENOTDIR,
    errno.EEXIST,
}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS"}
_BY_DAMAGED_VALUES = (zlib.error, ValueError, TypeError, LookupError, ArithmeticError, AttributeError, MemoryError)
"""What code raises that was handed a value nobody stored. Errors in the code itself look the same."""

PATIENCE = 10.0
"""Seconds that somebody whose command has failed waits at most to be told why."""


def explain(error: BaseException, folder: Path) -> LibraryError:
    """An error of SQLite or of the disk."""
    if isinstance(error, LibraryError):
        return error
    name = getattr(error, "sqlite_errorname", "")
    number = error.errno if isinstance(error, OSError) else None
    if name in _NO_ROOM or name.startswith("SQLITE_READONLY") or number in _NO_ROOM_NUMBERS:
        return LibraryFull(
            f"{folder} cannot be written to ({error}). What was stored is intact; "
            "make room or make it writable, then run the same command again."
        )
    damages = DatabaseCheck(folder, patience=PATIENCE).run() if isinstance(error, SQLITE_ERRORS) else []
    if not damages and _says_damaged(name):
        damages = [Damage(DATABASE, f"cannot be read ({error})")]
    if damages:
        return damaged_library(folder, damages)
    return LibraryError(f"{folder} could not be used: {type(error).__name__}: {error}")


def damage_behind(error: BaseException | None, folder: Path) -> LibraryError | None:
    """The damage that made somebody stumble who used a library; None where there is none to be seen."""
    if isinstance(error, SQLITE_ERRORS):
        return explain(error, folder)
    if isinstance(error, ScenthoundError) or not isinstance(error, _BY_DAMAGED_VALUES):
        return None
    damages = DatabaseCheck(folder, patience=PATIENCE).run()
    return damaged_library(folder, damages) if damages else None


def _says_damaged(name: str) -> bool:
    return name in _DAMAGED or name.startswith("SQLITE_CORRUPT")

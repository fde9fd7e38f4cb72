"""A copy of a library as it is now, which opens as the library does: to share, to keep, to read while it grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from scenthound.errors import LibraryMissing
from scenthound.library import is_library


class LibraryCopy(Struct, frozen=True):
    folder: str
    target: str
    bytes: int


def copy_library(
    folder: Path, target: Path, told: Callable[[str, int, int], None] = lambda what, done, whole: None
) -> LibraryCopy:
    """`target` must be new. Every view of the dashboard answers from the copy as from the library at that moment."""
    # Imported here as `library` does: nobody else knows its backends.
    from scenthound.library.folder_copy import copy_folder

    if not is_library(folder):
        raise LibraryMissing(f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}")
    return LibraryCopy(str(folder), str(target), copy_folder(folder, target, told))

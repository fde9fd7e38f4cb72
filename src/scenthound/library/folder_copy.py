"""A library's folder, copied as it is at one moment, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def copy_folder(folder: Path, target: Path, told: Callable[[str, int, int], None]) -> int:
    """How many bytes the copy has. Nothing is changed, and a crawl may go on meanwhile."""
    # Imported here as `library` does: nobody else of this package knows its backends.
    from scenthound.library.sqlite.copy import copy_folder as copy_files

    return copy_files(folder, target, told)

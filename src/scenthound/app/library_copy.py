"""`scenthound library copy`: a library to another place, exactly."""

from __future__ import annotations

from pathlib import Path

from scenthound.app.crawl_plan import CRAWLS
from scenthound.app.library_folder import folder_of
from scenthound.library.library_address import is_address, read_address
from scenthound.library.library_copy import CopyOutcome, copy_library
from scenthound.protocols.crawl import Progress


def copy_to(source: str, target: str, into: Path | None = None, progress: Progress | None = None) -> CopyOutcome:
    """Copies a library, named by its folder or address, to a folder or an address.

    Where the copy is in PostgreSQL its files go to `into`, or to a folder of its name in ./crawls.
    """
    folder = folder_of(source) if is_address(source) else Path(source)
    if not is_address(target):
        return copy_library(folder, Path(target), progress=progress)
    address = read_address(target)
    return copy_library(folder, into or CRAWLS / address.name, str(address), progress)

"""The WARC files of a library in PostgreSQL, moved to an object store: `scenthound library archive`.

A file is sent, read back and compared before it goes from the folder, so at every moment it is in one of the two
places, or in both; killed, the same command goes on. No crawl may write meanwhile: a file that grows is not finished.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from scenthound.config import LibrarySection
from scenthound.errors import LibraryError, UsageError
from scenthound.library import open_library
from scenthound.library.archive.object_store import ObjectStore, note_store, store_of
from scenthound.library.folder import ARCHIVE, address_in
from scenthound.library.shared_folder import cut_tails
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.protocols.crawl import Progress


class MoveOutcome(Struct, frozen=True):
    """What was moved."""

    store: str
    files: int
    bytes: int
    before: int  # files that were there already


def move_archive(folder: Path, address: str, progress: Progress | None = None) -> MoveOutcome:
    """Moves what is in the folder's archive to below the address."""
    if not address_in(folder):
        raise UsageError(
            f"{folder} is a library of files, which `library check` and `repair` read as a whole: its WARC files stay "
            f"with it. Copy it into PostgreSQL first: scenthound library copy {folder} postgresql://..."
        )
    archive, store = folder / ARCHIVE, ObjectStore(address)
    if (known := store_of(archive)) is not None and known.address != store.address:
        raise UsageError(f"WARC files of {folder} are in {known.address} already. Name that place again.")
    with open_library(folder, settings=LibrarySection(warc=False)) as library:
        if not isinstance(library, WholeLibrary):
            raise LibraryError("Only the WARC files of a library in PostgreSQL can be moved.")
        cut_tails(library)
        files = library.archive_files()
        here = {name: size for name, size in files.items() if (archive / name).is_file()}
        archive.mkdir(exist_ok=True)
        note_store(archive, store.address)  # before the first file goes: whoever reads must find it
        for done, (name, size) in enumerate(sorted(here.items())):
            store.put(archive / name, name, size)
            (archive / name).unlink()
            if progress is not None:
                progress(done + 1, len(here))
    return MoveOutcome(store.address, len(here), sum(here.values()), len(files) - len(here))

"""A folder that workers wrote to, after the last of them is gone: its archive, and what is noted of the run."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scenthound.library.folder import ARCHIVE
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.protocols.library import Library


def cut_tails(library: Library) -> int:
    """Cuts off what no row speaks of, as a crawl does with its own files when it goes on; how many files that were."""
    if not isinstance(library, WholeLibrary):
        return 0
    known, mended = library.archive_files(), 0
    for path in sorted((library.folder / ARCHIVE).glob("worker-*/*")):
        size = known.get(path.relative_to(library.folder / ARCHIVE).as_posix())
        if size is None:
            path.unlink()
        elif path.stat().st_size > size:
            os.truncate(path, size)
        else:
            continue
        mended += 1
    return mended


def note_ending(library: Library, reason: str, counters: Mapping[str, float]) -> None:
    """Why the run ended that a driver began and workers made."""
    if isinstance(library, WholeLibrary):
        library.end_last_run(reason, counters)

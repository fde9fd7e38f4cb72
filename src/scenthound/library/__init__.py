"""Where a crawl's harvest is kept: every URL that was found, every page, what it said, and why it is there.

    with open_library(folder, write=False) as library:
        for page in library.pages(relevant=True):
            print(page.url, library.text(page.url))

A library is whatever has the methods of `scenthound.protocols.library.Library`. Nobody outside of this package knows
more than that of it, so that another backend is a folder beside these:

    sqlite/    the usual one: a folder with one SQLite file, and the answers as they came in WARC files
    archive/   those WARC files
    memory/    nothing on a disk: for the lab, for tests, for a crawl of an afternoon

What happens to a step, whatever the backend:

1. The engine records all that one request changed: the lease's end, the answer, the page, the links found.
2. What it does to URLs follows the rules of `scenthound.merge_rules`; what is kept of the answer, and what it counts
   for, those of `step_rules`.
3. Whoever asks sees every step recorded before.

Beside the backends is what all of them share: `derived_answers` (the way to a page, who links to it, what was before),
`label_file`, `label_rules` and `label_figures` (what people said about pages and sites, and what that comes to),
`search_words` and `snippets` (what a search means, and what it shows), `run_settings`, `stored_pages`, the one way
to get a stored page back as the crawl saw it, `folder_check` (is a folder whole?), whose findings are `damage`, and
`folder_repair`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scenthound.library.folder import is_library

if TYPE_CHECKING:
    from scenthound.config import LibrarySection
    from scenthound.protocols.crawl import Clock
    from scenthound.protocols.library import Library

__all__ = ["is_library", "library_at", "memory_library", "open_library"]


def open_library(
    place: Path | str,
    *,
    create: bool = False,
    write: bool = True,
    settings: LibrarySection | None = None,
    info: Mapping[str, str] | None = None,
    clock: Clock = time.time,
) -> Library:
    """The library at a place: a folder, or `memory:` for a new one that is gone when nobody holds it any more.

    `create` makes it where there is none. One at a time may `write` to a library; any number may read. `info` goes
    into the first record of every WARC file: who crawls, and how.
    """
    opens = next((opens for prefix, opens in BACKENDS.items() if str(place).startswith(prefix)), _open_folder)
    return opens(str(place), OpenOptions(create, write, settings, info, clock))


@contextmanager
def library_at(place: Path | Library) -> Iterator[Library]:
    """A library to read from, for those who take both: a folder is opened and closed, an open library stays open."""
    if isinstance(place, Path):
        with open_library(place, write=False) as library:
            yield library
    else:
        yield place


def memory_library(*, texts: bool = True, answers: bool = True, clock: Clock = time.time) -> Library:
    """A new library in memory.

    Without `texts` it keeps of pages their figures alone, for crawls by the thousand that only want to be watched;
    without `answers` it keeps texts and links, but not the bytes that came.
    """
    from scenthound.library.memory.library import MemoryLibrary

    return MemoryLibrary(texts=texts, answers=answers, clock=clock)


class OpenOptions(Struct, frozen=True):
    """How a library is to be opened: see `open_library`."""

    create: bool
    write: bool
    settings: LibrarySection | None
    info: Mapping[str, str] | None
    clock: Clock


def _open_folder(place: str, options: OpenOptions) -> Library:
    from scenthound.library.sqlite.library import SqliteLibrary

    return SqliteLibrary.open(
        Path(place),
        create=options.create,
        write=options.write,
        settings=options.settings,
        info=options.info,
        clock=options.clock,
    )


def _open_memory(place: str, options: OpenOptions) -> Library:
    return memory_library(answers=options.settings is None or options.settings.warc, clock=options.clock)


BACKENDS: dict[str, Callable[[str, OpenOptions], Library]] = {"memory:": _open_memory}
"""How the name of a place begins -> what opens it. Any other place is a folder. Each imports its backend itself."""

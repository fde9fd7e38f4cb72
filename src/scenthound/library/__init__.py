"""Where a crawl's harvest is kept: every URL that was found, every page, what it said, and why it is there.

    with open_library(folder, write=False) as library:
        for page in library.pages(relevant=True):
            print(page.url, library.text(page.url))

A library is whatever has the methods of `scenthound.protocols.library.Library`. Nobody outside of this package knows
more than that of it, so that another backend is a folder beside these:

    sqlite/    the usual one: a folder with one SQLite file, and the answers as they came in WARC files
    archive/   those WARC files
    postgres/  the same tables in PostgreSQL, for a library that outgrows a machine; its folder says where it is
    sql/       what these two share
    memory/    nothing on a disk: for the lab, for tests, for a crawl of an afternoon

What happens to a step, whatever the backend:

1. The engine records all that one request changed: the lease's end, the answer, the page, the links found.
2. What it does to URLs follows the rules of `scenthound.merge_rules`; what is kept of the answer, and what it counts
   for, those of `step_rules`.
3. Whoever asks sees every step recorded before.

Beside the backends is what all of them share: `derived_answers` (the way to a page, who links to it, what was before),
`label_file`, `label_rules` and `label_figures` (what people said about pages and sites, and what that comes to),
`search_words` and `snippets` (what a search means, and what it shows), `run_settings`, `stored_pages`, the one way
to get a stored page back as the crawl saw it, `payload_digest` (the name of an answer's bytes), `folder_check` (is a
folder whole?), whose findings are `damage`, and `folder_repair`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from scenthound.atomic_write import replacing
from scenthound.errors import LibraryError
from scenthound.library.folder import ADDRESS, DATABASE, OWN, address_in, is_library

if TYPE_CHECKING:
    from scenthound.config import LibrarySection
    from scenthound.library.library_address import LibraryAddress
    from scenthound.protocols.crawl import Clock
    from scenthound.protocols.library import Library
    from scenthound.protocols.shards import ShardLeases, SharedLibrary

__all__ = [
    "is_library",
    "keep_address",
    "library_at",
    "memory_library",
    "open_library",
    "open_shards",
    "shard_leases",
]


def open_library(
    place: Path | str,
    *,
    create: bool = False,
    write: bool = True,
    settings: LibrarySection | None = None,
    info: Mapping[str, str] | None = None,
    clock: Clock = time.time,
) -> Library:
    """The library at a place: a folder, `postgresql://...`, or `memory:` for one that is gone with its last holder.

    A folder may say that its library is in PostgreSQL (`library.address`); with `create`, the settings say so.

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
    folder = Path(place)
    wanted = options.settings.address if options.settings is not None and options.create and options.write else ""
    if address := address_in(folder) or wanted:
        return _open_postgres(address, options, folder)
    from scenthound.library.sqlite.library import SqliteLibrary

    return SqliteLibrary.open(
        folder,
        create=options.create,
        write=options.write,
        settings=options.settings,
        info=options.info,
        clock=options.clock,
    )


def _open_postgres(place: str, options: OpenOptions, folder: Path | None = None) -> Library:
    from scenthound.library.library_address import psycopg_module, read_address

    psycopg_module()  # says what to install where it is missing
    from scenthound.library.postgres.library import PostgresLibrary

    to_keep = folder if options.create and options.write else None
    if to_keep is not None:
        _refuse_second(to_keep, place)
    address = read_address(_server_of(folder) if place == OWN and folder is not None else place)
    library = PostgresLibrary.open(
        address,
        folder,
        create=options.create,
        write=options.write,
        settings=options.settings,
        info=options.info,
        clock=options.clock,
    )
    if to_keep is not None:
        keep_address(to_keep, place)  # not before: an address with a slip in it would stay
    return library


def open_shards(folder: Path, shards: Mapping[int, int], settings: LibrarySection) -> SharedLibrary:
    """The library of a folder for the worker that owns these shards, each with its fencing number."""
    from scenthound.library.postgres.shard_library import ShardLibrary

    return ShardLibrary.open_shards(_shared_address(folder), folder, shards, settings)


def shard_leases(folder: Path, worker: str) -> ShardLeases:
    """The leases of a worker on the library of a folder."""
    from scenthound.library.postgres.shard_leases import PostgresLeases

    return PostgresLeases(_shared_address(folder), worker)


def _shared_address(folder: Path) -> LibraryAddress:
    from scenthound.library.library_address import psycopg_module, read_address

    if not (text := address_in(folder)):
        raise LibraryError(
            f"The library of {folder} is one file, to which one process writes. Workers share one in PostgreSQL: "
            f"scenthound library copy {folder} postgresql://localhost/crawls"
        )
    psycopg_module()
    return read_address(_server_of(folder) if text == OWN else text)


def _server_of(folder: Path) -> str:
    from scenthound.library.postgres.own_server import start_server

    return start_server(folder)


def keep_address(folder: Path, address: str) -> None:
    """Notes in a folder where its library is, so that the folder's name is all that anybody has to know."""
    _refuse_second(folder, address)
    if not (folder / ADDRESS).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / ADDRESS) as stream:
            stream.write(f"{address}\n")


def _refuse_second(folder: Path, address: str) -> None:
    if (folder / DATABASE).exists():
        raise LibraryError(
            f"{folder} has a library of its own. Copy it first: scenthound library copy {folder} {address}"
        )


def _open_memory(place: str, options: OpenOptions) -> Library:
    return memory_library(answers=options.settings is None or options.settings.warc, clock=options.clock)


BACKENDS: dict[str, Callable[[str, OpenOptions], Library]] = {
    "memory:": _open_memory,
    "postgresql:": _open_postgres,
    "postgres:": _open_postgres,
}
"""How the name of a place begins -> what opens it. Any other place is a folder. Each imports its backend itself."""

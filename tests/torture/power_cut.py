"""A power cut: what the disk had been made to take is there, and of the rest nobody knows which part.

A crawl is killed, and then its files are damaged as a power cut may leave them:

- the write-ahead log of SQLite loses its end from any byte on, but nothing that was moved into the database (SQLite
  syncs those pages of the log first; the log's index says how far it came);
- a WARC file loses its end from any byte on, or zeros are there, but nothing before the last `fsync`.

Afterwards the library opens, its pages are the first pages of the crawl, at least those that were on the disk; bodies
before the last `fsync` are there; and the crawl goes on to the same pages, none of them twice.

With `best-first` that holds whatever is lost. A strategy that learns has nothing to relive a page by whose bytes are
gone, so it may go on in another order then; where none is gone, it must not.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from random import Random

from scenthound.errors import LibraryError
from scenthound.library import open_library
from scenthound.library.sqlite import checkpoints
from scenthound.protocols.library import Library
from tests.torture.scenes import PAGES, crawl_with_checkpoints
from tests.torture.victims import Death, run

SYNCED = "synced.txt"
WAL_HEADER, FRAME_HEADER = 32, 24
BACKFILLED, ATTEMPTED = 96, 128  # places in the log's index of how many frames were moved, or begun to be


def watched_crawl(folder: Path, strategy: str) -> None:
    """A crawl that notes outside its folder what the disk was made to take, and how many pages that were."""
    notes = (folder.parent / f"{folder.name}-{SYNCED}").open("a", buffering=1)
    rounds = checkpoints.Checkpoints
    sync, begin, run_round, whole = os.fsync, rounds.begin, rounds._run, rounds.whole

    def noted_sync(file: int) -> None:
        size = os.fstat(file).st_size
        name = Path(os.readlink(f"/proc/self/fd/{file}")).name
        sync(file)
        notes.write(f"{name} {size}\n")

    def stored() -> int:
        with closing(sqlite3.connect(f"file:{folder}/library.db?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM pages").fetchone()[0])

    begun = [0]

    def noted_begin(self: checkpoints.Checkpoints) -> bool:
        pages = stored()
        if started := begin(self):
            begun[0] = pages
        return started

    def noted_round(self: checkpoints.Checkpoints, archive: int) -> None:
        run_round(self, archive)
        notes.write(f"pages {begun[0]}\n")

    def noted_whole(self: checkpoints.Checkpoints) -> None:
        pages = stored()
        whole(self)
        notes.write(f"pages {pages}\n")

    os.fsync = noted_sync
    rounds.begin, rounds._run, rounds.whole = noted_begin, noted_round, noted_whole  # type: ignore[method-assign]
    crawl_with_checkpoints(folder, strategy=strategy)


def pages_in_peace(folder: Path, strategy: str) -> list[str]:
    """The pages of a crawl that nothing happens to, in their order."""
    assert not run(lambda: crawl_with_checkpoints(folder, strategy=strategy)).error
    with open_library(folder, write=False) as library:
        return [page.url for page in library.pages()]


def cut(folder: Path, dice: Random) -> dict[str, int]:
    """Damages the files of a killed crawl; returns what the disk had for certain, by file, and `pages`."""
    certain: dict[str, int] = {}
    notes = folder.parent / f"{folder.name}-{SYNCED}"
    for line in notes.read_text().splitlines() if notes.exists() else ():
        name, _, size = line.partition(" ")
        if size.isdigit():
            certain[name] = max(int(size), certain.get(name, 0))
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        _lose_end(path, certain.get(path.name, 0), dice)
    log = folder / "library.db-wal"
    if log.exists() and log.stat().st_size > WAL_HEADER:
        _lose_end(log, _frames_moved(folder, log), dice)
    (folder / "library.db-shm").unlink(missing_ok=True)
    return certain


def _lose_end(path: Path, certain: int, dice: Random) -> None:
    size = path.stat().st_size
    place = dice.randint(min(certain, size), size)
    if dice.random() < 0.5:
        os.truncate(path, place)
    else:
        with path.open("r+b") as file:
            file.seek(place)
            file.write(bytes(size - place))


def _frames_moved(folder: Path, log: Path) -> int:
    """The bytes of the log that are on the disk, because they went into the database."""
    index = (folder / "library.db-shm").read_bytes()
    moved = max(struct.unpack_from("=I", index, place)[0] for place in (BACKFILLED, ATTEMPTED))
    (page_size,) = struct.unpack(">I", log.read_bytes()[8:12])
    return WAL_HEADER + moved * (FRAME_HEADER + page_size)


def check_after(folder: Path, wanted: list[str], certain: dict[str, int], lost: set[str], strategy: str) -> None:
    """`lost`: pages that an earlier power cut left without body: the disk had their rows, and not their bytes."""
    with closing(sqlite3.connect(folder / "library.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not database.execute("PRAGMA user_version").fetchone()[0]:
            assert not certain.get("pages"), "all is gone"
            return
    open_library(folder).close()
    with open_library(folder, write=False) as library:
        urls = [page.url for page in library.pages()]
        assert urls == wanted[: len(urls)] or forgets(strategy, lost), "other pages than were fetched"
        assert len(urls) >= certain.get("pages", 0), "pages that were on the disk are gone"
        for number, page in enumerate(library.pages()):
            if not page.noindex and page.url not in lost and not _has_body(library, page.url):
                assert number >= certain.get("pages", 0), f"the body of {page.url} was on the disk"
                lost.add(page.url)


def _has_body(library: Library, url: str) -> bool:
    try:
        return library.body(url) is not None
    except LibraryError:  # which says so
        return False


def forgets(strategy: str, lost: set[str]) -> bool:
    """Whether it cannot know any more what it knew."""
    return strategy != "best-first" and bool(lost)


def power_cut(folder: Path, wanted: list[str], calls: int, dice: Random, strategy: str) -> str:
    """One crawl that loses its power twice and goes on; what went wrong, or nothing."""
    lost: set[str] = set()
    try:
        for _ in range(2):
            fate = run(lambda: watched_crawl(folder, strategy), Death(1 + dice.randrange(calls), "watched", True))
            assert not fate.error, fate.error
            if not (folder / "library.db").exists():
                continue
            check_after(folder, wanted, cut(folder, dice), lost, strategy)
        fate = run(lambda: crawl_with_checkpoints(folder, strategy=strategy))
        assert not fate.error, f"it does not go on: {fate.error}"
        with open_library(folder, write=False) as library:
            urls = [page.url for page in library.pages()]
        assert len(urls) == len(set(urls)) >= PAGES, "pages are missing, or there twice"
        assert urls == wanted or forgets(strategy, lost), "it comes to other pages than in peace"
    except AssertionError as problem:
        return str(problem)
    return ""

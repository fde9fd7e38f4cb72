"""Who links to a page: worked out from the stored links when somebody asks, and kept in `index.db` for the next time.

A crawl never writes here. The file remembers the last version it has seen, and `catch_up` reads on from there, in
sorted batches, which is many times faster than a row at a time in the order of the crawl. It may be deleted at any
time; where it cannot be written, the index is made in memory.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from scenthound import urls
from scenthound.library.sql.row_batch import unpack_links

NAME = "index.db"
SLICE = 1000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS backlinks (target INTEGER, source INTEGER, PRIMARY KEY (target, source)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seen (version INTEGER)
"""


def remove(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            (folder / f"{NAME}{suffix}").unlink()


class BacklinkIndex:
    def __init__(self, folder: Path) -> None:
        try:
            self._connection = self._open(str(folder / NAME))
        except sqlite3.Error:
            self._connection = self._open(":memory:")

    def _open(self, path: str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, timeout=60, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute("COMMIT")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def catch_up(self, library: sqlite3.Connection) -> None:
        """Takes in the versions stored since the last time."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            seen = self._seen(library)
            while rows := self._unseen(library, seen):
                pairs = {
                    (urls.fingerprint(link.url), source)
                    for _, source, packed in rows
                    if packed is not None
                    for link in unpack_links(packed, "")
                }
                self._connection.executemany("INSERT OR IGNORE INTO backlinks VALUES (?, ?)", sorted(pairs))
                seen = rows[-1][0]
            self._connection.execute("DELETE FROM seen")
            self._connection.execute("INSERT INTO seen VALUES (?)", (seen,))
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def _seen(self, library: sqlite3.Connection) -> int:
        seen: int = self._connection.execute("SELECT coalesce(max(version), 0) FROM seen").fetchone()[0]
        last: int = library.execute("SELECT coalesce(max(seq), 0) FROM versions").fetchone()[0]
        if seen > last:  # another library stood here once
            self._connection.execute("DELETE FROM backlinks")
            return 0
        return seen

    def _unseen(self, library: sqlite3.Connection, seen: int) -> list[tuple[int, int, bytes | None]]:
        query = (
            "SELECT v.seq, v.url, l.packed FROM versions v LEFT JOIN links l ON l.version = v.seq "
            f"WHERE v.seq > ? ORDER BY v.seq LIMIT {SLICE}"
        )
        return library.execute(query, (seen,)).fetchall()

    def sources(self, target: int) -> Iterator[int]:
        """URLs that link to the target, or did in an earlier version."""
        for (source,) in self._connection.execute(
            "SELECT source FROM backlinks WHERE target = ?", (target,)
        ).fetchall():
            yield source

    def close(self) -> None:
        self._connection.close()

"""Brings what was stored onto the disk, in a thread of its own: a slow disk must not hold up the crawl.

A round first makes the disk take the archive, then moves the write-ahead log into the database, which makes the disk
take both: rows must not be there without the bytes they point to. Meanwhile the writer goes on; its new rows stay in
the log, because a reader of the state at the beginning of the round is there until its end, and SQLite moves nothing
that came after such a one.

As the writer does not pause, the log may never be moved as a whole, which is when SQLite would begin it anew. When it
has grown too long the writer waits for a round.
"""

from __future__ import annotations

import os
import sqlite3
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from scenthound.library.archive.warc_files import WarcArchive

MOST_LOG = 24_000
"""Pages of the write-ahead log that make the writer wait: about 100 MB."""


class Checkpoints:
    """Rounds, one at a time. To be used by the thread that writes."""

    def __init__(self, database: Path, archive: WarcArchive | None) -> None:
        self._archive = archive
        self._connection = sqlite3.connect(database, isolation_level=None, timeout=60, check_same_thread=False)
        self._beginning = sqlite3.connect(database, isolation_level=None, timeout=60, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA journal_size_limit = 67108864")
        self._thread = ThreadPoolExecutor(1, "library checkpoint")
        self._round: Future[None] | None = None
        self._log = 0  # pages, as of the last round

    def begin(self) -> bool:
        """Starts a round; False while the last one is under way. Raises what went wrong in that."""
        if self._round is not None and not self._round.done():
            return False
        self._finish()
        if self._log > MOST_LOG:
            self.whole()
        else:
            self._beginning.execute("BEGIN")
            self._beginning.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # only now the state is held
            self._round = self._thread.submit(self._run, self._archive.duplicate() if self._archive else -1)
        return True

    def whole(self) -> None:
        """All that is stored is on the disk after this."""
        self._finish()
        if self._archive is not None:
            self._archive.sync()
        self._move()

    def close(self) -> None:
        self._thread.shutdown()
        self._beginning.close()
        self._connection.close()

    def _finish(self) -> None:
        if self._round is not None:
            last, self._round = self._round, None
            last.result()

    def _run(self, archive: int) -> None:
        try:
            if archive >= 0:
                try:
                    os.fsync(archive)
                finally:
                    os.close(archive)
            self._move()
        finally:
            self._beginning.execute("ROLLBACK")

    def _move(self) -> None:
        _, self._log, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

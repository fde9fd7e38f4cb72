"""The main texts of pages, in `main-text.db`: made when they are first asked for, and kept.

Making one takes some 5 ms, reading it back a hundredth of that; it takes up half of what the answer does
(`benchmarks/main_text.py`). So a crawl never makes any, and the second export is quick. A text is known by the
answer it was made from. The file may be deleted at any time; where it cannot be written, texts are made each time.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

from scenthound.library.archive.compression import pack, unpack
from scenthound.model import MainText
from scenthound.protocols.records import StoredPage

NAME = "main-text.db"
FORMAT = 2
"""To be raised when main texts are made in another way: those that are kept are made anew then."""

_SCHEMA = """CREATE TABLE IF NOT EXISTS texts (
    version INTEGER PRIMARY KEY,  -- the answer
    digest TEXT NOT NULL,         -- of its body: another library may have stood here
    words INTEGER NOT NULL,
    all_words INTEGER NOT NULL,
    packed BLOB NOT NULL
)"""


class MainTexts:
    def __init__(self, folder: Path) -> None:
        self._connection: sqlite3.Connection | None = None
        for _ in range(2):
            try:
                self._connection = _opened(folder / NAME)
                return
            except sqlite3.OperationalError:
                return  # no room, or not ours to write
            except sqlite3.DatabaseError:
                remove(folder)

    def get(self, page: StoredPage, make: Callable[[], MainText | None]) -> MainText | None:
        """The text of a page as it is stored now. None is what pages have that ask not to be kept: made each time."""
        kept = self._kept(page)
        if kept is not None:
            return kept
        made = make()
        if made is not None:
            self._keep(page, made)
        return made

    def _kept(self, page: StoredPage) -> MainText | None:
        if self._connection is None or page.noindex:
            return None
        query = "SELECT packed, words, all_words FROM texts WHERE version = ? AND digest = ?"
        try:
            row = self._connection.execute(query, (page.version, page.digest)).fetchone()
            return MainText(unpack(row[0]).decode(), row[1], row[2]) if row else None
        except (sqlite3.DatabaseError, zlib.error, ValueError):
            self._give_up()
            return None

    def _keep(self, page: StoredPage, text: MainText) -> None:
        if self._connection is None:
            return
        packed = pack(text.markdown.encode("utf-8", "replace"))
        row = (page.version, page.digest, text.words, text.all_words, packed)
        try:
            self._connection.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.DatabaseError:  # no room left, or damaged: nothing that an export should fail for
            self._give_up()

    def _give_up(self) -> None:
        self.close()
        self._connection = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=60, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")  # a power cut costs what can be made anew
        if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
            connection.execute("DROP TABLE IF EXISTS texts")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute(_SCHEMA)
        return connection
    except BaseException:
        connection.close()
        raise


def remove(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            (folder / f"{NAME}{suffix}").unlink()

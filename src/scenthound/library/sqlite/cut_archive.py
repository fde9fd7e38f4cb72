"""WARC files that are shorter than they were: a power cut, a full disk, or somebody's hand has cut off their end.

A record that was cut in the middle is of no use, and would make other programs stumble: the file is cut back to its
last whole one. New records go to a new file. Pages whose answers are gone wait to be fetched again.
"""

from __future__ import annotations

import os
import sqlite3
from functools import partial

from scenthound.library.archive.warc_scan import WarcGap, scan
from scenthound.library.folder import ARCHIVE
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sqlite.lost_answers import fetch_again
from scenthound.protocols.records import CutFile


class SqliteArchive(SqlQueries):
    """`protocols.AnswerArchive`."""

    def mend_archive(self) -> list[CutFile]:
        found = []
        for number, name, size in self._ask("SELECT id, name, bytes FROM warcs ORDER BY id").fetchall():
            path = self.folder / ARCHIVE / name
            if path.is_file() and path.stat().st_size < size:
                whole = self._whole_length(number, name)
                lost: list[CutFile] = []
                self._writing().record(partial(_note, number, name, size, whole, lost))
                self.flush()
                os.truncate(path, whole)
                found += lost
        return found

    def _whole_length(self, number: int, name: str) -> int:
        """Up to the end of its last whole record."""
        path = self.folder / ARCHIVE / name
        query = "SELECT coalesce(max(offset), 0) FROM versions WHERE warc = ? AND offset + length <= ?"
        (last,) = self._ask(query, (number, path.stat().st_size)).fetchone()
        whole: int = last
        for part in scan(path, start=last):
            if isinstance(part, WarcGap):
                break
            whole = part.offset + part.length
        return whole


def _note(number: int, name: str, size: int, whole: int, lost: list[CutFile], connection: sqlite3.Connection) -> None:
    query = "SELECT seq FROM versions WHERE warc = ? AND offset + length > ?"
    versions = [seq for (seq,) in connection.execute(query, (number, whole))]
    pages = fetch_again(connection, versions)
    connection.execute("UPDATE warcs SET bytes = ? WHERE id = ?", (whole, number))
    lost.append(CutFile(f"{ARCHIVE}/{name}", size - whole, len(versions), pages))

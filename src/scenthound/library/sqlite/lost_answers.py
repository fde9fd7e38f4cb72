"""Answers whose bytes are gone from the archive: their pages keep text and links, and wait to be fetched again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from scenthound.library.sql.url_table import FETCHED, WAITING


def fetch_again(connection: sqlite3.Connection, versions: Iterable[int]) -> int:
    """Notes that these answers are lost; how many pages wait again: those that show one of them, or a copy of one."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS lost (seq INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM temp.lost")
    connection.executemany("INSERT OR IGNORE INTO temp.lost VALUES (?)", ((seq,) for seq in versions))
    # An answer that repeats a lost one has a record, and no body either.
    connection.execute(
        "INSERT OR IGNORE INTO temp.lost SELECT v.seq FROM contents c JOIN temp.lost o ON o.seq = c.version "
        "JOIN versions v ON v.content = c.id"
    )
    connection.execute(
        "UPDATE versions SET warc = NULL, offset = NULL, length = NULL WHERE seq IN (SELECT seq FROM temp.lost)"
    )
    return connection.execute(
        f"UPDATE urls SET state = {WAITING}, reason = '', tries = 0, not_before = 0 WHERE state = {FETCHED} "
        "AND id IN (SELECT id FROM pages WHERE version IN (SELECT seq FROM temp.lost))"
    ).rowcount

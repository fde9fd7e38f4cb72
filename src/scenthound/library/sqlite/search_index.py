"""The index behind `search`: the stems of every stored text, in `search.db`.

A crawl never writes here. The file remembers the last version it has seen and `catch_up` reads on from there, a slice
a transaction, so that it may be killed at any moment and goes on from the last slice. It may be deleted at any time;
where it cannot be written, the index is made in memory.

A text is indexed once, however many pages have it: the full-text row is numbered as the library numbers the content,
and `pages` says which URLs show it now. So a page stored anew moves to its new text by one update; a text that no page
shows any more is `left`, and not found. Pages that were judged again have no new version: the library notes that some
were (`judgements.CHANGED`), and the judgements of all are taken over.

FTS5 keeps no copy of the texts: the library has them.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from scenthound import urls
from scenthound.library.archive.compression import unpack
from scenthound.library.sql.judgements import CHANGED
from scenthound.protocols.crawl import Progress
from scenthound.text.analysis import analyzer
from scenthound.text.languages import code

NAME = "search.db"
FORMAT = 1
SLICE = 500
TITLE_WEIGHT, BODY_WEIGHT = 5.0, 1.0

# The tokenizer `ascii` takes every other character for part of a word: terms come out as they went in.
_SCHEMA = """
CREATE VIRTUAL TABLE words USING fts5(title, body, content='', tokenize='ascii');
CREATE TABLE contents (id INTEGER PRIMARY KEY);
CREATE TABLE languages (language TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE pages (
    content INTEGER NOT NULL,
    id INTEGER NOT NULL,          -- urls.fingerprint(url)
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    fetched_at REAL NOT NULL,
    host TEXT NOT NULL,
    site TEXT NOT NULL,
    PRIMARY KEY (content, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX pages_id ON pages (id);
CREATE TABLE left (id INTEGER PRIMARY KEY);
CREATE TABLE seen (library TEXT NOT NULL, version INTEGER NOT NULL)
"""

_TOUCHED = (
    "SELECT DISTINCT p.id, p.content, p.language, p.title, p.relevance, p.relevant, p.fetched_at, u.host, u.url "
    "FROM library.versions v JOIN library.pages p ON p.id = v.url JOIN library.urls u ON u.id = p.id "
    "WHERE v.seq > ? AND v.seq <= ?"
)
_LEAVE = "INSERT OR IGNORE INTO main.left SELECT ? WHERE NOT EXISTS (SELECT 1 FROM main.pages WHERE content = ?)"


def connect(library: Path, folder: Path) -> sqlite3.Connection:
    """The index of a folder, made if need be, with `library.db` beside it as `library`, to be read only."""
    for where in (folder / NAME, folder / NAME, None):
        try:
            return _open(where, library)
        except sqlite3.OperationalError:
            continue  # no room, or not ours to write: in memory then
        except sqlite3.DatabaseError:
            remove(folder)
    return _open(None, library)


def remove(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            (folder / f"{NAME}{suffix}").unlink()


def _open(path: Path | None, library: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri() if path is not None else ":memory:"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=60, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA mmap_size = 1073741824")
        connection.execute("ATTACH ? AS library", (f"{library.absolute().as_uri()}?mode=ro",))
        _prepare(connection)
        return connection
    except BaseException:
        connection.close()
        raise


def _prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables, or makes them anew: if they are of another format, or of another library."""
    if _version(connection) == FORMAT and _remembered(connection)[0] == identity(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) != FORMAT or _remembered(connection)[0] != identity(connection):
            for table in ("words", "contents", "languages", "pages", "left", "seen"):
                connection.execute(f"DROP TABLE IF EXISTS main.{table}")
            for statement in _SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO words (words, rank) VALUES ('rank', ?)", (f"bm25({TITLE_WEIGHT}, {BODY_WEIGHT})",)
            )
            connection.execute("INSERT INTO main.seen VALUES (?, 0)", (identity(connection),))
            connection.execute(f"PRAGMA main.user_version = {FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA main.user_version").fetchone()[0])


def _remembered(connection: sqlite3.Connection) -> tuple[str, int]:
    row = connection.execute("SELECT library, version FROM main.seen").fetchone()
    return (row[0], row[1]) if row else ("", 0)


def identity(connection: sqlite3.Connection) -> str:
    """What tells this library from another one that stood here before: its first answer."""
    row = connection.execute("SELECT url, at FROM library.versions ORDER BY seq LIMIT 1").fetchone()
    return f"{row[0]} {row[1]}" if row else "empty"


def catch_up(connection: sqlite3.Connection, progress: Progress | None = None) -> int:
    """Takes in the versions stored since the last time, and judgements; how many versions there were."""
    last = int(connection.execute("SELECT coalesce(max(seq), 0) FROM library.versions").fetchone()[0])
    first = _remembered(connection)[1]
    if first > last:  # cut back, or restored from an older copy
        connection.execute("PRAGMA main.user_version = 0")
        _prepare(connection)
        first = 0
    seen = first
    while seen < last:
        seen = _take_slice(connection, last)
        if progress is not None:
            progress(seen - first, last - first)
    _take_judgements(connection)
    return last - first


def _take_slice(connection: sqlite3.Connection, last: int) -> int:
    connection.execute("BEGIN IMMEDIATE")
    try:
        seen = _remembered(connection)[1]  # another process may have been at work meanwhile
        upto = min(seen + SLICE, last)
        if upto > seen:
            for row in connection.execute(_TOUCHED, (seen, upto)).fetchall():
                _store(connection, row)
            connection.execute("UPDATE main.seen SET version = ?", (upto,))
        connection.execute("COMMIT")
        return max(upto, seen)
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _take_judgements(connection: sqlite3.Connection) -> None:
    """Where pages were judged again since the last time, all get the judgement that the library has."""
    changed = connection.execute("SELECT value FROM library.notes WHERE name = ?", (CHANGED,)).fetchone()
    if changed is None:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS main.judged (change TEXT NOT NULL)")  # not in all of our format
        if connection.execute("SELECT change FROM main.judged").fetchone() != changed:
            connection.execute(
                "UPDATE main.pages SET relevance = l.relevance, relevant = l.relevant FROM library.pages l "
                "WHERE l.id = pages.id AND (l.relevance, l.relevant) IS NOT (pages.relevance, pages.relevant)"
            )
            connection.execute("DELETE FROM main.judged")
            connection.execute("INSERT INTO main.judged VALUES (?)", changed)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _store(connection: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    """A page as it is now: its old place in the index is given up, its text taken in unless it is there."""
    number, content, language, title, relevance, relevant, fetched_at, host, url = row
    for (old,) in connection.execute("DELETE FROM main.pages WHERE id = ? RETURNING content", (number,)).fetchall():
        connection.execute(_LEAVE, (old, old))
    if content is None:
        return  # it asks not to be indexed
    connection.execute("DELETE FROM main.left WHERE id = ?", (content,))
    connection.execute(
        "INSERT INTO main.pages VALUES (?, ?, ?, ?, ?, ?, ?)",
        (content, number, relevance, relevant, fetched_at, host, urls.site(url)),
    )
    if connection.execute("SELECT 1 FROM main.contents WHERE id = ?", (content,)).fetchone():
        return
    terms = analyzer(language).terms
    (packed,) = connection.execute("SELECT text FROM library.contents WHERE id = ?", (content,)).fetchone()
    words = (content, " ".join(terms(title)), " ".join(terms(unpack(packed).decode())))
    connection.execute("INSERT INTO main.words (rowid, title, body) VALUES (?, ?, ?)", words)
    connection.execute("INSERT INTO main.contents VALUES (?)", (content,))
    connection.execute("INSERT OR IGNORE INTO main.languages VALUES (?)", (code(language),))

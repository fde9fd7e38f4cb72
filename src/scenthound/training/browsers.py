"""What browsers remember: the history and bookmarks of Firefox and of Chromium and its kin, from their own files.

A running browser keeps its files locked and part of them in a log beside them, so a copy of both is read, which lives
in a private folder and only as long as the reading takes.

    Firefox    places.sqlite   moz_places, moz_historyvisits (from_visit, visit_type), moz_bookmarks
    Chromium   History         urls, visits (from_visit, opener_visit, transition)

A visit says which one led to it. It is taken at its word where the person followed a link or sent a form; an address
typed, or chosen from the bookmarks, begins a way of its own. What frames and downloads brought is no visit of a page.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import Click

MAGIC = b"SQLite format 3\0"
LOGS = ("-wal", "-journal")
"""What SQLite keeps beside a database that is not in it yet, or must be undone."""

FIREFOX_STARTS = frozenset({2, 3})  # typed, bookmark
FIREFOX_REDIRECTS = frozenset({5, 6})
FIREFOX_NO_PAGES = frozenset({4, 7})  # embedded, download

CHROMIUM_STARTS = frozenset({1, 2, 5, 6, 9, 10})  # typed, bookmark, generated, start page, keyword
CHROMIUM_FRAMES = frozenset({3, 4})
CHROMIUM_REDIRECTS = 0xC0000000
CHROMIUM_EPOCH = 11_644_473_600  # seconds from 1601 to 1970
MICROSECONDS = 1_000_000


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of a browser's database. What it cannot answer is a `ConfigError`."""
    try:
        with TemporaryDirectory(prefix="scenthound-") as private:
            copy = Path(private) / "copy.sqlite"
            shutil.copyfile(path, copy)
            for log in LOGS:
                beside = path.with_name(path.name + log)
                if beside.is_file():
                    shutil.copyfile(beside, copy.with_name(copy.name + log))
            with closing(sqlite3.connect(copy)) as connection:
                connection.text_factory = _text
                yield connection
    except sqlite3.Error as error:
        raise ConfigError(
            f"{path} cannot be read as a browser's history ({error}). Close the browser if it runs, and try again."
        ) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from error


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def kind_of(connection: sqlite3.Connection) -> str:
    """`Firefox`, `Chromium`, or nothing, by the tables."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if {"moz_places", "moz_historyvisits"} <= tables:
        return "Firefox"
    return "Chromium" if {"urls", "visits"} <= tables else ""


def clicks(connection: sqlite3.Connection, kind: str, since: float = 0.0) -> list[Click]:
    """The visits of pages since then. What is no web page (about:, file:, extensions) is passed over."""
    return list(_firefox(connection, since) if kind == "Firefox" else _chromium(connection, since))


def _firefox(connection: sqlite3.Connection, since: float) -> Iterator[Click]:
    query = (
        "SELECT v.id, p.url, v.visit_date, v.from_visit, v.visit_type FROM moz_historyvisits v "
        "JOIN moz_places p ON p.id = v.place_id WHERE v.visit_date >= ?"
    )
    for key, address, at, origin, how in connection.execute(query, (int(since * MICROSECONDS),)):
        url = _page(address)
        if url and how not in FIREFOX_NO_PAGES:
            led = 0 if how in FIREFOX_STARTS else _number(origin)
            yield Click(key, url, _number(at) / MICROSECONDS, led, how in FIREFOX_REDIRECTS)


def _chromium(connection: sqlite3.Connection, since: float) -> Iterator[Click]:
    columns = {row[1] for row in connection.execute("PRAGMA table_info(visits)")}
    opener = "v.opener_visit" if "opener_visit" in columns else "0"
    query = (
        f"SELECT v.id, u.url, v.visit_time, v.from_visit, {opener}, v.transition FROM visits v "
        "JOIN urls u ON u.id = v.url WHERE v.visit_time >= ?"
    )
    start = int((since + CHROMIUM_EPOCH) * MICROSECONDS) if since else 0
    for key, address, at, origin, opened_by, transition in connection.execute(query, (start,)):
        url, how = _page(address), _number(transition)
        if url and how & 0xFF not in CHROMIUM_FRAMES:
            redirect = bool(how & CHROMIUM_REDIRECTS)
            led = _number(origin) or _number(opened_by)
            if how & 0xFF in CHROMIUM_STARTS and not redirect:
                led = 0
            yield Click(key, url, _number(at) / MICROSECONDS - CHROMIUM_EPOCH, led, redirect)


def bookmarks(connection: sqlite3.Connection) -> Iterator[tuple[tuple[str, ...], str]]:
    """(names of the folders it is in, URL) of each bookmark of Firefox."""
    query = (
        "WITH RECURSIVE within(id, parent, fk, type, path) AS ("
        "SELECT id, parent, fk, type, '' FROM moz_bookmarks WHERE parent = 0 OR parent IS NULL UNION ALL "
        "SELECT b.id, b.parent, b.fk, b.type, w.path || char(31) || coalesce(f.title, '') FROM moz_bookmarks b "
        "JOIN within w ON b.parent = w.id JOIN moz_bookmarks f ON f.id = w.id WHERE w.type = 2) "
        "SELECT w.path, p.url FROM within w JOIN moz_places p ON p.id = w.fk WHERE w.type = 1"
    )
    for path, url in connection.execute(query):
        yield tuple(filter(None, str(path).split("\x1f"))), str(url)


def _page(address: Any) -> str:
    url = urls.canonical(address) if isinstance(address, str) else ""
    return url if isinstance(url, str) else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0

"""History and bookmark files as Firefox and Chromium write them: the columns that matter, and some that do not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

AT = 1_790_000_000.0
"""When the browsing of the tests begins: in September 2026."""

# Kinds of Firefox's visits, and of Chromium's
LINK, TYPED, BOOKMARK, EMBED, MOVED, FOUND, DOWNLOAD = 1, 2, 3, 4, 5, 6, 7
C_LINK, C_TYPED, C_SUBFRAME, C_FORM, C_RELOAD = 0, 1, 3, 7, 8
CHAIN_START, CHAIN_END, SERVER_REDIRECT = 0x10000000, 0x20000000, 0x80000000

Visit = tuple[int, str, float, int, int]
"""Number, URL, seconds after AT, number of the visit it came from, kind."""


def firefox(path: Path, visits: Sequence[Visit], bookmarks: dict[str, list[str]] | None = None) -> Path:
    """A places.sqlite. `bookmarks`: name of a folder in the toolbar -> URLs."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR,"
            " visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL,"
            " frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT, url_hash INTEGER DEFAULT 0)"
        )
        db.execute(
            "CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,"
            " visit_date INTEGER, visit_type INTEGER, session INTEGER, source INTEGER DEFAULT 0 NOT NULL)"
        )
        db.execute(
            "CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL,"
            " parent INTEGER, position INTEGER, title LONGVARCHAR, dateAdded INTEGER, lastModified INTEGER)"
        )
        place = _places(db, "moz_places", visits, bookmarks or {})
        for number, url, at, origin, kind in visits:
            db.execute(
                "INSERT INTO moz_historyvisits (id, from_visit, place_id, visit_date, visit_type, session)"
                " VALUES (?, ?, ?, ?, ?, 0)",
                (number, origin, place[url], int((AT + at) * 1e6), kind),
            )
        rows: list[tuple[Any, ...]] = [(1, 2, None, 0, ""), (2, 2, None, 1, "toolbar")]
        for folder, marked in (bookmarks or {}).items():
            rows.append((len(rows) + 1, 2, None, 2, folder))
            parent = len(rows)
            rows += [(parent + 1 + n, 1, place[url], parent, "a title") for n, url in enumerate(marked)]
        db.executemany("INSERT INTO moz_bookmarks (id, type, fk, parent, title) VALUES (?, ?, ?, ?, ?)", rows)
    return path


def chromium(path: Path, visits: Sequence[Visit], openers: dict[int, int] | None = None) -> Path:
    """A History. `openers`: visit -> the visit in another tab from which it was opened."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,"
            " visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL,"
            " last_visit_time INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL)"
        )
        opener = ", opener_visit INTEGER" if openers is not None else ""
        db.execute(
            "CREATE TABLE visits (id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL, visit_time INTEGER,"
            f" from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL, visit_duration INTEGER DEFAULT 0{opener})"
        )
        place = _places(db, "urls", visits, {})
        for number, url, at, origin, kind in visits:
            time = int((AT + at + 11_644_473_600) * 1e6)
            kind = kind - (1 << 32) if kind >> 31 else kind  # the browser stores a signed 32-bit number
            columns, values = "id, url, visit_time, from_visit, transition", [number, place[url], time, origin, kind]
            if openers is not None:
                columns += ", opener_visit"
                values.append(openers.get(number, 0))
            db.execute(f"INSERT INTO visits ({columns}) VALUES ({', '.join('?' * len(values))})", values)
    return path


def _places(
    db: sqlite3.Connection, table: str, visits: Sequence[Visit], marked: dict[str, list[str]]
) -> dict[str, int]:
    found = dict.fromkeys([*(visit[1] for visit in visits), *(url for urls in marked.values() for url in urls)])
    place = {url: number for number, url in enumerate(found, 1)}
    db.executemany(
        f"INSERT INTO {table} (id, url, title) VALUES (?, ?, ?)", [(n, url, "A page") for url, n in place.items()]
    )
    return place


def chromium_bookmarks(path: Path, folders: dict[str, list[str]]) -> Path:
    def listed(urls: list[str]) -> list[dict[str, Any]]:
        return [{"type": "url", "name": "a page", "url": url, "guid": "x"} for url in urls]

    children = [{"type": "folder", "name": name, "children": listed(urls)} for name, urls in folders.items()]
    bar = {"type": "folder", "name": "Bookmarks bar", "children": children}
    data = {"checksum": "0", "roots": {"bookmark_bar": bar, "sync_transaction_version": "1"}, "version": 1}
    path.write_text(json.dumps(data))
    return path

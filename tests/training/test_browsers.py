"""What is read of browsers' own files, also while the browser runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import START, Click, Trail, sessions
from scenthound.training import browsers
from tests.training.browser_files import (
    AT,
    BOOKMARK,
    C_FORM,
    C_LINK,
    C_RELOAD,
    C_SUBFRAME,
    C_TYPED,
    CHAIN_END,
    CHAIN_START,
    DOWNLOAD,
    EMBED,
    LINK,
    MOVED,
    SERVER_REDIRECT,
    TYPED,
    chromium,
    firefox,
)

A, B, C, D, X = (f"http://a.test/{name}" for name in "abcdx")


def read(path: Path, since: float = 0.0) -> list[Click]:
    with browsers.opened(path) as connection:
        return browsers.clicks(connection, browsers.kind_of(connection), since)


def test_firefox(tmp_path: Path) -> None:
    visits = [
        (1, A, 0, 0, TYPED),
        (2, "http://a.test/b?utm_source=x#top", 5, 1, LINK),
        (3, "about:config", 6, 0, TYPED),
        (4, X, 7, 2, EMBED),
        (5, "http://a.test/x.zip", 8, 2, DOWNLOAD),
        (6, "http://a.test/old", 10, 2, LINK),
        (7, C, 10, 6, MOVED),
        (8, D, 20, 7, BOOKMARK),
    ]
    clicks = read(firefox(tmp_path / "places.sqlite", visits))
    assert [click.key for click in clicks] == [1, 2, 6, 7, 8]
    assert clicks[1] == Click(2, B, AT + 5, 1)
    assert sessions(clicks) == [Trail((A, B, C, D), (START, 0, 1, START), AT)]


def test_chromium(tmp_path: Path) -> None:
    visits = [
        (1, A, 0, 0, C_TYPED | CHAIN_START | CHAIN_END),
        (2, X, 3, 1, C_SUBFRAME),
        (3, "http://a.test/old", 5, 1, C_LINK | CHAIN_START),
        (4, B, 5, 3, C_LINK | SERVER_REDIRECT | CHAIN_END),
        (5, B, 6, 4, C_RELOAD | CHAIN_START | CHAIN_END),
        (6, C, 9, 5, C_FORM | CHAIN_START | CHAIN_END),
        (7, "chrome://settings/", 10, 0, C_TYPED),
        (8, D, 12, 0, C_LINK | CHAIN_START | CHAIN_END),
    ]
    old = read(chromium(tmp_path / "History", visits))
    assert sessions(old) == [Trail((A, B, C, D), (START, 0, 1, START), AT)]
    new = read(chromium(tmp_path / "History2", visits, openers={8: 6}))  # D was opened from C, in a new tab
    assert sessions(new) == [Trail((A, B, C, D), (START, 0, 1, 2), AT)]


@pytest.mark.parametrize("make", [firefox, chromium])
def test_since(tmp_path: Path, make: object) -> None:
    visits = [(1, A, 0, 0, LINK), (2, B, 100, 1, LINK)]
    assert callable(make)
    path = make(tmp_path / "db", visits if make is firefox else [(*visit[:4], C_LINK) for visit in visits])
    assert [click.url for click in read(path, AT + 50)] == [B]
    assert [click.url for click in read(path)] == [A, B]


def test_a_browser_that_runs_holds_a_lock_and_a_log(tmp_path: Path) -> None:
    path = firefox(tmp_path / "places.sqlite", [(1, A, 0, 0, TYPED)])
    with closing(sqlite3.connect(path, isolation_level=None)) as running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute("PRAGMA wal_autocheckpoint = 0")
        running.execute("PRAGMA locking_mode = EXCLUSIVE")
        running.execute("INSERT INTO moz_places (id, url) VALUES (77, ?)", (B,))
        running.execute("INSERT INTO moz_historyvisits VALUES (2, 1, 77, ?, 1, 0, 0)", (int((AT + 9) * 1e6),))
        assert path.with_name("places.sqlite-wal").stat().st_size > 0
        with closing(sqlite3.connect(path, timeout=0)) as other, pytest.raises(sqlite3.OperationalError):
            other.execute("SELECT * FROM moz_places").fetchall()
        before = path.read_bytes()
        assert [click.url for click in read(path)] == [A, B]  # B is in the log alone
        assert path.read_bytes() == before


def test_odd_rows_are_passed_over(tmp_path: Path) -> None:
    path = firefox(tmp_path / "places.sqlite", [(1, A, 0, 0, TYPED)])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO moz_places (id, url) VALUES (70, NULL)")
        db.execute("INSERT INTO moz_places (id, url) VALUES (71, CAST(x'687474703a2f2f612e746573742fff' AS TEXT))")
        db.execute("INSERT INTO moz_historyvisits VALUES (5, 'odd', 70, 1790000000000000, 1, 0, 0)")
        db.execute("INSERT INTO moz_historyvisits VALUES (6, 'odd', 71, 1790000000000000, NULL, 0, 0)")
    found = read(path)
    assert [click.key for click in found] == [1, 6]
    assert found[1].origin == 0


def test_bookmarks_know_their_folders(tmp_path: Path) -> None:
    path = firefox(tmp_path / "places.sqlite", [(1, A, 0, 0, TYPED)], {"Trams": [B, C], "Other": [D]})
    with browsers.opened(path) as connection:
        found = list(browsers.bookmarks(connection))
    assert sorted(found) == [(("toolbar", "Other"), D), (("toolbar", "Trams"), B), (("toolbar", "Trams"), C)]


def test_what_is_damaged_is_said_to_be(tmp_path: Path) -> None:
    path = firefox(tmp_path / "places.sqlite", [(n, f"{A}{n}", n, 0, TYPED) for n in range(1, 400)])
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with pytest.raises(ConfigError, match="cannot be read as a browser's history"):
        read(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        read(tmp_path / "missing")

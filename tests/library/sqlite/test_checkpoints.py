"""What is stored comes onto the disk beside the writing: the archive's bytes first, then the rows."""

import os
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.sqlite import checkpoints, migrations
from scenthound.library.sqlite.checkpoints import Checkpoints


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def writing(database: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("CREATE TABLE counters (name TEXT, value INTEGER)")
    yield connection
    connection.close()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[WarcArchive]:
    archive = WarcArchive(tmp_path / "warc", 1_000_000, {}, None)
    archive.append(b"record", b"", 0.0)
    yield archive
    archive.close()


def left_by_a_power_cut(database: Path) -> int:
    """Rows of the database, and of as much of the log as was moved into it: the disk has that part of the log, too."""
    copy, log = database.with_name("copy.db"), database.with_name("library.db-wal").read_bytes()
    (moved,) = struct.unpack_from("=I", database.with_name("library.db-shm").read_bytes(), 96)
    (page_size,) = struct.unpack(">I", log[8:12])
    copy.write_bytes(database.read_bytes())
    copy.with_name("copy.db-wal").write_bytes(log[: 32 + moved * (24 + page_size)])
    connection = sqlite3.connect(copy)
    try:
        return int(connection.execute("SELECT count(*) FROM counters").fetchone()[0])
    except sqlite3.OperationalError:  # not even the table
        return 0
    finally:
        connection.close()


def store(connection: sqlite3.Connection, rows: int) -> None:
    for number in range(rows):
        connection.execute("INSERT INTO counters VALUES (?, ?)", ("x" * 500, number))


def test_the_archive_comes_first_and_nobody_waits(
    database: Path, writing: sqlite3.Connection, archive: WarcArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def slow_disk(file: int) -> None:
        reached.set()
        assert go_on.wait(10)

    rounds = Checkpoints(database, archive)
    store(writing, 10)
    monkeypatch.setattr(os, "fsync", slow_disk)
    assert rounds.begin()
    assert reached.wait(10)
    store(writing, 7)
    assert not rounds.begin(), "one round at a time"
    assert left_by_a_power_cut(database) == 0, "rows before the bytes they point to"
    go_on.set()
    rounds._finish()
    assert left_by_a_power_cut(database) == 10, "what came meanwhile may point to bytes that the disk does not have"
    assert rounds.begin()
    rounds._finish()
    assert left_by_a_power_cut(database) == 17
    rounds.close()


def test_the_last_round_is_waited_for(database: Path, writing: sqlite3.Connection, archive: WarcArchive) -> None:
    rounds = Checkpoints(database, archive)
    store(writing, 10)
    assert rounds.begin()
    store(writing, 5)
    rounds.whole()
    assert left_by_a_power_cut(database) == 15
    rounds.close()


def test_a_library_without_archive(database: Path, writing: sqlite3.Connection) -> None:
    rounds = Checkpoints(database, None)
    store(writing, 3)
    assert rounds.begin()
    rounds.whole()
    assert left_by_a_power_cut(database) == 3
    rounds.close()


def test_a_log_that_has_grown_too_long_begins_anew(
    database: Path, writing: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "MOST_LOG", 50)
    rounds = Checkpoints(database, None)
    log, longest = database.with_name("library.db-wal"), 0
    waited = []
    whole = rounds.whole
    monkeypatch.setattr(rounds, "whole", lambda: (waited.append(1), whole()))
    for _ in range(30):
        store(writing, 20)
        while not rounds.begin():
            pass
        store(writing, 1)
        longest = max(longest, log.stat().st_size)
    rounds.close()
    assert longest < 30 * 21 * 4096 / 2
    assert waited


def test_what_goes_wrong_in_a_round_is_told_to_the_writer(
    database: Path, writing: sqlite3.Connection, archive: WarcArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    rounds = Checkpoints(database, archive)
    store(writing, 1)
    monkeypatch.setattr(os, "fsync", full)
    assert rounds.begin()
    with pytest.raises(OSError, match="No space left"):
        rounds.whole()
    monkeypatch.undo()
    rounds.close()


def test_a_new_library_has_its_tables_on_the_disk_before_anything_else(tmp_path: Path) -> None:
    """A power cut takes the log, and answers that were archived by then must not lie beside an empty database."""
    with open_library(tmp_path, create=True):
        alone = f"{(tmp_path / 'library.db').as_uri()}?mode=ro&immutable=1"  # without its log
        with closing(sqlite3.connect(alone, uri=True)) as database:
            assert database.execute("PRAGMA user_version").fetchone() == (len(migrations.MIGRATIONS),)

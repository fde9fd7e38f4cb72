"""The library in a folder: everything every library does, and what is particular to a folder."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy, LibraryDamaged, LibraryError, LibraryFull, LibraryMissing, LibraryVersion
from scenthound.library import open_library
from scenthound.library.folder_lock import FolderLock
from scenthound.protocols.library import Library
from tests.conformance.libraries import LibraryConformance
from tests.library.steps import SEED, entry, fetched


class TestSqliteLibrary(LibraryConformance):
    def open(self, folder: Path) -> Library:
        return open_library(folder, create=True)

    def open_to_read(self, folder: Path) -> Library:
        return open_library(folder, write=False)


@pytest.mark.parametrize("options", [{}, {"write": False}, {"create": True, "write": False}])
def test_no_library_there(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(LibraryMissing, match="There is no library in"):
        open_library(tmp_path / "nothing", **options)
    assert not (tmp_path / "nothing").exists()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        with pytest.raises(LibraryBusy, match=rf"process {os.getpid()}\b"):
            open_library(tmp_path)
        library.record(fetched(entry(SEED)))
    with open_library(tmp_path) as library:
        assert library.counts().fetched == 1


def test_the_lock_goes_with_the_process(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from scenthound.library import open_library\n"
        "open_library(Path(sys.argv[1]), create=True); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False).returncode == -9
    open_library(tmp_path).close()


def test_a_library_from_the_future(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    for write in (True, False):
        with pytest.raises(LibraryVersion, match="newer Scenthound"):
            open_library(tmp_path, write=write)


def test_a_library_that_is_just_being_made(tmp_path: Path) -> None:
    """Its tables are not there yet: a reader is told so, and whoever crawls makes them."""
    (tmp_path / "library.db").touch()
    lock = FolderLock(tmp_path)
    with pytest.raises(LibraryMissing, match=r"nothing in .* yet: its library.db is empty\. Another crawl"):
        open_library(tmp_path, write=False)
    lock.release()
    with pytest.raises(LibraryMissing, match=r"its library.db is empty\. Begin it with: scenthound crawl"):
        open_library(tmp_path, write=False)
    with open_library(tmp_path) as library:
        assert library.counts().fetched == 0


def test_an_empty_database_beside_answers_is_damage_and_costs_no_answer(tmp_path: Path) -> None:
    """Opened as if it were new, it would take the WARC files for left over and remove them."""
    for left in ("empty", "missing"):
        folder = tmp_path / left
        with open_library(folder, create=True) as library:
            library.record(fetched(entry(SEED)))
        (folder / "library.db").unlink()
        if left == "empty":
            (folder / "library.db").touch()
        for options in ({"create": True}, {"write": False}):
            with pytest.raises(LibraryDamaged, match=rf"library.db is {left}.*library repair"):
                open_library(folder, **options)
        assert len(list((folder / "warc").iterdir())) == 1


def test_tables_of_another_program_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("CREATE TABLE books (title)")
    connection.close()
    for write in (True, False):
        with pytest.raises(LibraryDamaged, match="no library of Scenthound's"):
            open_library(tmp_path, write=write)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"not a database at all" * 100)
    for write in (True, False):
        with pytest.raises(LibraryDamaged, match="is no SQLite database: it begins with b'not a database a'"):
            open_library(tmp_path, write=write)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(LibraryFull, match="cannot be written"):
            open_library(place, create=True)


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    with open_library(tmp_path, write=False) as library, pytest.raises(TypeError, match="for reading"):
        library.record(fetched(entry(SEED)))


def test_without_warc(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True, settings=LibrarySection(warc=False)) as library:
        library.record(fetched(entry(SEED), body=b"hello"))
        assert library.text(SEED) == "hello"
        assert library.body(SEED) is None
    assert not (tmp_path / "warc").exists()
    with open_library(tmp_path) as library:  # switched on later: a copy of what is not on record is no revisit
        library.record(fetched(entry("http://b.example/"), body=b"hello"))
        assert library.body("http://b.example/").body == b"hello"


def test_a_lost_warc_file_is_said_to_be_lost(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
    next((tmp_path / "warc").iterdir()).unlink()
    with open_library(tmp_path) as library:
        with pytest.raises(LibraryError, match="missing or damaged"):
            library.body(SEED)
        library.record(fetched(entry("http://b.example/"), body=b"more"))
        assert library.body("http://b.example/").body == b"more"


def test_the_log_is_tidied_away(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library.db", "warc", "writing.lock"]


def test_the_backlink_index_can_be_deleted(tmp_path: Path) -> None:
    target = "http://a.example/t"
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED), links=(target,)))
        assert len(list(library.backlinks(target))) == 1
    (tmp_path / "index.db").unlink()
    with open_library(tmp_path, write=False) as library:
        assert len(list(library.backlinks(target))) == 1

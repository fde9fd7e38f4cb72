"""The library in PostgreSQL: everything every library does, and what is particular to a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy, LibraryError, LibraryMissing, LibraryVersion
from scenthound.library import open_library
from scenthound.library.folder_labels import folder_labels
from scenthound.library.sql.bulk_insert import LEAST_COPIED
from scenthound.model import Label, Link, Waiting
from scenthound.protocols.library import Library
from scenthound.protocols.records import UNDATED, PageFilters
from tests.conformance.libraries import LibraryConformance
from tests.library.postgres.server import new_name
from tests.library.steps import SEED, entry, fetched

psycopg = pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.postgres import library as module  # noqa: E402


class TestPostgresLibrary(LibraryConformance):
    """A folder has one library, as long as the folder is there."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres_server: str) -> None:
        self.server = postgres_server

    def open(self, folder: Path) -> Library:
        address = f"{self.server}#{new_name()}"
        return open_library(folder, create=True, settings=LibrarySection(address=address))

    def open_to_read(self, folder: Path) -> Library:
        return open_library(folder, write=False)


def opened(folder: Path, address: str, **options: Any) -> Library:
    return open_library(folder, create=True, settings=LibrarySection(address=address), **options)


@pytest.fixture
def folder(tmp_path: Path, postgres: str) -> Path:
    opened(tmp_path, postgres).close()
    return tmp_path


def test_the_folder_knows_its_library(folder: Path, postgres: str) -> None:
    assert (folder / "library.address").read_text() == f"{postgres}\n"
    assert not (folder / "library.db").exists()
    with open_library(folder) as library:
        library.record(fetched(entry(SEED)))
    with open_library(postgres, write=False) as library:  # by its address alone
        assert library.folder == folder
        assert library.body(SEED) is not None


def test_no_library_there(tmp_path: Path, postgres: str) -> None:
    with pytest.raises(LibraryMissing, match="There is no library at"):
        open_library(postgres, write=False)
    (tmp_path / "library.address").write_text(postgres)
    with pytest.raises(LibraryMissing, match="There is no library at"):
        open_library(tmp_path, write=False)


def test_no_server_there(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"does not answer.*see that the server runs"):
        open_library(f"postgresql:///x?host={tmp_path}", write=False)


def test_no_database_there(postgres_server: str) -> None:
    with pytest.raises(LibraryMissing, match="createdb"):
        open_library(postgres_server.replace("/postgres?", "/nowhere?"), write=False)


def test_one_writer_at_a_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RELEASE", 0.0)
    with open_library(folder) as library:
        with pytest.raises(LibraryBusy, match=rf"{os.getpid()}\) is writing to"):
            open_library(folder)
        library.record(fetched(entry(SEED)))
    with open_library(folder) as library:
        assert library.counts().fetched == 1


def test_the_lock_goes_with_the_process(folder: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from scenthound.library import open_library\n"
        "library = open_library(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(folder)], check=False).returncode == -9
    open_library(folder).close()


def test_a_library_from_the_future(folder: Path, postgres_server: str, postgres: str) -> None:
    name = postgres.rpartition("#")[2]
    with psycopg.connect(postgres_server) as connection:
        connection.execute(f"UPDATE {name}.notes SET value = '99' WHERE name = 'format'")
    with pytest.raises(LibraryVersion, match="newer Scenthound"):
        open_library(folder, write=False)


def test_a_library_of_the_first_format_gets_todays_columns_also_where_it_is_only_read(
    folder: Path, postgres: str
) -> None:
    with open_library(folder) as library:
        library.record(fetched(entry(SEED)))
    server, _, name = postgres.partition("#")
    with psycopg.connect(server) as connection:
        connection.execute(f"ALTER TABLE {name}.pages DROP COLUMN published")
        connection.execute(f"ALTER TABLE {name}.misses DROP COLUMN ending")
        connection.execute(f"INSERT INTO {name}.misses (page, url) SELECT 1, id FROM {name}.urls")
        connection.execute(f"UPDATE {name}.notes SET value = '1' WHERE name = 'format'")
    for write in (False, True):
        with open_library(folder, write=write) as library:
            assert library.page_facets().published == {UNDATED: 1}
            assert [each.ending for each in library.misses()] == ["failed"], "nothing else was kept then"
            assert [page.url for page in library.page_list(PageFilters(published=UNDATED)).pages] == [SEED]


def test_a_folder_with_a_library_of_its_own_is_left_alone(tmp_path: Path, postgres: str) -> None:
    open_library(tmp_path, create=True).close()
    with pytest.raises(LibraryError, match="library copy"):
        opened(tmp_path, postgres)
    assert not (tmp_path / "library.address").exists()


def test_labels_from_before_there_was_a_library_are_taken_in(tmp_path: Path, postgres: str) -> None:
    folder_labels(tmp_path).add_labels([Label(SEED, True, at=1.0)])
    with opened(tmp_path, postgres) as library:
        assert library.labels()[SEED].relevant is True
    folder_labels(tmp_path).add_labels([Label(SEED, False, at=2.0)])
    with open_library(tmp_path, write=False) as library:
        assert [word.relevant for word in library.label_history(SEED)] == [True, False]


def test_a_reader_goes_on_after_the_server_has_ended_its_connection(folder: Path, postgres_server: str) -> None:
    with open_library(folder, write=False) as library, psycopg.connect(postgres_server, autocommit=True) as other:
        own = library._postgres.raw.info.backend_pid  # type: ignore[attr-defined]
        other.execute("SELECT pg_terminate_backend(%s)", (own,))
        with pytest.raises(LibraryError, match="does not answer"):
            library.counts()
        assert library.counts().fetched == 0


def test_a_writer_whose_connection_ended_stops_and_the_next_one_goes_on(folder: Path, postgres_server: str) -> None:
    """Its lock is gone with the connection: it must not go on as if it had it."""
    library = open_library(folder)
    library.record(fetched(entry(SEED)))
    library.flush()
    with psycopg.connect(postgres_server, autocommit=True) as other:
        name = library._postgres.address.name  # type: ignore[attr-defined]
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks l WHERE locktype = 'advisory' "
            "AND (CAST(classid AS BIGINT) << 32 | CAST(objid AS BIGINT)) = hashtextextended(%s, 0)",
            (f"scenthound write {name}",),
        )
    library.record(fetched(entry("http://b.example/")))
    with pytest.raises(LibraryError, match="What was stored is intact"):
        library.flush()
    with pytest.raises(LibraryError):
        library.close()
    with open_library(folder) as library:
        assert [page.url for page in library.pages()] == [SEED]
        library.record(fetched(entry("http://b.example/")))
        assert library.body("http://b.example/") is not None


def test_many_rows_are_copied_as_few_are_inserted(tmp_path: Path, postgres: str) -> None:
    """With what COPY and statements write differently: NUL, halves of surrogate pairs, tabs, no value, infinity."""
    odd = ("plain", "with\0nul", "half \ud83e of a pair", "tab\tand \\N", "\U0010fffe")

    def links(count: int) -> tuple[Waiting, ...]:
        found = []
        for number in range(count):
            link = Link(f"http://a.example/{number}", SEED, odd[number % 5], context=odd[number % 3])
            memory = None if number % 2 else b"\x00\xff\\"
            priority = -float("inf") if number % 7 == 6 else number / 3
            found.append(Waiting(number, link, "a.example", priority, number, 1, memory))
        return tuple(found)

    rows = []
    for count in (LEAST_COPIED - 8, 4 * LEAST_COPIED):
        with opened(tmp_path / str(count), f"{postgres}_{count}") as library:
            library.record(fetched(entry(SEED), found=links(count)))
            library.flush()
            rows.append(library.waiting("a.example", 1000))
    few = {row.id: row for row in rows[0]}
    assert len(rows[1]) == 4 * LEAST_COPIED
    assert {row.id: row for row in rows[1] if row.id in few} == few


def test_an_address_with_a_slip_in_it_does_not_stay(tmp_path: Path, postgres: str) -> None:
    with pytest.raises(LibraryError, match="does not answer"):
        opened(tmp_path, "postgresql://127.0.0.1:1/crawls")
    assert not (tmp_path / "library.address").exists()
    opened(tmp_path, postgres).close()


def test_a_connection_that_was_closed_stays_closed(tmp_path: Path, postgres: str) -> None:
    """Also for a thread that comes too late."""
    from scenthound.library.library_address import read_address
    from scenthound.library.postgres.connection import PostgresConnection

    connection = PostgresConnection(read_address(postgres))
    connection.close()
    with pytest.raises(LibraryError):
        connection.execute("SELECT 1")

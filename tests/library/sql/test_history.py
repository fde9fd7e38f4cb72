"""Looks at stored pages: what the archive and the table of URLs make of them."""

import sqlite3
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from scenthound.library import open_library
from scenthound.library.sql.url_table import UrlChanges
from scenthound.library.sqlite import migrations
from scenthound.model import Response
from tests.conformance.library_history import looked, watch_two
from tests.library.steps import SEED, entry


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_library(tmp_path, create=True) as library:
        watch_two(library)
    return tmp_path


def test_not_modified_is_on_record(folder: Path) -> None:
    with open_library(folder) as library:
        library.record(looked(SEED, "same", 100.0, Response(url=SEED, status=304, at=100.0), status=304))
        same = Response(url=SEED, status=200, body=b"<p>one</p>", at=200.0)
        library.record(looked(SEED, "same", 200.0, same, status=200))
    (path,) = (folder / "warc").glob("*.warc.gz")
    with path.open("rb") as stream:
        found = [
            (record.rec_headers["WARC-Profile"].rpartition("/")[2], record.rec_headers["WARC-Refers-To-Date"][:19])
            for record in ArchiveIterator(stream)
            if record.rec_type == "revisit"
        ]
    assert found == [
        ("server-not-modified", "1970-01-01T00:00:01"),
        ("identical-payload-digest", "1970-01-01T00:00:01"),
    ]
    with open_library(folder, write=False) as library:
        assert library.body(SEED).body == b"<p>one</p>"  # type: ignore[union-attr]


@pytest.mark.parametrize("look_first", [True, False])
def test_a_look_and_a_find_in_one_batch(look_first: bool) -> None:
    """What finds a page again says nothing new, whichever comes first."""
    changes = UrlChanges()
    changes.end(entry(SEED, 0.5), "fetched", "", 1.0, 3)
    if not look_first:
        changes.found([entry(SEED, 0.9)], 5.0)
    changes.look(entry(SEED), "failed", "gone: 404", 5.0, 7)
    if look_first:
        changes.found([entry(SEED, 0.9)], 5.0)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(connection, "here")
    changes.write(connection)
    row = connection.execute("SELECT state, reason, priority, version FROM urls").fetchall()
    connection.close()
    assert row == [(2, "gone: 404", 0.5, 7)]

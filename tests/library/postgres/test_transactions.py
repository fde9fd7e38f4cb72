"""A server that is lost in the middle of a COMMIT: whether that counts is for the server to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryError
from scenthound.library import open_library
from tests.library.steps import SEED, entry, fetched

pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.postgres.connection import PostgresConnection, Statements

LATER = "http://later.example/"


@pytest.mark.parametrize("counts", [True, False])
def test_what_may_have_been_stored_keeps_its_bytes(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch, counts: bool
) -> None:
    library = open_library(tmp_path, create=True, settings=LibrarySection(address=postgres))
    library.record(fetched(entry(SEED)))
    library.flush()
    [file] = (tmp_path / "warc").iterdir()
    known = file.stat().st_size
    commit = PostgresConnection.commit

    def lost(connection: PostgresConnection, last: Statements | None = None) -> None:
        if counts:
            commit(connection, last)
        connection.raw.close()
        raise LibraryError("PostgreSQL does not answer")

    monkeypatch.setattr(PostgresConnection, "commit", lost)
    library.record(fetched(entry(LATER)))
    with pytest.raises(LibraryError, match="does not answer"):
        library.close()
    monkeypatch.undo()
    assert file.stat().st_size > known, "it may be that rows speak of these bytes"
    with open_library(tmp_path, settings=LibrarySection(address=postgres)) as again:
        stored = [page.url for page in again.pages()]
        assert stored == ([SEED, LATER] if counts else [SEED])
        assert all(again.body(url) for url in stored)
        again.record(fetched(entry("http://last.example/")))
        again.flush()
        assert again.body("http://last.example/")
    if not counts:
        assert b"later.example" not in file.read_bytes()

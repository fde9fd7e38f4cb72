"""Texts that would be SQL, or an expression of the full-text search, if they were not bound and quoted."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from scenthound.errors import UsageError
from scenthound.library import open_library
from scenthound.model import Label
from tests.library.steps import SEED, entry, fetched

TEXTS = [
    "'; DROP TABLE urls; --",
    '"); DELETE FROM pages; --',
    "' OR '1'='1",
    "x' UNION SELECT * FROM urls --",
    "%' ESCAPE '\\",
    "a\0b'c",
    "?1 :name @v $x",
    "\ud800 lone",
]
EXPRESSIONS = [
    'hound" OR "x',
    "NEAR(hound words)",
    "title:hound",
    "hound*",
    "-hound",
    "^hound",
    "(hound",
    'hound" AND',
    "{title text}: hound",
    "' OR 1=1 --",
    '"',
    '""',
    "AND OR NOT",
]


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_becomes_sql(text: str, tmp_path: Path) -> None:
    """Wherever a stranger's text is stored, it comes back as it was, and nothing else is gone."""
    plain = text.encode("utf-8", "replace").decode()
    with open_library(tmp_path / "library", create=True) as library:
        lease = entry(SEED)
        library.record(fetched(lease, title=plain, text=plain, body=plain.encode()))
        library.add_labels([Label(SEED, True, f"program:{plain}"), Label(plain, False, "file", kind="site")])
        assert library.page(plain) is None
        assert library.url_row(plain) is None
        page = library.page(SEED)
        assert page is not None
        assert page.title == plain
        assert library.labels("site")[plain].relevant is False
        assert library.counts().fetched == 1
    with sqlite3.connect(tmp_path / "library" / "library.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.mark.parametrize("words", EXPRESSIONS)
def test_no_word_of_a_search_becomes_an_expression(words: str, tmp_path: Path) -> None:
    with open_library(tmp_path / "library", create=True) as library:
        library.record(fetched(entry(SEED), text="a hound and words", title="hound"))
        for said in ([words], words.split(" ")):
            with suppress(UsageError):  # nothing is left to search for
                assert library.search(said).total <= 1

"""Copies are exact: row by row, byte by byte, from SQLite into PostgreSQL and back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenthound import urls
from scenthound.app.library_check import check_library
from scenthound.app.notes import note_on, write_note
from scenthound.errors import LibraryMissing, UsageError
from scenthound.library import open_library
from scenthound.library.library_copy import copy_library
from scenthound.library.sql.tables import OWN_NOTES, TABLES
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.model import Check, Label, Link, Step, Waiting
from scenthound.protocols.records import MissingPage, StoredImage
from scenthound.protocols.snapshots import Snapshot
from tests.library.collection import fill, stored, zoo, zoo_config, zoo_steps
from tests.library.steps import entry, fetched

PAGE = "https://www.zoo.example/otters"


def full_library(folder: Path) -> Path:
    """Something in every table: pages, looks, notes of revisits, labels, snapshots, and texts with a NUL."""
    odd = Link("http://a.example/odd", PAGE, "a\0b \U0010fffe", "t", "c", 1, 2, "", "a")
    with open_library(folder, create=True) as library:
        library.keep_snapshots({"strategy": Snapshot(1, {"a": [1, 2.5]}, {"w": np.arange(5.0)})}, "these settings")
        fill(library, zoo_steps(), zoo_config())
        waits = Waiting(urls.fingerprint(odd.url), odd, "a.example", 0.25, 77, 2, b"\0\xff")
        home = fetched(entry("http://a.example/"), found=(waits,), new=(waits.id,), links=(odd.url,), text="\0 one")
        library.record(home)
        look = Check("same", before=0.5, was_relevant=True, status=200)
        library.record(Step(lease=entry(PAGE), state="fetched", at=1_800_000_000.0, check=look))
        library.note_missing(MissingPage("a.example", 1.0, 404, "", 2**64 - 1, b"d"))
        library.note_image(StoredImage("http://a.example/i.png", 1.0, "e", "m", b"d", "{}"))
        library.judge_again([(PAGE, 0.05, False)])
        library.note_judged_by("digest", "strict")
        library.add_labels(
            [Label(PAGE, True, at=1.0), Label(PAGE, None, at=2.0), Label("a.example", False, kind="site")]
        )
    (folder / "topic.toml").write_text("[topic]\nname = 'otters'\n")
    (folder / "models").mkdir()
    (folder / "models" / "one.json").write_text("{}")
    return folder


def rows_of(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    with open_library(folder, write=False) as library:
        assert isinstance(library, WholeLibrary)
        with closing(library.held_still()) as reading:
            found = {table.name: [row for rows in table.rows(reading) for row in rows] for table in TABLES}
        found["notes"] = [row for row in found["notes"] if row[0] not in OWN_NOTES]
        found["labels"] = [(word.subject, word) for word in library.label_words()]
    return {name: sorted(rows, key=lambda row: row[0]) for name, rows in found.items()}


def bodies_of(folder: Path) -> dict[str, bytes | None]:
    with open_library(folder, write=False) as library:
        answers = {page.url: library.body(page.url) for page in library.pages()}
        return {url: answer.body if answer is not None else None for url, answer in answers.items()}


def test_into_postgresql_and_back(tmp_path: Path, postgres: str) -> None:
    source = full_library(tmp_path / "source")
    outcome = copy_library(source, tmp_path / "shared", postgres)
    assert (outcome.address, outcome.pages) == (postgres, len(bodies_of(source)))
    copy_library(tmp_path / "shared", tmp_path / "back")
    original = rows_of(source)
    empty = [name for name, rows in original.items() if not rows]
    assert not empty, "a table that is empty proves nothing"
    assert rows_of(tmp_path / "shared") == original
    assert rows_of(tmp_path / "back") == original
    assert bodies_of(tmp_path / "shared") == bodies_of(tmp_path / "back") == bodies_of(source)
    for folder in ("shared", "back"):
        assert (tmp_path / folder / "topic.toml").read_text() == (source / "topic.toml").read_text()
        assert (tmp_path / folder / "models" / "one.json").is_file()
    assert not (tmp_path / "shared" / "library.db").exists()


def test_a_copy_goes_on(tmp_path: Path, postgres: str) -> None:
    """Numbers go on behind the last one, also those that the database gives out; so does the archive."""
    source = full_library(tmp_path / "source")
    copy_library(source, tmp_path / "shared", postgres)
    for folder in (source, tmp_path / "shared"):
        with open_library(folder) as library:
            library.record(stored("http://late.example/", "the latest page", at=1_900_000_000.0))
            look = Check("same", before=0.5, was_relevant=True, status=200)
            library.record(Step(lease=entry(PAGE), state="fetched", at=1_900_000_000.0, check=look))
    ours, theirs = rows_of(source), rows_of(tmp_path / "shared")
    for name in ("urls", "pages", "contents", "checks", "counters"):
        assert theirs[name] == ours[name]
    assert bodies_of(tmp_path / "shared") == bodies_of(source)


def test_a_copy_wants_a_new_place(tmp_path: Path) -> None:
    source = full_library(tmp_path / "source")
    with pytest.raises(UsageError, match="onto itself"):
        copy_library(source, source)
    copy_library(source, tmp_path / "copy")
    with pytest.raises(UsageError, match="holds a library already"):
        copy_library(source, tmp_path / "copy")
    assert rows_of(tmp_path / "copy") == rows_of(source)


def test_a_copy_of_what_is_being_written_is_whole_and_stays_as_it_was(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    write_note(folder, PAGE, "kept", [])
    with open_library(folder) as library:
        library.update_search()
        copied = copy_library(folder, tmp_path / "copy" / "zoo")
        library.record(stored("https://new.example/", "later"))
    place = Path(copied.folder)
    assert not (place / "search.db").exists()
    assert check_library(place).whole
    with open_library(place) as copy:
        assert copy.page_totals().pages == 7
        assert copy.body(PAGE) is not None
    assert note_on(place, PAGE).text == "kept"


def test_where_there_is_something_nothing_is_written(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        copy_library(folder, tmp_path / "full")
    with pytest.raises(UsageError, match="another place"):
        copy_library(folder, folder / "inside")
    with pytest.raises(LibraryMissing):
        copy_library(tmp_path / "full", tmp_path / "new")

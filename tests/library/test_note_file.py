"""Notes of a folder: the last word on a page counts, a damaged line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.library.note_file import NAME, NoteFile, PageNote

URL = "https://a.example/"


def test_the_last_word_counts_and_all_are_kept(tmp_path: Path) -> None:
    notes = NoteFile(tmp_path, clock=lambda: 5.0)
    assert notes.notes() == {}
    notes.write(PageNote(URL, "first", ("a",)))
    notes.write(PageNote("https://b.example/", "other"))
    assert notes.write(PageNote(URL, "second", ("b",))) == PageNote(URL, "second", ("b",), 5.0)
    assert list(NoteFile(tmp_path).notes()) == ["https://b.example/", URL]
    assert notes.notes()[URL].text == "second"
    notes.write(PageNote(URL))
    assert URL not in notes.notes()
    assert (tmp_path / NAME).read_text().count("\n") == 5


def test_a_torn_line_does_not_count_and_a_broken_one_is_named(tmp_path: Path) -> None:
    notes = NoteFile(tmp_path)
    notes.write(PageNote(URL, "kept"))
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"url": "https://c.exa')
    assert list(notes.notes()) == [URL]
    with (tmp_path / NAME).open("ab") as file:
        file.write(b"\n{}\n")
    with pytest.raises(ConfigError, match="line 3"):
        notes.notes()

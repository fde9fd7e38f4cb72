"""Notes and tags: as written, tidied, listed by tag, refused where they are too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.notes import list_notes, note_on, tag_counts, tagged_pages, write_note
from scenthound.errors import UsageError
from scenthound.library import open_library
from tests.library.collection import zoo

OTTERS = "https://www.zoo.example/otters"


def test_a_note_is_written_listed_and_taken_away(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    write_note(folder, OTTERS, " Ask the keeper. ", ["Keepers", " to  read ", "keepers"])
    write_note(folder, "https://birds.example/owl", "", ["keepers"])
    assert note_on(folder, "HTTPS://www.zoo.example/otters").text == "Ask the keeper."
    assert tag_counts(folder) == {"keepers": 2, "to read": 1}
    assert tagged_pages(folder, "To read") == {OTTERS}
    with open_library(folder, write=False) as library:
        assert [row.title for row in list_notes(folder, library)] == ["Owls", "All about otters"]
        assert [row.url for row in list_notes(folder, library, "TO READ")] == [OTTERS]
    write_note(folder, OTTERS, "", [])
    assert not note_on(folder, OTTERS)
    assert tag_counts(folder) == {"keepers": 1}


@pytest.mark.parametrize(
    ("text", "tags"), [("x" * 10_001, []), ("", ["t" * 61]), ("", [f"tag {number}" for number in range(21)])]
)
def test_what_is_too_much_is_refused(tmp_path: Path, text: str, tags: list[str]) -> None:
    with pytest.raises(UsageError, match="at most"):
        write_note(zoo(tmp_path / "zoo"), OTTERS, text, tags)
    assert not note_on(tmp_path / "zoo", OTTERS)

from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.library.sqlite import main_texts
from tests.library.collection import collect, stored, zoo

OTTERS = "https://www.zoo.example/otters"


def text_of(folder: Path, url: str = OTTERS) -> str | None:
    with open_library(folder, write=False) as library:
        found = library.main_text(url)
        return found.markdown if found is not None else None


def test_a_text_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = zoo(tmp_path / "zoo")
    first = text_of(folder)
    assert first is not None
    assert first.startswith("Otters swim")
    assert (folder / main_texts.NAME).exists()
    monkeypatch.setattr("scenthound.library.sqlite.library.main_text_of", None)
    assert text_of(folder) == first


def test_a_page_that_asked_not_to_be_kept_and_one_that_is_not_there(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert text_of(folder, "https://secret.example/") is None
    assert text_of(folder, "https://nowhere.example/") is None


def test_a_library_without_answers_gives_what_text_it_has(tmp_path: Path) -> None:
    collect(tmp_path, [stored("http://a.example/", "# Otters *swim*.")], warc=False)
    assert text_of(tmp_path, "http://a.example/") == "\\# Otters \\*swim\\*.\n"


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    first = text_of(folder)
    (folder / main_texts.NAME).write_bytes(b"no database at all, but long enough to be one " * 100)
    assert text_of(folder) == first
    assert text_of(folder) == first


def test_texts_of_another_library_that_stood_here_are_not_taken(tmp_path: Path) -> None:
    zoo(tmp_path / "zoo")
    text_of(tmp_path / "zoo")
    other = collect(tmp_path / "other", [stored(OTTERS, "Quite another text.")])
    (tmp_path / "zoo" / main_texts.NAME).rename(other / main_texts.NAME)
    assert text_of(other) == "Quite another text.\n"


def test_texts_made_in_another_way_are_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = zoo(tmp_path / "zoo")
    text_of(folder)
    monkeypatch.setattr(main_texts, "FORMAT", main_texts.FORMAT + 1)
    monkeypatch.setattr("scenthound.library.sqlite.library.main_text_of", lambda library, stored: None)
    assert text_of(folder) is None

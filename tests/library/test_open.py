"""The front of the package: what opens a place, and what is there."""

from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryMissing
from scenthound.library import is_library, library_at, memory_library, open_library
from tests.library.steps import SEED, entry, fetched


def test_a_folder_is_opened_from_a_path_or_its_name(tmp_path: Path) -> None:
    assert not is_library(tmp_path)
    with pytest.raises(LibraryMissing):
        open_library(tmp_path)
    with open_library(str(tmp_path), create=True) as library:
        assert library.folder == tmp_path
    assert is_library(tmp_path)


def test_memory_is_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_library("memory:", settings=LibrarySection(warc=False)) as library:
        library.record(fetched(entry(SEED), body=b"a text"))
        assert (library.text(SEED), library.body(SEED), library.folder) == ("a text", None, None)
    assert list(tmp_path.iterdir()) == []


def test_an_open_library_stays_open(tmp_path: Path) -> None:
    given = memory_library()
    with library_at(given) as library:
        assert library is given
    open_library(tmp_path, create=True).close()
    with library_at(tmp_path) as library:
        assert library.counts().fetched == 0
    with open_library(tmp_path) as held:
        with library_at(held) as library:
            assert library is held
        assert held.counts().fetched == 0

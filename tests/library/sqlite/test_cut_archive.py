"""A WARC file that lost its end is noticed, and what was in it comes again."""

import shutil
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from scenthound.library import memory_library, open_library
from scenthound.library.folder_check import check_folder
from tests.library.collection import collect, numbered, stored

SEVENTH = "http://host0.example/7"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect(tmp_path_factory.mktemp("made") / "library", numbered(10))


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def place_of(folder: Path, url: str) -> tuple[int, int]:
    with open_library(folder, write=False) as library:
        [version] = library.versions(url)
        return version.offset, version.length


def cut(folder: Path, length: int) -> Path:
    [path] = (folder / "warc").iterdir()
    with path.open("r+b") as file:
        file.truncate(length)
    return path


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_record_cut_in_the_middle(folder: Path, share: float) -> None:
    offset, length = place_of(folder, SEVENTH)
    [path] = (folder / "warc").iterdir()
    size = path.stat().st_size
    cut(folder, offset + int(length * share))
    with open_library(folder) as library:
        [found] = library.mend_archive()
        assert (found.name, found.missing, found.answers, found.pages) == (f"warc/{path.name}", size - offset, 3, 3)
        assert path.stat().st_size == offset
        row = library.url_row(SEVENTH)
        assert row is not None
        assert (row.state, library.body(SEVENTH)) == ("waiting", None)
        assert library.text(SEVENTH)
        assert library.body("http://host6.example/6") is not None
        assert library.mend_archive() == []
    assert check_folder(folder).damages == []


def test_what_is_stored_afterwards_can_be_read(folder: Path) -> None:
    """Also by others, and also where it is the very answer that was lost: it is not taken for a copy of it."""
    offset, length = place_of(folder, SEVENTH)
    cut(folder, offset + length // 2)
    again = list(numbered(12))[7:]
    with open_library(folder) as library:
        library.mend_archive()
        for step in again:
            library.record(step)
        for step in again:
            response = library.body(step.lease.link.url)
            assert response is not None
            assert step.response is not None
            assert response.body == step.response.body
    for path in (folder / "warc").iterdir():
        with path.open("rb") as file:
            records = [record.rec_type for record in ArchiveIterator(file)]
        assert records.count("response") in (5, 7)
    assert check_folder(folder).damages == []


def test_a_copy_waits_with_the_answer_it_repeats(tmp_path: Path) -> None:
    steps = [stored("http://a.example/1", "one text", at=1.0), *numbered(3), stored("http://a.example/2", "one text")]
    folder = collect(tmp_path, [*steps[1:], *steps[:1]])
    offset, length = place_of(folder, "http://a.example/2")
    cut(folder, offset + length // 2)
    with open_library(folder) as library:
        [found] = library.mend_archive()
        assert (found.answers, found.pages) == (2, 2)


def test_whole_files_and_no_files(folder: Path) -> None:
    with open_library(folder) as library:
        assert library.mend_archive() == []
    [path] = (folder / "warc").iterdir()
    path.unlink()  # somebody keeps it elsewhere
    with open_library(folder) as library:
        assert library.mend_archive() == []
    assert memory_library().mend_archive() == []

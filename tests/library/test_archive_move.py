"""WARC files in an object store: real fsspec, with a store in a folder and one in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy, LibraryError, UsageError
from scenthound.library import open_library
from scenthound.library.library_copy import copy_library
from tests.library.steps import SEED, entry, fetched

fsspec = pytest.importorskip("fsspec", reason="comes with scenthound[objects]")
pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.archive import object_store  # noqa: E402
from scenthound.library.archive_move import move_archive  # noqa: E402

LATER = "http://later.example/"


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    object_store._opened.cache_clear()
    yield f"file://{tmp_path}/far/away" if request.param == "file" else "memory://bucket/ferns"
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def folder(tmp_path: Path, postgres: str) -> Path:
    folder = tmp_path / "library"
    with open_library(folder, create=True, settings=LibrarySection(address=postgres)) as library:
        library.record(fetched(entry(SEED), text="the first one"))
    return folder


def warcs(folder: Path) -> list[Path]:
    return sorted(folder.glob("warc/**/*.warc.gz"))


def body(folder: Path, url: str) -> bytes:
    with open_library(folder, write=False) as library:
        answer = library.body(url)
        assert answer is not None
        return answer.body


def test_answers_are_read_from_where_they_were_moved(folder: Path, store: str) -> None:
    before, [file] = body(folder, SEED), warcs(folder)
    size = file.stat().st_size
    moved = move_archive(folder, store)
    assert (moved.files, moved.bytes, moved.before) == (1, size, 0)
    assert not warcs(folder)
    assert body(folder, SEED) == before


def test_a_crawl_goes_on_in_a_new_file_and_that_can_be_moved_too(folder: Path, store: str) -> None:
    move_archive(folder, store)
    with open_library(folder) as library:
        library.record(fetched(entry(LATER), text="the next one"))
    [file] = warcs(folder)
    assert body(folder, SEED) != body(folder, LATER)
    moved = move_archive(folder, store + "/")
    assert (moved.files, moved.before) == (1, 1)
    assert not file.exists()
    assert body(folder, SEED) != body(folder, LATER)


def test_what_no_row_speaks_of_stays_behind(folder: Path, store: str) -> None:
    [file] = warcs(folder)
    known = file.stat().st_size
    with file.open("ab") as tail:
        tail.write(b"of a transaction that did not come about")
    assert move_archive(folder, store).bytes == known
    assert body(folder, SEED)


def test_a_copy_has_files_of_its_own(folder: Path, store: str, tmp_path: Path) -> None:
    [file] = warcs(folder)
    content = file.read_bytes()
    move_archive(folder, store)
    copy_library(folder, tmp_path / "copy")
    [copied] = warcs(tmp_path / "copy")
    assert copied.read_bytes() == content
    assert body(tmp_path / "copy", SEED) == body(folder, SEED)


def test_what_the_store_has_changed_stays_in_the_folder(
    folder: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, put = warcs(folder), object_store.ObjectStore.put

    def loses_a_byte(self: object_store.ObjectStore, path: Path, name: str, size: int) -> None:
        whole = [path.read_bytes()[:size]]
        reads = iter([[whole[0][:-1]], whole])
        monkeypatch.setattr(object_store, "_parts", lambda file, size: next(reads))
        put(self, path, name, size)

    monkeypatch.setattr(object_store.ObjectStore, "put", loses_a_byte)
    with pytest.raises(LibraryError, match="is not what was sent"):
        move_archive(folder, store)
    assert warcs(folder) == before


def test_nothing_is_moved_while_a_crawl_writes(folder: Path, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.library.postgres.library.RELEASE", 0.0)
    with open_library(folder), pytest.raises(LibraryBusy):
        move_archive(folder, store)
    assert warcs(folder)


def test_a_second_place_is_refused(folder: Path, store: str, tmp_path: Path) -> None:
    move_archive(folder, store)
    with pytest.raises(UsageError, match="already"):
        move_archive(folder, f"file://{tmp_path}/elsewhere")


def test_a_library_of_files_keeps_its_archive(tmp_path: Path, store: str) -> None:
    open_library(tmp_path / "files", create=True).close()
    with pytest.raises(UsageError, match="library copy"):
        move_archive(tmp_path / "files", store)


def test_a_store_nobody_knows_is_explained(folder: Path) -> None:
    with pytest.raises(LibraryError, match="package"):
        move_archive(folder, "nosuch://bucket/ferns")
    assert warcs(folder)

"""Two libraries become one: nothing is lost, nothing is there twice, the later and the better word counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.errors import LibraryError
from scenthound.library import open_library
from scenthound.library.library_merge import merge_library
from scenthound.model import Label, Step
from tests.library.collection import collect, stored
from tests.library.steps import entry, fetched

BOTH, OURS, THEIRS = "http://both.example/", "http://ours.example/", "http://theirs.example/"
WAITS, BETTER, DONE, LOST = (f"http://{name}.example/" for name in ("waits", "better", "done", "lost"))
HTML = b'<p>theirs, <a href="http://ours.example/">ours</a></p>'


def ours(folder: Path, address: str = "") -> Path:
    with open_library(folder, create=True, settings=LibrarySection(address=address)) as library:
        library.record(stored(BOTH, "as it was", at=100.0))
        found = (entry(BETTER, 0.2, 5, OURS), entry(LOST, 0.3, 6, OURS))
        library.record(fetched(entry(OURS), 110.0, b"<p>ours</p>", (DONE,), found=found))
        library.record(stored(DONE, "done", at=120.0))
        library.add_labels([Label(BOTH, True, at=1.0)])
    return folder


def theirs(folder: Path) -> Path:
    collect(folder, [stored(BOTH, "as it was before", at=50.0), stored(BOTH, "as it is", at=200.0)])
    with open_library(folder) as library:
        found = (entry(WAITS, 0.6, 1, THEIRS), entry(BETTER, 0.9, 2, THEIRS), entry(DONE, 0.9, 3, THEIRS))
        library.record(fetched(entry(THEIRS), 210.0, HTML, (OURS,), found=found))
        library.record(Step(lease=entry(LOST), state="failed", at=220.0, reason="status: 404"))
        library.add_labels([Label(BOTH, False, at=2.0)])
    return folder


def check_merged(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        assert {page.url for page in library.pages()} == {BOTH, OURS, DONE, THEIRS}
        assert library.text(BOTH) == "as it is"
        assert [version.at for version in library.versions(BOTH)] == [100.0, 200.0]
        answer = library.body(THEIRS)
        assert answer is not None
        assert answer.body == HTML
        assert [link.source for link in library.backlinks(OURS)] == [THEIRS]
        states = {url: library.url_row(url).state for url in (WAITS, BETTER, DONE, LOST)}
        assert states == {WAITS: "waiting", BETTER: "waiting", DONE: "fetched", LOST: "failed"}
        assert library.url_row(BETTER).priority == 0.9
        assert library.url_row(WAITS).link.source == THEIRS
        assert [word.relevant for word in library.label_history(BOTH)] == [True, False]


def test_two_folders(tmp_path: Path) -> None:
    target, source = ours(tmp_path / "ours"), theirs(tmp_path / "theirs")
    outcome = merge_library(source, target)
    assert (outcome.pages, outcome.known, outcome.failed, outcome.labels) == (2, 0, 1, 1)
    check_merged(target)
    again = merge_library(source, target)
    assert (again.pages, again.known, again.failed, again.labels) == (0, 2, 0, 0)
    check_merged(target)


def test_into_postgresql(tmp_path: Path, postgres: str) -> None:
    target = ours(tmp_path / "ours", postgres)
    merge_library(theirs(tmp_path / "theirs"), target)
    check_merged(target)


def test_pages_without_answers_stay_behind_and_are_counted(tmp_path: Path) -> None:
    source = collect(tmp_path / "source", [stored(THEIRS, "text")], warc=False)
    outcome = merge_library(source, ours(tmp_path / "ours"))
    assert (outcome.pages, outcome.without_answer) == (0, 1)


def test_a_library_is_not_merged_with_itself(tmp_path: Path) -> None:
    folder = ours(tmp_path / "ours")
    with pytest.raises(LibraryError, match="with itself"):
        merge_library(folder, folder)

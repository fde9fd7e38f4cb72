"""Labels are set, taken back, listed and carried about; what is broken changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.label import labels_as_table, labels_from_table, list_labels, set_labels
from scenthound.errors import LibraryMissing, UsageError
from scenthound.library import open_library
from scenthound.library.label_file import LabelFile
from tests.library.collection import zoo

OTTERS = "https://www.zoo.example/otters"
OWL = "https://birds.example/owl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def listed(folder: Path) -> dict[str, tuple[bool, str]]:
    return {row.subject: (row.relevant, row.by) for row in list_labels(folder)}


def test_said_changed_and_taken_back(folder: Path) -> None:
    (first,) = set_labels(folder, ["birds.example/owl"], True)
    assert (first.subject, first.before, first.relevant, first.changed) == (OWL, None, True, True)
    assert (first.relevance, first.counted) == (0.0, False)
    assert listed(folder) == {OWL: (True, "person")}
    (again,) = set_labels(folder, [OWL], True)
    assert not again.changed
    (other,) = set_labels(folder, [OWL], False)
    assert (other.before, other.relevant) == (True, False)
    (undone,) = set_labels(folder, [OWL], None)
    assert (undone.before, undone.relevant, undone.changed) == (False, None, True)
    assert listed(folder) == {}
    (nothing,) = set_labels(folder, [OWL], None)
    assert not nothing.changed


def test_what_was_never_seen_is_kept_all_the_same(folder: Path) -> None:
    (change,) = set_labels(folder, ["www.zoo.example/otter"], True)
    assert (change.state, change.counted) == ("", None)
    assert OTTERS in change.near
    assert listed(folder) == {"https://www.zoo.example/otter": (True, "person")}


def test_named_twice_is_said_once(folder: Path) -> None:
    assert len(set_labels(folder, [OTTERS, f"{OTTERS}/", "zoo.example/otters"], True)) == 1


def test_one_that_is_no_url_and_nothing_is_stored(folder: Path) -> None:
    with pytest.raises(UsageError, match="ftp"):
        set_labels(folder, [OTTERS, "ftp://x/"], True)
    assert listed(folder) == {}


def test_while_a_crawl_holds_the_folder(folder: Path) -> None:
    with open_library(folder):
        assert set_labels(folder, [OTTERS], True)[0].changed
    assert listed(folder) == {OTTERS: (True, "person")}


def test_a_folder_that_no_crawl_was_in_yet(tmp_path: Path) -> None:
    set_labels(tmp_path, ["a.example/x"], False)
    set_labels(tmp_path, ["b.example"], True, sites=True)
    rows = {row.subject: (row.kind, row.relevant) for row in list_labels(tmp_path)}
    assert rows == {"https://a.example/x": ("page", False), "b.example": ("site", True)}
    with pytest.raises(LibraryMissing, match="no folder"):
        set_labels(tmp_path / "none", ["a.example"], True)


def test_the_list_has_the_last_first_with_titles(folder: Path) -> None:
    set_labels(folder, [OWL], False)
    set_labels(folder, [OTTERS, "nowhere.example"], True)
    rows = list_labels(folder)
    assert rows[-1].subject == OWL
    assert {row.subject: row.title for row in rows} == {
        OWL: "Owls",
        OTTERS: "All about otters",
        "https://nowhere.example/": "",
    }


def test_by_table_from_one_folder_to_another(folder: Path, tmp_path: Path) -> None:
    set_labels(folder, [OTTERS], True)
    set_labels(folder, [OWL], False)
    set_labels(folder, ["c.example"], True, sites=True)
    table = labels_as_table(folder)
    other = zoo(tmp_path / "other")
    assert all(change.changed for change in labels_from_table(other, table.encode(), "x.csv"))
    assert labels_as_table(other) == table
    assert not any(change.changed for change in labels_from_table(other, table.encode(), "x.csv"))


def test_pages_of_a_table_are_found_as_those_typed(folder: Path) -> None:
    labels_from_table(folder, b"url,relevant\nzoo.example/otters/,yes\nold.example,yes\n", "x.csv")
    assert listed(folder) == {OTTERS: (True, "file")}


def test_sites_of_a_table_by_any_of_their_names(tmp_path: Path) -> None:
    rows = "url,relevant,kind\nhttps://B.example/x,yes,site\nc.example,no,site\n"
    labels_from_table(tmp_path, rows.encode(), "x.csv")
    assert listed(tmp_path) == {"b.example": (True, "file"), "c.example": (False, "file")}


def test_a_broken_table_changes_nothing(folder: Path) -> None:
    with pytest.raises(UsageError, match="line 3"):
        labels_from_table(folder, b"url,relevant\na.example,yes\nb.example,perhaps\n", "x.csv")
    assert listed(folder) == {}


def test_a_person_outranks_a_table(folder: Path) -> None:
    set_labels(folder, [OTTERS], True)
    (change,) = labels_from_table(folder, f"url,relevant\n{OTTERS},no\n".encode(), "x.csv")
    assert (change.relevant, change.changed) == (True, False)
    assert LabelFile(folder).labels()[OTTERS].by == "person"

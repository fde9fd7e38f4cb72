from pathlib import Path

from scenthound.library import open_library
from scenthound.library.folder_check import check_folder, holds_library
from tests.library.breaking import spoil_value
from tests.library.collection import zoo


def test_a_whole_folder(tmp_path: Path) -> None:
    findings = check_folder(zoo(tmp_path))
    assert (findings.damages, findings.answers, findings.being_written) == ([], 6, False)


def test_a_library_that_is_being_written(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    with open_library(folder):
        assert check_folder(folder).being_written


def test_each_damaged_part_is_named(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    spoil_value(folder, "UPDATE urls SET state = 99 WHERE rowid = (SELECT max(rowid) FROM urls)")
    (folder / "labels.jsonl").write_text("no labels\n\n")
    for path in (folder / "warc").iterdir():
        path.write_bytes(path.read_bytes()[:-10])
    parts = [damage.part.partition("scenthound-")[0] for damage in check_folder(folder).damages]
    assert parts == ["library.db, table urls", "warc/", "labels.jsonl"]


def test_what_is_left_of_a_library(tmp_path: Path) -> None:
    assert not holds_library(tmp_path)
    folder = zoo(tmp_path / "zoo")
    (folder / "library.db").unlink()
    assert holds_library(folder)

from pathlib import Path

import pytest

from scenthound.app.library_check import check_library
from scenthound.errors import LibraryMissing
from tests.library.collection import zoo


def parts(folder: Path) -> list[str]:
    return [damage.part for damage in check_library(folder).damages]


def test_a_whole_library(tmp_path: Path) -> None:
    checked = check_library(zoo(tmp_path))
    assert (checked.whole, checked.answers, checked.damages) == (True, 6, [])


def test_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        check_library(tmp_path)


def test_settings_and_recordings_belong_to_it(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    [warc] = (folder / "warc").iterdir()
    whole, cut, none = tmp_path / "whole.warc.gz", tmp_path / "cut.warc.gz", tmp_path / "none.warc.gz"
    whole.write_bytes(warc.read_bytes())
    cut.write_bytes(warc.read_bytes()[:-30])
    named = ", ".join(f'"{path}"' for path in (whole, cut, none))
    (folder / "topic.toml").write_text(f'[topic]\nname = "otters"\n[fetch]\nrecorded = [{named}]\n')
    assert parts(folder) == [str(cut), str(none)]
    (folder / "topic.toml").write_text("[topic\n")
    assert parts(folder) == ["topic.toml"]

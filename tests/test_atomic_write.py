from pathlib import Path

import pytest

from scenthound.atomic_write import replacing
from scenthound.errors import LibraryFull


def test_the_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with replacing(path) as stream:
        stream.write("néw\n")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_bytes() == "néw\n".encode()
    assert path.stat().st_mode & 0o400
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


def test_broken_off_it_was_never_there(tmp_path: Path) -> None:
    def interrupted() -> None:
        with replacing(tmp_path / "file.txt") as stream:
            stream.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(LibraryFull, match="cannot be written"), replacing(tmp_path / "no" / "file.txt"):
        pass

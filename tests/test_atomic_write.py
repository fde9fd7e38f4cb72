import subprocess
import sys
from pathlib import Path

import pytest

from scenthound import atomic_write
from scenthound.atomic_write import remove_left_over, replacing
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


def test_what_a_killed_process_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    killed = (
        "import os, sys; from pathlib import Path; from scenthound.atomic_write import replacing\n"
        "with replacing(Path(sys.argv[1])) as stream:\n"
        "    stream.write('half'); stream.flush(); os.kill(os.getpid(), 9)"
    )
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", killed, str(path)], check=False).returncode == -9
    [part] = tmp_path.iterdir()
    assert part.name.endswith(".part")
    with replacing(path) as stream:
        stream.write("whole")
    assert [entry.name for entry in tmp_path.iterdir()] == ["pages.csv"]


def test_a_part_that_is_being_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    program = (
        "import sys; from pathlib import Path; from scenthound.atomic_write import replacing\n"
        "with replacing(Path(sys.argv[1])) as stream:\n"
        "    stream.write('theirs'); print('begun', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "begun\n"
    with replacing(path) as stream:
        stream.write("ours")
    assert path.read_text() == "ours"
    other.communicate("")
    assert (other.returncode, path.read_text()) == (0, "theirs")


def test_files_of_others_stay(tmp_path: Path) -> None:
    others = [
        ".pages.csv.part",
        ".pages.csv.download.part",
        "pages.csv.part",
        ".pages.csvx.scenthound-abcdefgh.part",
        ".other.csv.scenthound-abcdefgh.part",
    ]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / ".pages.csv.scenthound-abcdefgh.part").touch()
    remove_left_over(tmp_path / "pages.csv")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(others)


def test_a_part_that_was_taken_for_left_over_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the moment at which it is made and the moment at which it is held, another process may clean up."""
    seize, path = atomic_write._seize, tmp_path / "pages.csv"
    parts: list[int] = []

    def seize_late(file: int) -> bool:
        parts.append(file)
        if len(parts) == 1:
            remove_left_over(path)
        return seize(file)

    monkeypatch.setattr(atomic_write, "_seize", seize_late)
    with replacing(path) as stream:
        stream.write("whole")
    assert len(parts) == 3  # the first, whoever cleans up, the second
    assert [entry.name for entry in tmp_path.iterdir()] == ["pages.csv"]

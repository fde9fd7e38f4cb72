"""Files that are only added to: a torn line is cut off, a whole one without its end is kept, two writers take turns."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from scenthound.library import line_file

HEADER = b"header"


def add(path: Path, line: bytes) -> None:
    with line_file.held(path) as file:
        line_file.append(file, path, HEADER, line + b"\n", lambda found: found.startswith(b"line"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"header\nline 2\n"),
        (b"hea", b"header\nline 2\n"),
        (b"header\nline 1\n", b"header\nline 1\nline 2\n"),
        (b"header\nline 1", b"header\nline 1\nline 2\n"),
        (b"header\nline 1\nli", b"header\nline 1\nline 2\n"),
    ],
)
def test_what_was_torn_is_mended(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "deep" / "file.jsonl"
    path.parent.mkdir()
    path.write_bytes(before)
    add(path, b"line 2")
    assert path.read_bytes() == after


def test_writers_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    threads = [Thread(target=add, args=(path, b"line %d" % number)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_bytes().split(b"\n")[1:-1]) == sorted(b"line %d" % number for number in range(20))


def test_how_a_file_looks(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    assert line_file.looks(path) is None
    add(path, b"line 1")
    before = line_file.looks(path)
    assert before == line_file.looks(path)
    add(path, b"line 2")
    assert line_file.looks(path) != before

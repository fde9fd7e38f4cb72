"""`labels.jsonl`: several write at once, any of them may be killed, and no label that was said to be stored is lost."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scenthound.errors import ConfigError, LibraryFull, LibraryVersion
from scenthound.library import open_library
from scenthound.library.label_file import HEADER, NAME, LabelFile
from scenthound.model import Label
from tests.library.steps import SEED, entry, fetched

ROOT = Path(__file__).parents[2]
MARKS = b"""{"scenthound":"marks","version":1}
{"url":"http://a.example/","relevant":true,"by":"bookmarks"}
{"url":"http://a.example/","relevant":false,"by":"asked"}
{"url":"http://b.example/","relevant":true,"by":"list"}
{"url":"http://c.example/","relevant":true}
"""


def labeller(folder: Path, host: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.library.labeller", str(folder), host, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def expected(host: str, n: int) -> Label:
    return Label(f"http://{host}/{n}", n % 3 > 0, at=float(n + 1))


def test_a_folder_without_a_library(tmp_path: Path) -> None:
    labels = LabelFile(tmp_path / "new", clock=lambda: 7.0)
    assert labels.labels() == {}
    assert not (tmp_path / "new").exists()
    labels.add_labels([Label(SEED, True)])
    assert LabelFile(tmp_path / "new").labels() == {SEED: Label(SEED, True, at=7.0)}
    assert (tmp_path / "new" / NAME).read_bytes().splitlines() == [
        HEADER,
        b'{"subject":"http://a.example/","relevant":true,"by":"person","at":7.0,"kind":"page"}',
    ]


def test_what_another_says_is_seen(tmp_path: Path) -> None:
    one, other = LabelFile(tmp_path), LabelFile(tmp_path)
    one.add_labels([Label(SEED, True, "list")])
    assert other.labels()[SEED].relevant is True
    other.add_labels([Label(SEED, False)])
    assert one.add_labels([Label(SEED, True, "list")]) == [], "a person has spoken meanwhile"
    assert one.labels()[SEED].relevant is False


def test_labels_while_a_crawl_writes(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
        library.flush()
        with open_library(tmp_path, write=False) as reader:
            assert len(reader.add_labels([Label(SEED, True)])) == 1
        assert library.labels()[SEED].relevant is True


def test_two_processes_at_once(tmp_path: Path) -> None:
    processes = {host: labeller(tmp_path, host, 60) for host in ("a.example", "b.example")}
    for process in processes.values():
        process.communicate()
        assert process.returncode == 0
    assert LabelFile(tmp_path).labels() == {
        word.subject: word for host in processes for word in (expected(host, n) for n in range(60))
    }
    lines = (tmp_path / NAME).read_bytes().splitlines()
    assert (len(lines), lines.count(HEADER)) == (121, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
def test_killed_at_any_moment(tmp_path: Path) -> None:
    dice = random.Random()
    promised: dict[str, Label] = {}
    for kill in range(4):
        host = f"{kill}.example"
        process = labeller(tmp_path, host, 100_000)
        assert process.stdout is not None
        said = [process.stdout.readline()]
        time.sleep(dice.uniform(0.0, 0.1))
        process.kill()
        said += process.stdout.read().splitlines()
        process.stdout.close()
        process.wait()
        promised |= {word.subject: word for word in (expected(host, int(n)) for n in said)}
        found = LabelFile(tmp_path).labels()
        assert promised.items() <= found.items()


@pytest.mark.parametrize("cut", range(1, 85))
def test_killed_in_the_middle_of_a_line(tmp_path: Path, cut: int) -> None:
    """Whatever part of the last line was written, it is as if nothing had been, and the next label is whole."""
    first, torn = Label(SEED, True, at=1.0), Label("http://b.example/", False, at=2.0)
    labels = LabelFile(tmp_path)
    labels.add_labels([first])
    before = (tmp_path / NAME).stat().st_size
    labels.add_labels([torn])
    left = (tmp_path / NAME).stat().st_size - cut
    assert left >= before
    os.truncate(tmp_path / NAME, left)
    counts = {SEED: first} | ({torn.subject: torn} if cut == 1 else {})
    for store in (labels, LabelFile(tmp_path)):
        assert store.labels() == counts, "a line that lacks nothing but its end counts"
    last = Label("http://c.example/", True, at=3.0)
    LabelFile(tmp_path).add_labels([last])
    assert labels.labels() == LabelFile(tmp_path).labels() == counts | {last.subject: last}
    assert (tmp_path / NAME).read_bytes().endswith(b"}\n")


@pytest.mark.parametrize("size", range(len(HEADER) + 2))
def test_killed_in_the_middle_of_the_header(tmp_path: Path, size: int) -> None:
    (tmp_path / NAME).write_bytes((HEADER + b"\n")[:size])
    labels = LabelFile(tmp_path)
    assert labels.labels() == {}
    labels.add_labels([Label(SEED, True, at=1.0)])
    assert LabelFile(tmp_path).labels() == {SEED: Label(SEED, True, at=1.0)}
    assert (tmp_path / NAME).read_bytes().startswith(HEADER + b"\n{")


def test_old_marks_are_the_beginning(tmp_path: Path) -> None:
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "marks.jsonl").write_bytes(MARKS + b'{"url":"http://torn')
    labels = LabelFile(tmp_path)
    assert {url: (word.relevant, word.by) for url, word in labels.labels().items()} == {
        "http://a.example/": (False, "person"),
        "http://b.example/": (True, "list"),
        "http://c.example/": (True, "file"),
    }
    assert labels.add_labels([Label("http://a.example/", True, "list")]) == []
    labels.add_labels([Label("http://b.example/", None)])
    assert sorted(LabelFile(tmp_path).labels()) == ["http://a.example/", "http://c.example/"]
    assert len(labels.label_history("http://a.example/")) == 3
    assert (tmp_path / "training" / "marks.jsonl").read_bytes().startswith(MARKS), "it is left as it is"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (HEADER + b'\n{"subject": 3}\n{"subject":"x","relevant":true}\n', "line 2"),
        (HEADER + b"\n\nnonsense\n", "line 3"),
        (b"URL,label\nhttp://a.example/,yes\n", "line 1"),
        (b"a list of my own", "line 1"),
        (b'{"scenthound":"trails","version":1}\n', "file of trails"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(ConfigError, match=line):
        LabelFile(tmp_path).labels()
    with pytest.raises(ConfigError, match=line):
        LabelFile(tmp_path).add_labels([Label(SEED, True)])
    assert (tmp_path / NAME).read_bytes() == content


def test_a_file_from_the_future(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b'{"scenthound":"labels","version":2}\n{"what":"ever"}\n')
    with pytest.raises(LibraryVersion, match="newer Scenthound"):
        LabelFile(tmp_path).labels()


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryFull, match="cannot be written"):
        LabelFile(tmp_path / "file").add_labels([Label(SEED, True)])


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
def test_a_full_disk(tmp_path: Path) -> None:
    """A file that cannot grow stands for a disk that is full: what was stored is there, and the rest is told."""
    program = (
        "import resource, sys; from pathlib import Path; from tests.library.labeller import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); main(Path(sys.argv[1]), 'a.example', 100)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "LibraryFull" in ended.stderr
    assert "Labels set before are safe" in ended.stderr
    stored = [expected("a.example", int(n)) for n in ended.stdout.split()]
    assert list(LabelFile(tmp_path).labels().values()) == stored
    LabelFile(tmp_path).add_labels([Label(SEED, True)])
    assert len(LabelFile(tmp_path).labels()) == len(stored) + 1

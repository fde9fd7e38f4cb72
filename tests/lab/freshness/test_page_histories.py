from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from scenthound.errors import RecordingError, UsageError
from scenthound.lab.freshness.detection import Detection, markdown
from scenthound.lab.freshness.freshness_chart import dots
from scenthound.lab.freshness.page_histories import history_files, page_lives, read_history
from scenthound.lab.statistics import Estimate

SITE = "http://example.org"
FIRST = "<html><body><h1>A</h1><p>one two three</p><a href='/faq/b.html'>b</a></body></html>"
VERSIONS = [
    (0, FIRST),
    (10, FIRST + "<!-- noise -->"),
    (20, FIRST.replace("one two", "two one")),  # the text code cannot tell
    (30, FIRST.replace("<p>", "<hr><p>")),
    (40, None),
]


def write(path: Path, versions: list[tuple[float, str | None]]) -> None:
    lines = "".join(json.dumps({"at": at, "body": body}) + "\n" for at, body in versions).encode()
    pack = {".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(lines))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "a.html.jsonl.xz", VERSIONS)
    write(tmp_path / "faq__b.html.jsonl.gz", [(5, "<p>b</p>")])
    write(tmp_path / "c.jsonl", [(7, "<p>c</p>"), (6, "<p>earlier</p>")])
    (tmp_path / "notes.txt").write_text("none of it")
    return tmp_path


def test_files_of_all_kinds_are_read(folder: Path) -> None:
    histories = [read_history(path, SITE + "/") for path in history_files(folder)]
    assert [history.url for history in histories] == [f"{SITE}/a.html", f"{SITE}/c", f"{SITE}/faq/b.html"]
    assert [version.at for version in histories[1].versions] == [6, 7]


def test_lives_are_what_looks_would_show(folder: Path) -> None:
    detection = Detection()
    life = next(iter(page_lives(history_files(folder), SITE, lambda page: 0.5, detection.take)))
    assert (life.born, life.removed) == (0, 40)
    assert [version.new for version in life.versions] == [True, False, True, True, True]
    assert life.versions[0].forward == 1
    assert life.versions[0].targets == {f"{SITE}/faq/b.html"}
    assert life.versions[0].relevance == 0.5
    assert life.versions[-1].gone
    assert detection.first == {"noise": 1, "text": 1, "structure": 1}
    assert detection.differs["text"] - detection.caught["text"] >= 1
    assert detection.collisions("text") == 1
    assert "| structure | 1 | 33.3 % |" in markdown(detection)
    assert markdown(Detection()) == "No page has two versions."


@pytest.mark.parametrize("content", [b"", b"{]\n", b'{"at": "x", "body": ""}\n', b'{"at": 1, "body": null}\n'])
def test_what_is_no_history_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=r"a\.jsonl"):
        read_history(path, SITE)
    (tmp_path / "b.jsonl.xz").write_bytes(b"not packed")
    with pytest.raises(RecordingError):
        read_history(tmp_path / "b.jsonl.xz", SITE)


def test_folders_without_histories_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no histories"):
        history_files(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        history_files(tmp_path / "missing")


def test_the_picture_shows_every_policy_and_escapes_names() -> None:
    drawn = dots("T", {"1 a month": {"uniform": Estimate(0.5, 0.4, 0.6, 9, 9), "<b>": Estimate(1, 1, 1, 9, 9)}}, "<b>")
    assert drawn.count("<circle") == 2
    assert "&lt;b&gt;" in drawn
    assert "<b>" not in drawn

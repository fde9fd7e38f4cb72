"""What is kept in a folder, and what is refused there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scenthound.errors import ConfigError, LibraryVersion
from scenthound.learn.graphs.trails import START, Trail, click_path
from scenthound.library.label_file import LabelFile
from scenthound.model import Label
from scenthound.training.training_store import GraphHeader, Node, TrainingStore

A, B, C = (f"http://a.test/{name}" for name in "abc")


def test_trails_come_back_and_none_twice(tmp_path: Path) -> None:
    training = TrainingStore(tmp_path)
    assert training.trails() == []
    first, second = click_path([A, B]), Trail((A, B), (START, 0), 100.0)
    assert training.add_trails([first, second]) == 2
    longer = Trail((A, B, C), (START, 0, 1), 100.0)  # the same sitting, imported when it was over
    assert training.add_trails([longer, first]) == 0
    assert training.trails() == [first, longer]
    assert training.add_trails([second]) == 0
    assert training.trails() == [first, longer]
    lines = (tmp_path / "training" / "trails.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"scenthound": "trails", "version": 1}
    assert json.loads(lines[1]) == {"urls": [A, B], "origins": [-1, 0], "begun": 0.0}


def test_the_last_word_on_a_page_counts(tmp_path: Path) -> None:
    training = TrainingStore(tmp_path)
    assert training.mark({A: True, B: False}, "file") == 2
    assert training.mark({A: True}, "list") == 0
    assert training.mark({A: False}, "person") == 1
    assert training.marks() == {A: False, B: False}
    assert training.mark({A: True, B: True}, "bookmarks") == 1  # what a person said of A stands
    assert training.marks() == {A: False, B: True}
    assert training.mark({A: True}, "person") == 1
    assert training.marks() == {A: True, B: True}


def test_marks_are_the_labels_of_the_folder(tmp_path: Path) -> None:
    training, labels = TrainingStore(tmp_path), LabelFile(tmp_path)
    training.mark({A: True}, "bookmarks")
    assert [(label.subject, label.relevant, label.by) for label in labels.labels().values()] == [(A, True, "bookmarks")]
    labels.add_labels([Label(A, False), Label(B, True), Label("b.test", True, kind="site")])
    assert training.marks() == {A: False, B: True}
    assert not (tmp_path / "training").exists()


def test_marks_of_an_earlier_version_count_on(tmp_path: Path) -> None:
    lines = [
        '{"scenthound": "marks", "version": 1}',
        f'{{"url": "{A}", "relevant": true, "by": "asked"}}',
        f'{{"url": "{B}", "relevant": false, "by": "list"}}',
    ]
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "marks.jsonl").write_text("\n".join([*lines, ""]))
    training = TrainingStore(tmp_path)
    assert training.marks() == {A: True, B: False}
    assert training.mark({A: False, B: True}, "bookmarks") == 1  # what a person said of A stands
    assert training.marks() == {A: True, B: True}


def test_a_graph_comes_back(tmp_path: Path) -> None:
    training = TrainingStore(tmp_path)
    assert training.graph() is None
    header, nodes = GraphHeader(source="library", seed=3, sequences=7), [Node(A, 0, 0), Node(B, 1, 1, (0,))]
    training.keep_graph(header, nodes)
    assert training.graph() == (header, nodes)


@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        ("trails.jsonl", ['{"scenthound": "marks", "version": 1}'], "line 1 cannot be used"),
        ("trails.jsonl", ["nonsense"], "line 1 cannot be used"),
        ("trails.jsonl", ['{"scenthound": "trails", "version": 1}', "{}"], "line 2 cannot be used.*Delete the file"),
        ("trails.jsonl", ['{"scenthound": "trails", "version": 1}', '{"urls": ["x"], "origins": [0]}'], "line 2"),
        ("trails.jsonl", ['{"scenthound": "trails", "version": 1}', '{"urls": ["x"], "origins": []}'], "line 2"),
        ("marks.jsonl", ['{"scenthound": "marks", "version": 1}', '{"url": "x"}', ""], "line 2"),
        ("graph.jsonl", ['{"scenthound": "graph"}', '{"url": "x", "layer": 0, "state": 0, "links": [1]}'], "line 2"),
        ("graph.jsonl", [], "line 1"),
    ],
)
def test_what_is_broken_says_so(tmp_path: Path, name: str, lines: list[str], says: str) -> None:
    training = TrainingStore(tmp_path)
    training.folder.mkdir()
    (training.folder / name).write_text("\n".join(lines))
    read = {"trails.jsonl": training.trails, "marks.jsonl": training.marks, "graph.jsonl": training.graph}[name]
    with pytest.raises(ConfigError, match=says):
        read()


def test_a_newer_version_is_not_guessed_at(tmp_path: Path) -> None:
    training = TrainingStore(tmp_path)
    training.keep_graph(GraphHeader(version=2), [])
    with pytest.raises(LibraryVersion, match="newer Scenthound"):
        training.graph()

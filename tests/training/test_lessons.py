"""From `training/` to lessons, both kinds, and what is said where there is nothing to learn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from scenthound import training
from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import click_path
from scenthound.library.label_file import LabelFile
from scenthound.model import Label, Lessons
from scenthound.training.training_pages import fetch_into
from scenthound.training.training_store import GraphHeader, Node, TrainingStore
from tests.crawler.judged_library import crawl, settings
from tests.small_web import ScriptedFetcher, page
from tests.training.test_training_pages import config

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")
WEB = {A: page(B, C, text="a"), B: page(C, text="b"), C: page(text="c tram"), D: page(A, text="d")}


async def stored(folder: Path, urls: Iterable[str] = WEB) -> TrainingStore:
    await fetch_into(folder / "training", list(urls), config(robots=False), ScriptedFetcher(WEB))
    return TrainingStore(folder)


def urls(lessons: Lessons) -> list[str]:
    return [page.url for page in lessons.pages]


async def test_trails(tmp_path: Path) -> None:
    kept = await stored(tmp_path)
    kept.add_trails([click_path([D, A, B, "<", C])])
    kept.mark({C: True, B: False}, "list")
    lessons = training.load_lessons(tmp_path)
    assert urls(lessons) == [D, A, B, C]
    assert lessons.states == (2, 1, -1, 0)
    assert lessons.sequences == ((0, 1, 2), (0, 1, 3))
    assert lessons.pages[3].terms["tram"] == 1


async def test_a_graph_and_its_sequences(tmp_path: Path) -> None:
    kept = await stored(tmp_path)
    nodes = [Node(C, 0, 0), Node(A, 1, 1, (0, 2)), Node(B, 1, 1, (0,)), Node(D, 2, 2, (1,))]
    kept.keep_graph(GraphHeader(seed=4, sequences=40), nodes)
    lessons = training.load_lessons(tmp_path)
    assert urls(lessons) == [C, A, B, D]
    assert lessons.states == (0, 1, 1, 2)
    assert lessons.edges == ((1, 0), (1, 2), (2, 0), (3, 1))
    assert len(lessons.sequences) == 40
    assert lessons == training.load_lessons(tmp_path)
    assert training.load_lessons(tmp_path, seed=5).sequences != lessons.sequences
    assert len(training.load_lessons(tmp_path, sequences=3).sequences) == 3


async def test_a_label_decides_what_a_target_is(tmp_path: Path) -> None:
    kept = await stored(tmp_path)
    nodes = [Node(C, 0, 0), Node(A, 1, 1, (0, 2)), Node(B, 1, 1, (0,)), Node(D, 2, 2, (1,))]
    kept.keep_graph(GraphHeader(seed=4, sequences=40), nodes)
    before = training.load_lessons(tmp_path)
    LabelFile(tmp_path).add_labels([Label(B, True), Label(C, False)])
    lessons = training.load_lessons(tmp_path)
    assert [page.url for page in lessons.targets] == [B]
    assert lessons.states == (-1, 1, 0, 2)
    assert lessons.sequences != before.sequences
    LabelFile(tmp_path).add_labels([Label(B, None)])
    with pytest.raises(ConfigError, match=r"none is relevant.*--yes"):
        training.load_lessons(tmp_path)


async def test_a_label_counts_on_trails_too(tmp_path: Path) -> None:
    kept = await stored(tmp_path)
    kept.add_trails([click_path([D, A, B, "<", C])])
    kept.mark({C: True}, "bookmarks")
    LabelFile(tmp_path).add_labels([Label(C, False), Label(A, True)])
    assert [page.url for page in training.load_lessons(tmp_path).targets] == [A]


async def test_pages_that_are_gone_are_left_out(tmp_path: Path) -> None:
    kept = await stored(tmp_path, [C, A, D])
    kept.keep_graph(GraphHeader(sequences=5), [Node(C, 0, 0), Node(B, 1, 1, (0,)), Node(A, 1, 1, (0,)), Node(D, 2, 2)])
    lessons = training.load_lessons(tmp_path)
    assert urls(lessons) == [C, A, D]
    assert (lessons.edges, lessons.states) == (((1, 0),), (0, 1, -1))


async def test_both_kinds_together_or_one_of_them(tmp_path: Path) -> None:
    kept = await stored(tmp_path)
    kept.add_trails([click_path([D, A])])
    kept.mark({A: True}, "list")
    kept.keep_graph(GraphHeader(sequences=5), [Node(C, 0, 0), Node(B, 1, 1, (0,))])
    assert urls(training.load_lessons(tmp_path)) == [D, A, C, B]
    assert urls(training.load_lessons(tmp_path, "trails")) == [D, A]
    assert urls(training.load_lessons(tmp_path, "graph")) == [C, B]


async def test_what_to_do_where_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"trails import .* FILE, collect a web graph: .*, or .* --ask"):
        training.load_lessons(tmp_path)
    with pytest.raises(ConfigError, match=r"no graph to learn from yet\. Collect"):
        training.load_lessons(tmp_path, "graph")
    kept = TrainingStore(tmp_path)
    kept.add_trails([click_path([D, A])])
    with pytest.raises(ConfigError, match=r"marked relevant.*--ask"):
        training.load_lessons(tmp_path)
    kept.mark({A: True}, "list")
    with pytest.raises(ConfigError, match="None of the relevant pages"):
        training.load_lessons(tmp_path)


async def crawled(folder: Path) -> None:
    """A library of its own, in which the crawl came from D by A to B and C."""
    await crawl(folder, settings("tram", pages=4, crawl={"seeds": [D]}), web=WEB)


async def test_labelled_pages_on_no_trail_come_with_the_way_to_them(tmp_path: Path) -> None:
    await crawled(tmp_path)
    LabelFile(tmp_path).add_labels([Label(C, True), Label(B, False), Label("http://a.test/never", True)])
    lessons = training.load_lessons(tmp_path)
    assert dict(zip(urls(lessons), lessons.states, strict=True)) == {D: 2, A: 1, C: 0, B: -1}
    assert sorted(tuple(urls(lessons)[page] for page in way) for way in lessons.sequences) == [(D, A, B), (D, A, C)]


async def test_labelled_pages_join_what_was_browsed(tmp_path: Path) -> None:
    await crawled(tmp_path)
    kept = TrainingStore(tmp_path)
    kept.add_trails([click_path([A, B])])
    kept.mark({B: True}, "list")
    assert urls(training.load_lessons(tmp_path)) == [A, B]
    LabelFile(tmp_path).add_labels([Label(C, True)])
    lessons = training.load_lessons(tmp_path)
    assert [page.url for page in lessons.targets] == [B, C]
    assert urls(training.load_lessons(tmp_path, "trails")) == [A, B]


async def test_what_is_said_where_labels_are_no_help(tmp_path: Path) -> None:
    await crawled(tmp_path)
    LabelFile(tmp_path).add_labels([Label(C, False)])
    with pytest.raises(ConfigError, match=r"labelled relevant.*label .* --ask"):
        training.load_lessons(tmp_path)

"""Which pages one is asked about, and by which judge."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound import config as toml
from scenthound import registry
from scenthound.app.label_questions import IN_VAIN, answer_by_program, open_session, pages_to_ask, read_session
from scenthound.library import memory_library, open_library
from scenthound.model import Label, Page
from scenthound.protocols.crawl import Context
from tests.library.collection import collect, fill, numbered, stored, zoo, zoo_config

OTTERS = "https://www.zoo.example/otters"


def test_pages_that_can_be_asked_about(tmp_path: Path) -> None:
    steps = [
        stored("https://a.example/", "otters"),
        stored("https://b.example/", "otters", duplicate_of="https://a.example/"),
        stored("https://c.example/", "otters", noindex=True),
        stored("https://d.example/", "ducks", duplicate_of="https://a.example/"),
    ]
    with memory_library() as library:
        fill(library, steps)
        library.add_labels([Label("https://d.example/", False)])  # what is labelled is needed to learn from
        assert [page.url for page in pages_to_ask(library, 0.5)] == ["https://a.example/", "https://d.example/"]


def test_of_many_pages_doubtful_ones_good_ones_and_some_of_all_kinds() -> None:
    with memory_library() as library:
        fill(library, numbered(100))  # relevance 0.0 to 0.9
        assert len(pages_to_ask(library, 0.5, 1000)) == 100
        chosen = pages_to_ask(library, 0.5, 20)
        assert len(chosen) == 20
        assert [page.seq for page in chosen] == sorted(page.seq for page in chosen)
        assert sum(page.relevance == 0.5 for page in chosen) >= 10
        assert sum(page.relevance == 0.9 for page in chosen) >= 5
        assert any(page.relevance < 0.4 for page in chosen)
        assert chosen == pages_to_ask(library, 0.5, 20)
        library.add_labels([Label(page.url, True) for page in chosen])
        assert len(pages_to_ask(library, 0.5, 20)) == 40


async def test_a_session_asks_by_the_judge_that_a_crawl_would_have(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    with open_library(folder, write=False) as library:
        library.add_labels([Label("https://birds.example/duck", False)])
    progress: list[tuple[int, int]] = []
    read = await read_session(folder, lambda *far: progress.append(far))
    with open_session(folder, read) as asking:
        first = asking.session.question()
        assert first is not None
        assert first.url == OTTERS
        assert asking.topic.name == "otters"
        asking.session.answer(OTTERS, True)
    assert progress[-1][0] == progress[-1][1]
    with open_session(folder, await read_session(folder)) as again:
        asked = again.session.question()
        assert asked is not None
        assert asked.url not in (OTTERS, "https://birds.example/duck")


async def test_the_topic_as_it_is_now_counts_not_as_it_was_crawled(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    config = zoo_config()
    config.topic.keywords = ["owl", "mice"]
    toml.save(config, folder / "topic.toml")
    with open_session(folder, await read_session(folder)) as asking:
        question = asking.session.question()
    assert question is not None
    assert question.title == "Owls"


@dataclass
class Watching:
    """Likes pages on hosts it has seen, and counts how often it began."""

    seen_: list[str] = field(default_factory=list)
    begun_: int = 0
    examples_: tuple[str, ...] = ()

    def begin(self, context: Context) -> None:
        self.begun_ += 1
        self.examples_ = tuple(page.url for page in context.examples)

    def saw(self, page: Page) -> None:
        self.seen_.append(page.url)

    def __call__(self, page: Page) -> float:
        return 1.0 if page.url in self.examples_ else len(self.seen_) / 100


async def test_a_judge_that_watches_is_shown_the_sample_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = collect(tmp_path / "x", numbered(30, size=1), zoo_config())
    made: list[Watching] = []

    def build(name: str, parameters: dict[str, object]) -> Watching:
        made.append(Watching())
        return made[-1]

    monkeypatch.setattr(registry.judge, "build", build)
    with open_session(folder, await read_session(folder)) as asking:
        shown = [judge for judge in made if judge.seen_]
        assert [len(judge.seen_) for judge in shown] == [30, 30]
        assert len(set(shown[0].seen_)) == 30
        assert shown[0].seen_ == shown[1].seen_
        assert [judge.begun_ for judge in shown] == [2, 2]  # with nothing seen, and with all of it
        question = asking.session.question()
        assert question is not None
        assert question.probability == 0.3
        asking.session.answer(question.url, True)
        asking.session.settle()
        assert asking.session.question_about(question.url).probability == 1.0
        assert sorted(judge.begun_ for judge in shown) == [2, 3]
        assert all(len(judge.seen_) == 30 for judge in shown)


async def test_a_program_is_asked_until_it_fails_too_often(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", numbered(20, size=1), zoo_config())
    code = "import sys; page = sys.stdin.read(); print('unsure' if '/7' in page else 'what?')"
    with open_session(folder, await read_session(folder)) as asking:
        report = await answer_by_program(asking, [sys.executable, "-c", code], folder)
        assert asking.session.store.labels() == {}
    assert report.gave_up
    assert list(report.in_vain) == ["the answer was none of yes, no, unsure"]
    assert report.in_vain["the answer was none of yes, no, unsure"] >= IN_VAIN
    assert report.runs == sum(report.in_vain.values()) + report.unsure


async def test_as_many_questions_as_wanted_and_no_more(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", numbered(20, size=1), zoo_config())
    progress: list[tuple[int, int]] = []
    with open_session(folder, await read_session(folder)) as asking:
        argv = [sys.executable, "-c", "print('no')"]
        report = await answer_by_program(asking, argv, folder, 3, progress=lambda *far: progress.append(far))
        said = asking.session.store.labels()
    assert (report.runs, report.no, report.looked_at) == (3, 3, 20)
    assert {label.by for label in said.values()} == {f"program:{Path(sys.executable).name}"}
    assert progress == [(0, 3), (1, 3), (2, 3)]

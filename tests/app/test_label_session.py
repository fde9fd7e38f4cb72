"""Questions and answers: what teaches most is asked first, each answer is stored, and changes what is asked next."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from scenthound.app.label_session import CountChange, LabelSession
from scenthound.errors import ConfigError
from scenthound.library.label_file import LabelFile
from scenthound.model import Label, Page
from scenthound.protocols.crawl import Judge
from scenthound.text.analysis import analyzer

TEXTS = {
    "otters": "Otters swimming in rivers, and more otters.",
    "river": "Rivers and their fish.",
    "pike": "Fish: a pike, a pike, another pike.",
    "owls": "Owls hunt mice at night.",
    "bank": "Money in a bank.",
}


def url(name: str) -> str:
    return f"https://a.example/{name}"


PAGES = {
    url(name): Page(url(name), title=name.title(), text=text, terms=analyzer("en").counts(text), language="en")
    for name, text in TEXTS.items()
}


class WordJudge:
    """The share of a page's words that are known to be good."""

    def __init__(self) -> None:
        self.good: set[str] = {"otter", "river"}
        self.bad: set[str] = set()

    def __call__(self, page: Page) -> float:
        return sum(term in self.good for term in page.terms) / len(page.terms)

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        for_it = [(term, 0.5) for term in page.terms if term in self.good]
        return [*for_it, *((term, -0.5) for term in page.terms if term in self.bad)][:n]


def fit(judge: Judge, labels: Mapping[str, bool]) -> None:
    assert isinstance(judge, WordJudge)
    judge.good, judge.bad = {"otter", "river"}, set()
    for name, relevant in labels.items():
        (judge.good if relevant else judge.bad).update(PAGES[name].terms)
    judge.good -= judge.bad


@pytest.fixture
def session(tmp_path: Path) -> Iterator[LabelSession]:
    session = LabelSession(LabelFile(tmp_path), PAGES, (WordJudge(), WordJudge()), fit, 0.5)
    yield session
    session.close()


def stored(folder: Path) -> dict[str, bool | None]:
    return {name: label.relevant for name, label in LabelFile(folder).labels().items()}


def ask(session: LabelSession) -> str:
    session.settle()
    question = session.question()
    return question.url.rpartition("/")[2] if question else ""


def test_a_question_tells_what_the_judge_makes_of_the_page(session: LabelSession) -> None:
    question = session.question()
    assert question is not None
    assert (question.number, question.url, question.title) == (1, url("otters"), "Otters")
    assert question.probability == pytest.approx(2 / 3)
    assert question.relevant
    assert "swimming in rivers" in question.snippet
    assert [(word.word, word.part) for word in question.words] == [("otters", 0.5), ("rivers", 0.5)]


def test_an_answer_is_stored_and_the_judge_learns(session: LabelSession, tmp_path: Path) -> None:
    session.answer(url("river"), True)
    assert stored(tmp_path) == {url("river"): True}
    session.settle()
    assert session.change() == CountChange(2, 3, 5, [url("pike")], [])  # fish is good by now, as rivers were
    session.answer(url("river"), False)
    session.settle()
    change = session.change()
    assert change is not None
    assert (change.now, change.went_out) == (0, [url("otters"), url("pike"), url("river")])
    assert session.change() is None


def test_each_page_is_asked_about_once(session: LabelSession, tmp_path: Path) -> None:
    order = []
    while name := ask(session):
        order.append(name)
        session.answer(url(name), name == "otters" if name != "owls" else None)
    assert order[0] == "otters"
    assert sorted(order) == sorted(TEXTS)
    assert url("owls") not in stored(tmp_path)  # it was skipped


def test_what_is_labelled_is_not_asked_about(tmp_path: Path) -> None:
    LabelFile(tmp_path).add_labels([Label(url("otters"), True), Label(url("owls"), False, "program:x")])
    session = LabelSession(LabelFile(tmp_path), PAGES, (WordJudge(), WordJudge()), fit, 0.5)
    asked = set()
    while name := ask(session):
        asked.add(name)
        session.answer(url(name), None)
    assert asked == {"river", "pike", "bank"}
    session.close()


def test_back_takes_the_last_answer_back(session: LabelSession, tmp_path: Path) -> None:
    assert session.back() is None
    session.answer(url("otters"), True)
    session.answer(url("owls"), None)
    session.answer(url("pike"), False)
    assert session.back() == url("pike")
    assert stored(tmp_path) == {url("otters"): True}
    assert session.back() == url("owls")
    assert session.back() == url("otters")
    assert stored(tmp_path) == {}
    session.settle()
    assert ask(session) == "otters"
    assert session.change() is None


def test_the_next_question_does_not_wait_for_the_judge(tmp_path: Path) -> None:
    may_go_on = threading.Event()

    def slow(judge: Judge, labels: Mapping[str, bool]) -> None:
        may_go_on.wait()
        fit(judge, labels)

    session = LabelSession(LabelFile(tmp_path), PAGES, (WordJudge(), WordJudge()), slow, 0.5)
    session.answer(url("otters"), True)
    session.answer(url("pike"), True)  # both are learned from, in one go or in two
    session.settle(0.0)
    question = session.question()
    assert question is not None
    assert question.url == url("river")
    assert session.change() == CountChange(2, 3, 5, [url("pike")], [])  # a label counts at once
    may_go_on.set()
    session.settle()
    assert session.question_about(url("river")).probability == 1.0
    session.close()


def test_a_judge_that_cannot_begin_is_told_and_the_answer_is_kept(tmp_path: Path) -> None:
    def broken(judge: Judge, labels: Mapping[str, bool]) -> None:
        raise ConfigError("no examples")

    session = LabelSession(LabelFile(tmp_path), PAGES, (WordJudge(), WordJudge()), broken, 0.5)
    session.answer(url("otters"), True)
    with pytest.raises(ConfigError, match="no examples"):
        session.settle()
    assert stored(tmp_path) == {url("otters"): True}
    session.close()

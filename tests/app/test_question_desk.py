"""Questions for somebody who comes and goes: asked, answered, taken back."""

from pathlib import Path
from threading import Event

import pytest

from scenthound.app.label_session import LabelSession, Question
from scenthound.app.question_desk import QuestionDesk
from scenthound.library import open_library
from tests.library.collection import zoo
from tests.watchdog import PATIENCE


def said(folder: Path) -> dict[str, bool | None]:
    with open_library(folder, write=False) as library:
        return {url: label.relevant for url, label in library.labels().items()}


def test_a_question_is_answered_skipped_and_taken_back(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    desk = QuestionDesk(folder)
    try:
        first = desk.ask()
        assert first.question is not None
        assert not first.can_undo
        second = desk.answer(first.question.url, True)
        assert second.question is not None
        assert second.question.url != first.question.url
        assert (second.answered, second.can_undo) == (1, True)
        assert said(folder) == {first.question.url: True}
        desk.answer(second.question.url, None)
        assert said(folder) == {first.question.url: True}
        desk.undo()
        back = desk.undo()
        assert back.question is not None
        assert back.question.url == first.question.url
        assert said(folder) == {}
    finally:
        desk.close()


def test_an_answer_about_a_page_that_nobody_asked_about_is_none(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    desk = QuestionDesk(folder)
    try:
        desk.answer("https://nowhere.example/", True)
        assert said(folder) == {}
    finally:
        desk.close()


def test_the_question_after_is_made_while_somebody_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer chooses no page by itself then; and what was made is what would have been chosen."""
    desk, other = QuestionDesk(zoo(tmp_path / "zoo")), QuestionDesk(zoo(tmp_path / "other"))
    chosen: list[str] = []
    whole = LabelSession.question

    def counted(session: LabelSession) -> Question | None:
        found = whole(session)
        chosen.append(found.url if found is not None else "")
        return found

    monkeypatch.setattr(LabelSession, "question", counted)
    try:
        for said in (True, False, None):
            shown = desk.ask().question
            assert shown is not None
            finished(desk)
            chosen.clear()
            after = desk.answer(shown.url, said).question
            assert not chosen
            other.ask()
            finished(other)
            other._ahead = {}
            assert other.answer(shown.url, said).question == after
            assert len(chosen) == 2
    finally:
        desk.close()
        other.close()


def finished(desk: QuestionDesk) -> None:
    """All that is made beside is made, and by the newest scores: each worker takes one thing after the other."""
    settled(desk)
    assert desk._asking is not None
    desk._asking.session._worker.submit(lambda: None).result(PATIENCE)  # it has said that there are newer scores
    assert desk._worker is not None
    desk._worker.submit(lambda: None).result(PATIENCE)


def settled(desk: QuestionDesk) -> None:
    """Scores go by all answers. A session is no thing for two threads: the desk's own asks it under this lock, too."""
    with desk._lock:
        assert desk._asking is not None
        desk._asking.session.settle(PATIENCE)


def test_what_was_made_ahead_is_for_the_page_that_is_shown_only(tmp_path: Path) -> None:
    desk, go_on = QuestionDesk(zoo(tmp_path / "zoo")), Event()
    try:
        first = desk.ask().question
        assert first is not None
        finished(desk)
        second = desk.answer(first.url, False).question
        assert second is not None
        finished(desk)
        assert desk._worker is not None
        desk._worker.submit(go_on.wait, PATIENCE)  # from here on nothing is made ahead
        back = desk.undo().question
        assert back is not None
        assert back.url == first.url
        settled(desk)
        again = desk.answer(first.url, False).question
        assert again is not None
        assert (again.url, again.number) == (second.url, 2)
    finally:
        go_on.set()
        desk.close()

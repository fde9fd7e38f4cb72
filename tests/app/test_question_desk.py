"""Questions for somebody who comes and goes: asked, answered, taken back."""

from pathlib import Path

from scenthound.app.question_desk import QuestionDesk
from scenthound.library import open_library
from tests.library.collection import zoo


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

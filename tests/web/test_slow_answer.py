"""Answers that are kept: until the library changes, and a while longer while it does."""

from __future__ import annotations

from pathlib import Path

from scenthound.library import open_library
from scenthound.web.slow_answer import WHILE_IT_CHANGES, SlowAnswer
from tests.library.collection import stored, zoo


def test_an_answer_is_made_once_and_again_when_the_library_changed(tmp_path: Path) -> None:
    now, made = [1000.0], []
    with open_library(zoo(tmp_path / "zoo")) as library:
        kept = SlowAnswer(lambda asked: made.append(asked.page_totals().pages) or len(made), clock=lambda: now[0])
        assert kept.at_hand() is None
        assert (kept.get(library), kept.get(library)) == (1, 1)
        library.record(stored("https://new.example/", "another page", title="New"))
        library.flush()
        assert kept.get(library) == 1
        now[0] += WHILE_IT_CHANGES
        assert kept.get(library) == 2
        kept.forget()
        assert kept.get(library) == 3
        assert made == [7, 8, 8]

"""Answers that are kept: until the library changes, and while it does in proportion to what they cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.protocols.library import Library
from scenthound.web.slow_answer import LONGEST, TIMES_ITS_COST, SlowAnswer
from tests.library.collection import stored, zoo


@pytest.mark.parametrize(("seconds", "kept_for"), [(0.1, 0.1 * TIMES_ITS_COST), (20.0, LONGEST)])
def test_an_answer_is_made_once_and_again_when_the_library_changed(
    tmp_path: Path, seconds: float, kept_for: float
) -> None:
    now = [1000.0]
    made: list[int] = []

    def make(library: Library) -> int:
        now[0] += seconds
        made.append(library.page_totals().pages)
        return len(made)

    with open_library(zoo(tmp_path / "zoo")) as library:
        kept = SlowAnswer(make, clock=lambda: now[0])
        assert kept.at_hand() is None
        assert (kept.get(library), kept.get(library)) == (1, 1)
        library.record(stored("https://new.example/", "another page", title="New"))
        library.flush()
        now[0] += 0.9 * kept_for
        assert kept.get(library) == 1
        now[0] += 0.2 * kept_for
        assert kept.get(library) == 2
        kept.forget()
        assert kept.get(library) == 3
        assert made == [7, 8, 8]

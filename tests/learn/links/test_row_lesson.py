"""What one link taught comes back as it was told."""

from __future__ import annotations

import numpy as np

from scenthound.learn.links.link_features import Rows
from scenthound.learn.links.row_lesson import RowLesson, row_lesson


def test_a_page_a_miss_and_a_start_page() -> None:
    row = Rows(np.array([1, 5]), np.array([1.0, 0.5]), np.zeros(1, np.intp))
    page = row_lesson(RowLesson(row, 0.25, page=7).packed())
    assert page.row is not None
    assert (page.row.places.tolist(), page.row.values.tolist(), page.outcome, page.page) == (
        [1, 5],
        [1.0, 0.5],
        0.25,
        7,
    )
    miss = row_lesson(RowLesson(row, 0.0, among=np.array([5])).packed())
    assert miss.among is not None
    assert (miss.among.tolist(), miss.page) == ([5], None)
    assert row_lesson(RowLesson(None, 0.5, page=7).packed()).row is None

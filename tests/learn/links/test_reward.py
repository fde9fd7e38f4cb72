from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.links.reward import bins, of_pages
from scenthound.model import Lessons, Page


def test_worked_by_hand() -> None:
    # 0 -> 1 -> 2*, 1 -> 3*, 3 -> 4*, 5 alone; * are targets
    pages = tuple(Page(f"http://p/{n}") for n in range(6))
    lessons = Lessons(pages, ((0, 1), (1, 2), (1, 3), (3, 4)), (2, 1, 0, 0, 0, -1))
    values = of_pages(lessons, 0.5)
    assert values[2] == 1.0  # the page itself
    assert values[3] == 1.5  # itself, then 4 one step later
    assert values[1] == 0.5 + 0.25 + 0.125  # 2 and 3 at steps 1 and 2, then 4
    assert values[0] == 0.25 + 0.125 + 0.0625
    assert values[5] == 0.0
    assert of_pages(lessons, 0.5, depth=0).tolist() == [0, 0, 1, 1, 1, 0]


def test_bins() -> None:
    values = np.array([0.0, 0.0, 0.1, 0.2, 0.5, 1.0])
    which, means = bins(values, 3)
    assert which.tolist() == [0, 0, 1, 1, 2, 2]
    assert means == pytest.approx([0.0, 0.15, 0.75])
    which, means = bins(np.zeros(3), 4)
    assert which.tolist() == [0, 0, 0]
    assert means.tolist() == [0.0]
    assert len(bins(np.array([0.5, 0.5, 0.5]), 4)[1]) == 1

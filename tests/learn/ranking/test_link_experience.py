"""What a page taught of links comes back as it was told."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.ranking.link_experience import LinkExperience, Move, Outcome, unpacked
from scenthound.protocols.snapshots import Snapshot


def test_a_page_that_a_known_link_led_to() -> None:
    outcome = Outcome(1, 2, 3, 4, False, 0.5, np.array([0.5, 1.0]), np.array([[7, 8]], np.uint32))
    found = {"links": np.array([4])}
    back = unpacked(LinkExperience(outcome, None, lambda: found, np.ones((2, 2)), 9).packed())
    assert back.outcome is not None
    assert back.outcome.features is not None
    assert (back.outcome.link, back.outcome.page, back.outcome.site, back.outcome.section) == (1, 2, 3, 4)
    assert (back.outcome.start, back.outcome.relevance) == (False, 0.5)
    assert back.outcome.features.tolist() == [0.5, 1.0]
    assert back.found()["links"].tolist() == [4]
    assert back.waiting == 9


def test_a_start_page_and_a_link_that_brought_none() -> None:
    start = unpacked(LinkExperience(Outcome(1, 1, 3, 4, True, 0.5)).packed())
    assert start.outcome is not None
    assert start.outcome.features is None
    assert start.found() == {}
    missed = unpacked(LinkExperience(missed=(5, 6)).packed())
    assert (missed.outcome, missed.missed, missed.moved) == (None, (5, 6), None)


def test_a_link_that_moved() -> None:
    move = Move(5, 6, 1, 2, 3, True)
    back = unpacked(LinkExperience(moved=move).packed())
    assert (back.outcome, back.missed, back.moved) == (None, None, move)


def test_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="version"):
        unpacked(Snapshot(99))

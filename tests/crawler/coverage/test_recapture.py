from random import Random

import pytest

from scenthound.crawler.coverage.recapture import recapture


def pages(first: int, last: int) -> set[str]:
    return {f"a.test/{number}" for number in range(first, last)}


def test_worked_by_hand() -> None:
    """59 and 49 with 29 in both: 60 * 50 / 30 - 1 = 99; 79 are known."""
    found = recapture(pages(0, 59), pages(30, 79))
    assert (found.first, found.second, found.both, found.known) == (59, 49, 29, 79)
    assert found.total == pytest.approx(99.0)
    assert found.recall == pytest.approx(79 / 99)
    assert 79 < found.low < 99 < found.high < 160
    assert recapture(pages(0, 59), pages(30, 79), 0.5).high < found.high


def test_crawls_that_found_the_same_have_all() -> None:
    found = recapture(pages(0, 40), pages(0, 40))
    assert (found.total, found.low, found.high) == (pytest.approx(40.0), 40.0, pytest.approx(40.0))


def test_with_too_little_in_common_nothing_is_said() -> None:
    found = recapture(pages(0, 40), pages(34, 80))
    assert (found.total, found.recall) == (0.0, 0.0)
    assert "only 6 pages were found by both" in found.unknown


def test_intervals_hold_the_truth_where_both_draw_at_random() -> None:
    chance, held = Random(2), 0
    for _ in range(300):
        first, second = ({n for n in range(200) if chance.random() < share} for share in (0.5, 0.4))
        found = recapture(set(map(str, first)), set(map(str, second)))
        held += found.low <= 200 <= found.high
    assert held / 300 >= 0.9

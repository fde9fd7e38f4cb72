from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.measures.freshness import DAY, account, by_stretch, ratio, staleness


class Page(NamedTuple):
    """In days; the measures see seconds."""

    changes_: list[float]
    looks_: list[float]
    end_: float = 10.0
    until_: float = 10.0
    url: str = "u"
    useful: int = 0

    born = property(lambda self: 0.0)
    end = property(lambda self: self.end_ * DAY)
    until = property(lambda self: self.until_ * DAY)
    changes = property(lambda self: [at * DAY for at in self.changes_])
    looks = property(lambda self: [at * DAY for at in self.looks_])


def test_worked_by_hand() -> None:
    """Changes on days 2 and 3, a look on day 5; a change on day 8 that nobody sees."""
    found = staleness(Page([2, 3, 8], [1, 5, 6]))
    assert found.freshness == pytest.approx(1 - (3 + 2) / 10)
    assert found.age == pytest.approx((3**2 / 2 + 2**2 / 2) / 10)
    assert found.harmonic == pytest.approx((3 + 2 / 2 + 2) / 10)
    assert found.delays == pytest.approx((3, 2, 2))


def test_a_page_that_is_taken_away_stops_counting_and_is_still_to_be_noticed() -> None:
    found = staleness(Page([4], [7], end_=4))
    assert (found.freshness, found.age) == (1.0, 0.0)
    assert found.delays == pytest.approx((3,))
    assert staleness(Page([4], [], end_=4)).delays == pytest.approx((6,))


def test_a_stretch_of_time_takes_its_part() -> None:
    page = Page([2, 3], [5])
    assert staleness(page, 0, 4 * DAY).freshness == pytest.approx(0.5)
    assert staleness(page, 4 * DAY, 10 * DAY).freshness == pytest.approx(5 / 6)
    assert staleness(page, 4 * DAY, 10 * DAY).age == pytest.approx((3**2 - 2**2) / 2 / 6)
    assert by_stretch([page], 0, 10 * DAY, 2) == pytest.approx([1 - 3 / 5, 1.0])


def test_pages_that_change_together_are_one_observation() -> None:
    """Nine pages of one commit, stale for as long, and one that is fresh: drawn in groups there are two cases to draw,
    so the interval reaches from the one to the other. The means are those of pages, in groups or not."""
    together = [Page([2], [4], url=f"http://a.test/{n}") for n in range(9)]
    pages = [*together, Page([], [4], url="http://a.test/alone")]
    alone, grouped = account(pages), account(pages, groups=[[page.url for page in together]])
    assert grouped.freshness.mean == pytest.approx(alone.freshness.mean)
    assert (grouped.freshness.low, grouped.freshness.high) == pytest.approx((0.8, 1.0))
    assert alone.freshness.high < 0.9
    assert grouped.freshness.n == 2
    assert grouped.delay.n == 2


def test_an_account_of_all() -> None:
    pages = [Page([2], [4], useful=1), Page([], [1, 2, 3])]
    found = account(pages)
    assert found.freshness.mean == pytest.approx((0.8 + 1) / 2)
    assert found.delay.mean == pytest.approx(2)
    assert found.wasted.mean == pytest.approx(3 / 4)
    assert found.requests == 4
    assert account(pages, [3.0, 1.0]).freshness.mean == pytest.approx((3 * 0.8 + 1) / 4)


def test_ratios_have_intervals_that_cover() -> None:
    random = np.random.default_rng(1)
    hits = 0
    for seed in range(60):
        below = random.integers(1, 9, 80).astype(float)
        found = ratio(below * random.normal(2, 1, 80), below, seed)
        hits += found.low <= 2 <= found.high
    assert hits >= 51
    assert np.isnan(ratio(np.zeros(3), np.zeros(3)).mean)


@given(st.lists(st.floats(0.01, 9.99), max_size=8).map(sorted), st.lists(st.floats(0.01, 9.99), max_size=8).map(sorted))
def test_against_counting_by_the_hour(changes: list[float], looks: list[float]) -> None:
    found = staleness(Page(changes, looks))
    times = (np.arange(4000) + 0.5) / 400
    last = np.array([max([0.0, *(look for look in looks if look <= at)]) for at in times])
    missing = np.array([sum(seen < change <= at for change in changes) for at, seen in zip(times, last, strict=True)])
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 10))])
    assert found.freshness == pytest.approx((missing == 0).mean(), abs=0.01)
    assert found.harmonic == pytest.approx(harmonic[missing].mean(), abs=0.02)

"""What a run may spend."""

from math import inf

import pytest

from scenthound.config import CrawlSection
from scenthound.crawler.budget import Budget, Tally


def test_no_limit_is_no_limit() -> None:
    assert Budget().used_up(Tally(pages=10**9, requests=10**9)) is None
    assert Budget().room(Tally(pages=10**9), busy=10**9, wanted=5) == 5
    assert Budget().deadline(100.0) == inf


def test_it_is_what_the_settings_say() -> None:
    assert Budget.of(CrawlSection(pages=3, requests=4, minutes=0.5)) == Budget(pages=3, requests=4, minutes=0.5)
    assert Budget.of(CrawlSection(pages=3)) == Budget(pages=3, thrifty=True)
    assert Budget(minutes=0.5).deadline(100.0) == 130.0


@pytest.mark.parametrize(
    ("tally", "ending"),
    [(Tally(pages=2, requests=9), None), (Tally(pages=3), "pages"), (Tally(requests=10), "requests")],
)
def test_it_ends_with_what_there_is_no_more_of(tally: Tally, ending: str | None) -> None:
    assert Budget(pages=3, requests=10).used_up(tally) == ending


def test_what_is_under_way_counts() -> None:
    budget = Budget(pages=10, requests=12)
    assert budget.room(Tally(pages=5, requests=5), busy=0, wanted=3) == 3
    assert budget.room(Tally(pages=5, requests=5), busy=4, wanted=3) == 1
    assert budget.room(Tally(pages=5, requests=10), busy=1, wanted=3) == 1


@pytest.mark.parametrize(
    ("budget", "left"),
    [
        (Budget(pages=10, thrifty=True), 7),
        (Budget(pages=10, requests=9, thrifty=True), 4),
        (Budget(requests=9, thrifty=True), 4),
        (Budget(thrifty=True), inf),
        (Budget(pages=10), inf),
    ],
)
def test_what_is_left_to_be_spent_with_care(budget: Budget, left: float) -> None:
    assert budget.thrifty_left(Tally(pages=3, requests=5)) == left


def test_a_change_leaves_a_shared_budget_shared() -> None:
    assert Budget(pages=3).changed(Budget(pages=9, thrifty=True)) == Budget(pages=9)
    assert Budget(pages=3, least=0.5, thrifty=True).changed(Budget(pages=9, thrifty=True)) == Budget(
        pages=9, least=0.5, thrifty=True
    )
    assert not Budget(pages=3, thrifty=True).changed(Budget(pages=9, minutes=2.0)).thrifty

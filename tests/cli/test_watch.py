from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.cli.watch import CrawlWatch, Curve
from scenthound.model import Link, Refusal, Step
from tests.cli.steps import lease, visited


def crawl_with(pages: int = 10, budget: int = 100, minutes: float = 0.0) -> SimpleNamespace:
    return SimpleNamespace(
        tally=SimpleNamespace(pages=pages),
        config=SimpleNamespace(crawl=SimpleNamespace(pages=budget, minutes=minutes)),
    )


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_best_finds_are_the_most_relevant_pages() -> None:
    watch = CrawlWatch(best=2)
    for relevance in (0.4, 0.9, 0.1, 0.6):
        watch(visited(relevance, f"http://a.test/{relevance}"))
    assert [seen.relevance for seen in watch.best] == [0.9, 0.6]


def test_of_equal_finds_the_first_stays() -> None:
    watch = CrawlWatch(best=1)
    watch(visited(0.5, "http://a.test/first"))
    watch(visited(0.5, "http://a.test/second"))
    assert watch.best[0].url == "http://a.test/first"


def test_duplicates_are_neither_finds_nor_harvest() -> None:
    watch = CrawlWatch()
    watch(visited(0.9, duplicate_of="http://b.test/"))
    assert watch.best == []
    assert watch.recent == 0.0


def test_failures_are_counted_by_kind() -> None:
    watch = CrawlWatch()
    for reason in ("timeout: 10 s", "timeout: 30 s", "dns: no such name"):
        watch(Step(lease=lease(), state="failed", at=1.0, reason=reason))
    assert watch.troubles == {"timeout": 2, "dns": 1}
    assert watch.last[-1].trouble == "dns: no such name"


def test_retries_are_no_failures() -> None:
    watch = CrawlWatch()
    watch(Step(lease=lease(), state="waiting", at=1.0, reason="timeout: 10 s"))
    assert not watch.troubles


def test_refusals_are_counted_wherever_they_happen() -> None:
    watch = CrawlWatch()
    refusal = Refusal(id=2, link=Link(url="http://b.test/"), host="b.test", reason="scope")
    watch(Step(lease=lease(), state="refused", at=1.0, reason="robots"))
    watch(Step(lease=lease(), state="moved", at=1.0, refused=(refusal, refusal)))
    assert watch.refused == 3


def test_rate_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    watch = CrawlWatch(clock=clock)
    for _ in range(60):
        clock.now += 1
        watch(visited(0.5))
        watch.rate()
    for _ in range(20):
        clock.now += 1
        for _ in range(5):
            watch(visited(0.5))
        rate = watch.rate()
    assert rate == pytest.approx(5, rel=0.15)


def test_time_left_is_the_shorter_of_both_budgets() -> None:
    clock = Clock()
    watch = CrawlWatch(clock=clock)
    watch.attach(crawl_with(pages=10, budget=100, minutes=1))  # type: ignore[arg-type]
    assert watch.seconds_left(rate=9.0) == pytest.approx(10)
    clock.now += 55
    assert watch.seconds_left(rate=9.0) == pytest.approx(5)


def test_no_budget_no_guess() -> None:
    watch = CrawlWatch()
    watch.attach(crawl_with(budget=0))  # type: ignore[arg-type]
    assert watch.seconds_left(rate=3.0) is None


@given(st.lists(st.booleans(), max_size=600))
def test_a_curve_stays_short_and_true(relevant: list[bool]) -> None:
    curve = Curve(most=16)
    for each in relevant:
        curve.add(each)
    assert len(curve.values) < 16
    assert all(0 <= value <= 1 for value in curve.values)
    if relevant and all(relevant):
        assert set(curve.values) == {1.0}

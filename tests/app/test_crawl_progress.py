from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.app.crawl_progress import CrawlProgress, Curve
from scenthound.app.events import observer
from scenthound.model import Step
from tests.app.steps import lease, visited


def crawl_with(pages: int = 10, budget: int = 100, minutes: float = 0.0, left: float = 60.0) -> SimpleNamespace:
    return SimpleNamespace(
        tally=SimpleNamespace(pages=pages),
        config=SimpleNamespace(crawl=SimpleNamespace(pages=budget, minutes=minutes)),
        paused=False,
        time_left=left,
    )


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_best_finds_are_the_most_relevant_pages() -> None:
    progress = CrawlProgress(best=2)
    for relevance in (0.4, 0.9, 0.1, 0.6):
        observer(progress)(visited(relevance, f"http://a.test/{relevance}"))
    assert [seen.relevance for seen in progress.best] == [0.9, 0.6]


def test_of_equal_finds_the_first_stays() -> None:
    progress = CrawlProgress(best=1)
    observer(progress)(visited(0.5, "http://a.test/first"))
    observer(progress)(visited(0.5, "http://a.test/second"))
    assert progress.best[0].url == "http://a.test/first"


def test_duplicates_are_neither_finds_nor_harvest() -> None:
    progress = CrawlProgress()
    observer(progress)(visited(0.9, duplicate_of="http://b.test/"))
    assert progress.best == []
    assert progress.recent == 0.0


def test_failures_are_counted_by_kind() -> None:
    progress = CrawlProgress()
    for reason in ("timeout: 10 s", "timeout: 30 s", "dns: no such name"):
        observer(progress)(Step(lease=lease(), state="failed", at=1.0, reason=reason))
    assert progress.troubles == {"timeout": 2, "dns": 1}
    assert progress.last[-1].trouble == "dns: no such name"


def test_retries_are_no_failures() -> None:
    progress = CrawlProgress()
    observer(progress)(Step(lease=lease(), state="waiting", at=1.0, reason="timeout: 10 s"))
    assert not progress.troubles


def test_refusals_are_counted() -> None:
    progress = CrawlProgress()
    observer(progress)(Step(lease=lease(), state="refused", at=1.0, reason="robots"))
    assert progress.refused == 1


def test_rate_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    progress = CrawlProgress(clock=clock)
    for _ in range(60):
        clock.now += 1
        observer(progress)(visited(0.5))
        progress.rate()
    for _ in range(20):
        clock.now += 1
        for _ in range(5):
            observer(progress)(visited(0.5))
        rate = progress.rate()
    assert rate == pytest.approx(5, rel=0.15)


def test_time_left_is_the_shorter_of_both_budgets() -> None:
    clock = Clock()
    progress = CrawlProgress(clock=clock)
    crawl = crawl_with(pages=10, budget=100, minutes=1)
    progress.attach(crawl)  # type: ignore[arg-type]
    for _ in range(9):
        observer(progress)(visited(0.5))
    clock.now += 1
    assert progress.seconds_left() == pytest.approx(10)  # 90 pages, nine a second
    crawl.time_left = 5.0
    assert progress.seconds_left() == pytest.approx(5)


def test_the_guess_goes_by_more_than_the_last_seconds() -> None:
    clock = Clock()
    progress = CrawlProgress(clock=clock)
    progress.attach(crawl_with(pages=100, budget=200))  # type: ignore[arg-type]
    for _ in range(100):
        clock.now += 1
        observer(progress)(visited(0.5))
        progress.rate()
    clock.now += 10  # hosts rest for ten seconds
    assert progress.rate() == 0
    assert progress.seconds_left() == pytest.approx(110)


def test_a_pause_has_no_end_and_does_not_slow_the_guess() -> None:
    clock = Clock()
    progress = CrawlProgress(clock=clock)
    crawl = crawl_with(pages=100, budget=200)
    progress.attach(crawl)  # type: ignore[arg-type]
    crawl.paused = True
    clock.now += 1000
    progress.rate()
    assert progress.seconds_left() is None
    crawl.paused = False
    clock.now += 1
    observer(progress)(visited(0.5))
    assert progress.rate() == pytest.approx(1)
    assert progress.seconds_left() == pytest.approx(100)


def test_no_budget_no_guess() -> None:
    progress = CrawlProgress()
    progress.attach(crawl_with(budget=0))  # type: ignore[arg-type]
    assert progress.seconds_left() is None


@given(st.lists(st.booleans(), max_size=600))
def test_a_curve_stays_short_and_true(relevant: list[bool]) -> None:
    curve = Curve(most=16)
    for each in relevant:
        curve.add(each)
    assert len(curve.values) < 16
    assert all(0 <= value <= 1 for value in curve.values)
    if relevant and all(relevant):
        assert set(curve.values) == {1.0}

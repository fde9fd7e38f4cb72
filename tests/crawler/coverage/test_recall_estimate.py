"""The estimate on figures small enough to work out by hand, and on crawls that follow its model."""

import numpy as np
import pytest
from msgspec.structs import replace

from scenthound.crawler.coverage.recall_estimate import CrawlFigures, estimate_recall

FIGURES = CrawlFigures(
    pages=200,
    found=50,
    doublings=(3, 10, 30, 45),
    new_links=0.5,
    recent_links=50.0,
    brought=0.8,
    waiting=450,
    clump=2.0,
    all_draws=20,
)


def test_worked_by_hand() -> None:
    """450 links wait, of which 0.8 are pages, and each brings 0.4 more: 600 are left, two doublings of 200.
    The least groups a doubling: (3 / 2 + 1/2) / 1 = 2, against (10 / 2 + 1/2) / 2 and so on. Two pages a group: 8."""
    found = estimate_recall(FIGURES)
    assert (found.left, found.missing) == (pytest.approx(600), pytest.approx(8.0))
    assert found.recall == pytest.approx(50 / 58)
    assert found.high == 1.0
    # Geometric with mean 4: no more than n groups with chance 1 - 0.8 ** (n + 1); 0.95 at n = 13, 0.975 at n = 16.
    assert (found.surely_most, found.most) == (26.0, 32.0)
    assert found.at_least == pytest.approx(50 / 77)  # one more may be hidden
    assert found.low == pytest.approx(50 / 82)


def test_the_next_doubling_may_bring_as_many_links_as_the_last_however_few_wait() -> None:
    found = estimate_recall(replace(FIGURES, waiting=10, recent_links=740.0))
    assert found.left == pytest.approx(0.8 * 750)
    assert found.missing == pytest.approx(8.0)


def test_draws_that_bring_nothing_lower_it_and_those_that_do_raise_it() -> None:
    plain = estimate_recall(FIGURES).missing
    barren = estimate_recall(replace(FIGURES, draws=150.0)).missing
    assert barren == pytest.approx(2 * 600 / (600 / 4 + 150))
    assert barren < plain < estimate_recall(replace(FIGURES, draws=150.0, draws_brought=10)).missing


def test_hosts_that_nothing_hints_at_count_where_new_ones_come_up() -> None:
    hosts = replace(FIGURES, host_doublings=(0, 0, 2, 5), host_size=10.0)
    assert estimate_recall(hosts).missing == pytest.approx(8.0)
    assert estimate_recall(replace(hosts, new_hosts=3)).missing == pytest.approx(8.0 + 0.25 * 2 * 10)


def test_a_stop_bears_that_one_page_more_turns_up() -> None:
    """Nine pages, and no more than none missing: 0.9 of ten, if one is hidden. Of eight that is never so."""
    barren = replace(FIGURES, doublings=(0, 0, 0, 0), clump=1.0, draws=10_000.0)
    nine, eight = (estimate_recall(replace(barren, found=found)) for found in (9, 8))
    assert nine.surely_most == eight.surely_most == 0.0
    assert nine.at_least == pytest.approx(0.9)
    assert eight.at_least < 0.9


def test_where_nothing_waits_all_is_found() -> None:
    found = estimate_recall(replace(FIGURES, waiting=0))
    assert (found.recall, found.low, found.high, found.at_least, found.missing) == (1.0, 1.0, 1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pages": 49}, "fewer than 50 pages"),
        ({"found": 0}, "no relevant page"),
        ({"all_draws": 4}, "drawn at random"),
        ({"new_links": 1.25}, "no end is in sight"),
    ],
)
def test_it_says_why_nothing_can_be_said(change: dict[str, float], why: str) -> None:
    found = estimate_recall(replace(FIGURES, **change))
    assert why in found.unknown
    assert (found.recall, found.at_least) == (0.0, 0.0)


def test_intervals_hold_the_truth_where_harvest_falls_as_it_is_thought_to() -> None:
    """Groups come at a rate of a / n, of three pages each; a differs from crawl to crawl."""
    chance, held, whole = np.random.default_rng(3), [], 3000
    for _ in range(400):
        rate = chance.uniform(2, 20) / np.arange(1, whole + 1)
        found = 3 * np.cumsum(chance.poisson(np.minimum(rate, 1.0)))
        for pages in (200, 800, 2000):
            now = int(found[pages - 1])
            halves = tuple(now - int(found[(pages >> n) - 1]) for n in range(1, 5))
            figures = CrawlFigures(pages, now, halves, 0.0, 0.0, 1.0, whole - pages, clump=3.0, all_draws=9)
            if now:
                estimate = estimate_recall(figures)
                held.append(estimate.fewest <= int(found[-1]) - now <= estimate.most)
    assert 0.9 <= np.mean(held) <= 1.0

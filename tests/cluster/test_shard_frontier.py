"""What a worker says its links are worth, and which of them it keeps."""

from __future__ import annotations

from math import inf

import pytest

from scenthound.cluster.shard_frontier import ShardFrontier
from scenthound.config import PolitenessSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.shards import SHARDS, shard_of
from scenthound.model import Link, Ranked


def frontier(delay: float = 0.0, *hosts: str) -> ShardFrontier:
    """The owner of these hosts; without any, of all."""
    inside = PoliteFrontier(None, PolitenessSection(delay=delay, robots=False))
    shards = {shard_of(host) for host in hosts} or set(range(SHARDS))
    return ShardFrontier(inside, shards, "last", delay=delay, holds=lambda: True)


def links(host: str, *priorities: float) -> list[Ranked]:
    return [Ranked(Link(f"http://{host}/{n}"), priority) for n, priority in enumerate(priorities)]


def test_the_best_links_are_what_it_is_worth() -> None:
    mine = frontier()
    mine.put(links("a.test", *(n / 256 for n in range(200))), 1)
    assert mine.worth(0.0) == [n / 256 for n in range(199, 135, -1)]


def test_of_a_host_no_more_count_than_its_delay_lets_through() -> None:
    mine = frontier(0.25)
    mine.put(links("a.test", *([1.0] * 300)), 1)
    mine.put(links("b.test", 0.5, 0.25), 1)
    assert mine.worth(0.0) == [1.0] * 4 + [0.5, 0.25], "also where all the first ones are of one host"


def test_what_waits_for_its_host_is_worth_less_than_anything() -> None:
    mine = frontier(60.0)
    mine.put(links("a.test", 1.0, 0.5), 1)
    [lease] = mine.take(1, 0.0)
    mine.done(lease, 0.0)
    assert mine.worth(1.0) == [-inf]
    assert frontier().worth(0.0) == []


def test_scores_that_rise_together_are_told_as_before_at_first() -> None:
    mine = frontier()
    rows = mine.put(links("a.test", 0.75, 0.5, 0.25), 1)
    assert mine.worth(0.0) == [0.75, 0.5, 0.25]
    mine.rescore([(row.id, row.priority + 4.0) for row in rows])
    assert mine.worth(0.0) == [0.75, 0.5, 0.25]
    assert mine.worth(600.0) == pytest.approx([4.75, 4.5, 4.25])


def test_links_of_others_are_rows_and_do_not_wait_here() -> None:
    mine = frontier(0.0, "a.test")
    rows = mine.put([*links("a.test", 0.5), *links("b.test", 0.75)], 1)
    assert [row.host for row in rows] == ["a.test", "b.test"]
    assert len(mine) == 1
    assert mine.put(links("b.test", 0.75), 1), "the last word counts"

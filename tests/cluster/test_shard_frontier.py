"""What a worker says its links are worth, and which of them it keeps."""

from __future__ import annotations

from math import inf

import pytest

from scenthound.cluster.shard_frontier import ShardFrontier
from scenthound.config import PolitenessSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.shards import SHARDS, shard_of
from scenthound.model import Link, Ranked, Waiting
from scenthound.protocols.shards import RANKS, Allotment, Worth
from tests.frontier.plain_store import PlainStore


def frontier(delay: float = 0.0, *hosts: str, connections: int = 1000) -> ShardFrontier:
    """The owner of these hosts; without any, of all."""
    politeness = PolitenessSection(delay=delay, robots=False, connections=connections)
    inside = PoliteFrontier(None, politeness)
    shards = {shard_of(host) for host in hosts} or set(range(SHARDS))
    return ShardFrontier(inside, shards, "last", politeness, holds=lambda: True)


def links(host: str, *priorities: float) -> list[Ranked]:
    return [Ranked(Link(f"http://{host}/{n}"), priority) for n, priority in enumerate(priorities)]


def priorities(leases: list[Waiting]) -> list[float]:
    return [lease.priority for lease in leases]


def test_the_best_links_are_what_it_is_worth() -> None:
    mine, best = frontier(), [n / 256 for n in range(199, -1, -1)]
    mine.put(links("a.test", *best), 2)
    worth = mine.worth(0.0)
    assert worth.far == best[:64]
    mine.spend(Allotment(rank=200))
    assert mine.worth(0.0).waiting == [best[rank - 1] for rank in RANKS if rank <= 200], "as many as others ask about"


def test_of_a_host_no_more_count_than_its_delay_lets_through() -> None:
    mine = frontier(0.25)
    mine.put(links("a.test", *([1.0] * 300)), 2)
    mine.put(links("b.test", 0.5, 0.25), 2)
    worth = mine.worth(0.0)
    assert worth.far == [1.0] * 4 + [0.5, 0.25], "also where all the first ones are of one host"
    assert worth.waiting[:-1] == [1.0] * (len(worth.waiting) - 1), "all that wait are as good as that, now or soon"


def test_of_a_host_without_delay_no_more_count_than_its_connections_let_through() -> None:
    mine = frontier(connections=2)
    mine.put(links("a.test", *([1.0] * 300)), 2)
    mine.put(links("b.test", 0.5), 2)
    assert mine.worth(0.0).at_hand == [1.0, 1.0, 0.5]
    mine.take(2, 0.0)
    worth = mine.worth(0.0)
    assert worth.at_hand == [1.0, 1.0, 0.5], "the next ones go when those are answered"
    assert worth.far == [1.0] * 64, "and those after them"


def test_links_near_the_start_may_be_asked_whatever_they_are_worth() -> None:
    mine = frontier(1.0)
    mine.put(links("start.test", 0.1, 0.1, 0.1), 1)
    mine.put(links("a.test", 0.9), 2)
    assert mine.worth(0.0) == Worth([0.9, 0.1, 0.1, 0.1], [0.9, 0.1, 0.1], [0.9], [0.1, 0.1], paced=True)


def test_where_no_delay_is_kept_what_they_are_worth_is_told_as_well() -> None:
    mine = frontier()
    mine.put(links("start.test", 0.1, 0.1), 1)
    mine.put(links("a.test", 0.9), 2)
    assert mine.worth(0.0) == Worth([0.9, 0.1, 0.1], [0.9, 0.1, 0.1], [0.9], [0.1, 0.1])


def test_what_waits_for_its_host_is_worth_less_than_anything() -> None:
    mine = frontier(60.0)
    mine.put(links("a.test", 1.0, 0.5), 2)
    [lease] = mine.take(1, 0.0)
    mine.done(lease, 0.0)
    assert mine.worth(1.0) == Worth([], [-inf], [-inf], [], paced=True)
    assert not frontier().worth(0.0)


def test_what_is_in_the_store_alone_is_worth_what_that_promises() -> None:
    store = PlainStore()
    store.record(PoliteFrontier().put([*links("a.test", 0.25, 0.75), *links("b.test", 0.5)], 2))
    politeness = PolitenessSection(delay=0.0, robots=False)
    inside = PoliteFrontier.resume(store, 0.0, politeness)
    mine = ShardFrontier(inside, range(SHARDS), "last", politeness, holds=lambda: True)
    assert mine.worth(0.0) == Worth([], [0.75], [0.75], [])
    inside.rest("a.test", 60.0)
    assert mine.worth(0.0).at_hand == [0.5], "who rests promises nothing now"
    inside.rest("b.test", 60.0)
    assert mine.worth(0.0).at_hand == [-inf]


def test_scores_that_rise_together_are_told_as_before_at_first() -> None:
    mine = frontier()
    rows = mine.put(links("a.test", 0.75, 0.5, 0.25), 2)
    assert mine.worth(0.0).far == mine.worth(0.0).waiting == [0.75, 0.5, 0.25]
    mine.rescore([(row.id, row.priority + 4.0) for row in rows])
    assert mine.worth(0.0).far == [0.75, 0.5, 0.25]
    assert mine.worth(600.0).far == pytest.approx([4.75, 4.5, 4.25])


def test_links_that_are_not_as_good_as_those_of_others_wait() -> None:
    mine = frontier()
    mine.put(links("a.test", 0.9), 2)
    mine.put(links("b.test", 0.4), 2)
    mine.put(links("start.test", 0.1), 1)
    mine.spend(Allotment(3, least=0.5, rank=1))
    assert priorities(mine.take(3, 0.0)) == [0.9, 0.1]
    assert mine.next_time(0.0) is None
    mine.spend(Allotment(1, least=0.4, rank=1))
    assert priorities(mine.take(3, 0.0)) == [0.4]


def test_what_is_good_enough_moves_with_the_scale() -> None:
    """Others were told 0.75 and 0.5; here these links have four more by now."""
    mine = frontier()
    rows = [*mine.put(links("a.test", 0.75), 2), *mine.put(links("b.test", 0.5), 2)]
    mine.worth(0.0)
    mine.rescore([(row.id, row.priority + 4.0) for row in rows])
    mine.worth(0.0)
    mine.spend(Allotment(2, least=0.75, rank=1))
    assert priorities(mine.take(2, 0.0)) == [4.75]


def test_a_link_that_is_exactly_good_enough_passes() -> None:
    mine = frontier()
    for n in range(50):
        [row] = mine.put([Ranked(Link(f"http://h{n}.test/"), n / 7)], 2)
        mine.worth(0.0)
        mine.rescore([(row.id, n / 7 + 1 / 3)])
        [told] = mine.worth(n / 10).far
        mine.spend(Allotment(1, least=told, rank=1))
        [lease] = mine.take(1, 0.0)
        mine.done(lease, 0.0)


def test_it_is_dry_once_nothing_is_under_way_that_could_bring_more() -> None:
    mine = frontier(60.0)
    mine.put(links("a.test", 0.9, 0.8), 2)
    assert not mine.is_dry(0.0)
    [lease] = mine.take(1, 0.0)
    assert not mine.is_dry(0.0), "its answer may bring links"
    mine.done(lease, 0.0)
    assert mine.is_dry(0.0), "the host rests for a minute"
    assert not mine.is_dry(59.5)
    mine.spend(Allotment(1, least=0.85, rank=1))
    assert mine.is_dry(60.0)


def test_links_of_others_are_rows_and_do_not_wait_here() -> None:
    mine = frontier(0.0, "a.test")
    rows = mine.put([*links("a.test", 0.5), *links("b.test", 0.75)], 1)
    assert [row.host for row in rows] == ["a.test", "b.test"]
    assert len(mine) == 1
    assert mine.put(links("b.test", 0.75), 1), "the last word counts"

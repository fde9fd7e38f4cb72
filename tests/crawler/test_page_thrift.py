"""Which hosts a budget of pages is spent on."""

from math import inf

import pytest
from msgspec.structs import replace

from scenthound.config import CrawlSection, PolitenessSection
from scenthound.crawler.budget import Budget, Tally
from scenthound.crawler.page_thrift import PageThrift
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Link, Ranked, Waiting

BUDGET = Budget(pages=20, thrifty=True)


def waiting(*found: tuple[str, float], depth: int = 2, delay: float = 1.0) -> PoliteFrontier:
    """A frontier with links such as `a/1`, of the host a.test."""
    frontier = PoliteFrontier(politeness=PolitenessSection(delay=delay, robots=False))
    put(frontier, *found, depth=depth)
    return frontier


def put(frontier: PoliteFrontier, *found: tuple[str, float], depth: int = 2) -> None:
    frontier.put([Ranked(Link(address(name)), priority) for name, priority in found], depth)


def address(name: str) -> str:
    host, _, path = name.partition("/")
    return f"https://{host}.test/{path}"


def taken(thrift: PageThrift, now: float = 0.0, budget: Budget = BUDGET, tally: Tally | None = None) -> list[str]:
    return names(thrift.take(9, now, budget, tally or Tally(), idle=True))


def names(leases: list[Waiting]) -> list[str]:
    return [lease.link.url.removeprefix("https://").replace(".test/", "/") for lease in leases]


def test_a_host_whose_best_link_is_poor_waits() -> None:
    """20 pages are left: 2 links may be taken, and both are of one host."""
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3), ("c/1", 0.8))
    assert taken(PageThrift(frontier)) == ["a/1", "c/1"]


def test_the_more_pages_are_left_the_more_hosts_are_asked() -> None:
    links = [(f"h{n}/", 1 - n / 100) for n in range(6)]
    for pages, asked in ((1, 1), (20, 2), (40, 4), (400, 6)):
        assert len(taken(PageThrift(waiting(*links)), budget=Budget(pages=pages, thrifty=True))) == asked
    assert len(taken(PageThrift(waiting(*links)), tally=Tally(pages=10))) == 1


def test_near_the_start_everybody_is_asked() -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    put(frontier, ("b/2", 0.1), depth=1)
    assert taken(PageThrift(frontier)) == ["a/1", "b/1"]


def test_a_host_may_be_said_to_be_near() -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    assert not frontier.is_near("b.test")
    frontier.bring_near("b.test")
    assert frontier.is_near("b.test")
    assert taken(PageThrift(frontier)) == ["a/1", "b/1"]


@pytest.mark.parametrize("settings", [CrawlSection(pages=0), CrawlSection(pages=20, minutes=5)])
def test_where_pages_are_not_what_is_short_all_that_is_free_is_asked(settings: CrawlSection) -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    assert taken(PageThrift(frontier), budget=Budget.of(settings)) == ["a/1", "b/1"]


def test_off_it_takes_what_is_free() -> None:
    assert taken(PageThrift(waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3)), on=False)) == ["a/1", "b/1"]


def test_nobody_waits_for_a_host_that_rests_for_long() -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    frontier.rest("a.test", 3600.0)
    assert taken(PageThrift(frontier)) == ["b/1"]


def test_nobody_waits_for_a_host_without_robots_txt() -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    frontier.hold("a.test", 3600.0)
    assert taken(PageThrift(frontier)) == ["b/1"]


def test_a_short_rest_is_waited_for() -> None:
    frontier = waiting(("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.3))
    frontier.rest("a.test", 3.0)
    thrift = PageThrift(frontier)
    assert taken(thrift) == []
    assert thrift.next_time(0.0, -inf) == 3.0
    assert taken(thrift, now=3.0) == ["a/1"]


def test_links_that_rest_after_a_failure_hold_nobody_up() -> None:
    frontier = waiting(("a/1", 0.9), delay=0.0)
    (lease,) = frontier.take(1, 0.0)
    frontier.done(lease, 0.0, retry=replace(lease, tries=1, not_before=600.0))
    put(frontier, ("b/1", 0.3))
    assert taken(PageThrift(frontier), budget=Budget(pages=5, thrifty=True)) == ["b/1"]


def test_when_all_are_ranked_lower_the_bar_is_lower() -> None:
    """Else nobody would be asked any more: the strategy has changed its mind about all of them."""
    frontier = waiting(("a/1", 0.9), ("b/1", 0.8), ("c/1", 0.7), delay=0.0)
    thrift, budget = PageThrift(frontier), Budget(pages=100, thrifty=True)
    thrift.take(0, 0.0, Budget(pages=20, thrifty=True), Tally(), idle=False)
    frontier.rescore([(link.id, link.priority - 5) for link in frontier.best(9)])
    assert names(thrift.take(9, 0.0, budget, Tally(), idle=False)) == []
    assert names(thrift.take(9, 0.0, Budget(pages=20, thrifty=True), Tally(), idle=True)) == ["a/1", "b/1"]

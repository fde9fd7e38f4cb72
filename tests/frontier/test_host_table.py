"""Hosts in line and at rest, without a frontier around them."""

from math import inf

import pytest

from scenthound.config import PolitenessSection
from scenthound.frontier.host_table import MOST_RULES, HostTable, robots_lease
from scenthound.frontier.memory_queue import MemoryQueue
from scenthound.model import Link, Waiting
from tests.conformance.frontiers import FixedRules


def table(delay: float = 1.0, robots: bool = False, **more: int) -> tuple[HostTable, MemoryQueue]:
    queue = MemoryQueue(None, 1000, 0)
    return HostTable(PolitenessSection(delay=delay, robots=robots, **more), queue, 0), queue


def waits(hosts: HostTable, queue: MemoryQueue, name: str, priority: float, number: int = 1) -> None:
    host = hosts.get(name)
    queue.lay(host, Waiting(number, Link(f"http://{name}/{number}"), name, priority, number))
    hosts.settle(host)


def test_the_host_of_the_best_link_is_first_in_line() -> None:
    hosts, queue = table()
    waits(hosts, queue, "a", 1.0, 1)
    waits(hosts, queue, "b", 2.0, 2)
    assert [turn[0].name for turn in (hosts.next(-inf), hosts.next(-inf)) if turn is not None] == ["b", "a"]
    assert hosts.next(-inf) is None
    assert len(hosts) == 2


def test_a_busy_host_is_not_in_line_and_rests_when_its_request_is_over() -> None:
    hosts, queue = table(delay=5.0)
    waits(hosts, queue, "a", 1.0)
    assert hosts.next_time(10.0, -inf) == 10.0
    host = hosts.get("a")
    hosts.begin(host)
    hosts.settle(host)
    assert (hosts.busy, hosts.leased, hosts.next_time(10.0, -inf)) == (1, 1, None)
    hosts.end(host)
    hosts.settle(host)
    assert (hosts.busy, hosts.leased, hosts.next_time(10.0, -inf)) == (0, 0, 15.0)
    assert hosts.next_time(15.0, -inf) == 15.0


def test_requests_are_counted_by_host_and_in_all() -> None:
    hosts, _ = table(connections=2)
    host = hosts.get("a")
    hosts.begin(host)
    hosts.begin(host)
    hosts.begin(hosts.get("b"))
    assert (hosts.busy, hosts.leased) == (2, 3)
    hosts.end(host)
    assert (hosts.busy, hosts.leased) == (2, 2)


@pytest.mark.parametrize(("until", "free"), [(7.0, 7.0), (inf, 0.0), (-5.0, 0.0)])
def test_a_rest_has_an_end(until: float, free: float) -> None:
    hosts, queue = table(delay=0.0)
    waits(hosts, queue, "a", 1.0)
    hosts.rest("a", until)
    assert hosts.next_time(0.0, -inf) == free


def test_a_robots_request_goes_before_links_now_or_later() -> None:
    hosts, queue = table(robots=True)
    waits(hosts, queue, "a", 1e9)
    waits(hosts, queue, "b", 1e12, 2)
    lease = robots_lease(Link("http://a/robots.txt", kind="robots"), "owner")
    assert (lease.host, lease.memory) == ("a", b"owner")
    hosts.ask_robots(lease)
    turn = hosts.next(-inf)
    assert turn is not None
    assert turn[0].robots_requests == [lease]
    later = robots_lease(Link("http://c/robots.txt", kind="robots"), "c")
    hosts.ask_robots_later(Waiting(later.id, later.link, "c", inf, -1, not_before=9.0))
    assert not hosts.get("c").robots_requests
    hosts.advance(9.0)
    assert hosts.get("c").robots_requests


def test_rules_count_where_robots_are_asked() -> None:
    for robots in (True, False):
        hosts, _ = table(robots=robots)
        hosts.rules("a", FixedRules(delay=7.0))
        assert hosts.get("a").crawl_delay == (7.0 if robots else 0.0)


class ManyRules(FixedRules):
    weight = MOST_RULES // 4


def test_rules_are_held_up_to_a_bound() -> None:
    """Hosts that all have a robots.txt of half a megabyte do not fill the memory: the first rules are forgotten."""
    hosts, _ = table(robots=True)
    for number in range(10):
        hosts.rules(f"h{number}.test", ManyRules())
        hosts.rules(f"small{number}.test", FixedRules())
    held = [host.name for host in hosts.by_name.values() if host.rules is not None and host.name.startswith("h")]
    assert held == ["h6.test", "h7.test", "h8.test", "h9.test"]
    assert all(host.rules is not None for host in hosts.by_name.values() if host.name.startswith("small"))
    assert hosts.by_name["h0.test"].outdated(0.0), "they are asked for again"

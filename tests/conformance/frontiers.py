"""What every frontier must do. Subclass `FrontierConformance` and say how one is made.

`Crawling` keeps the engine's side of the bargain: it records rows, retries and refusals before it takes again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import inf, nan
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import urls
from scenthound.config import PolitenessSection
from scenthound.model import Link, Ranked, Refusal, Waiting
from tests.frontier.plain_store import PlainStore

AT_ONCE = PolitenessSection(delay=0.0, robots=False)
DELAYED = PolitenessSection(delay=1.0, robots=False)
ROBOTS = PolitenessSection(delay=1.0)

many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.differing_executors])


class FixedRules:
    """A robots.txt that denies URLs with a given piece in them."""

    def __init__(self, denied: str = "\0", delay: float | None = None, expires: float = inf) -> None:
        self.denied, self.delay, self.expires = denied, delay, expires

    def allows(self, url: str) -> bool:
        return self.denied not in url


class BrokenRules(FixedRules):
    def allows(self, url: str) -> bool:
        raise RuntimeError("no idea")


def ranked(url: str, priority: float = 0.0, **fields: Any) -> Ranked:
    return Ranked(Link(url=url if "/" in url else f"https://{url}.test/", **fields), priority)


def page(host: int, number: int) -> str:
    return f"https://h{host}.test/{number}"


class Crawling:
    """A frontier, its store, and the engine's duties towards them."""

    def __init__(self, frontier: Any, store: PlainStore | None) -> None:
        self.frontier, self.store = frontier, store
        self.refusals: list[Refusal] = []

    def put(self, links: Sequence[Ranked], depth: int = 1, hops: int = 0) -> list[Waiting]:
        rows: list[Waiting] = self.frontier.put(links, depth, hops)
        if self.store is not None:
            self.store.record(rows)
        self.hear()
        return rows

    def take(self, n: int = 1, now: float = 0.0) -> list[Waiting]:
        leases: list[Waiting] = self.frontier.take(n, now)
        self.hear()
        return leases

    def done(self, lease: Waiting, now: float = 0.0, retry: Waiting | None = None, slow: float = 0.0) -> None:
        self.frontier.done(lease, now, retry, slow)
        if self.store is not None and lease.link.kind != "robots":
            if retry is None:
                self.store.finish(lease.id)
            else:
                self.store.record([retry])
        self.hear()

    def hear(self) -> None:
        news = self.frontier.refused()
        self.refusals += news
        if self.store is not None:
            for refusal in news:
                self.store.finish(refusal.id)

    def next(self, now: float = 0.0) -> Waiting:
        """Take one and end it at once."""
        (lease,) = self.take(1, now)
        self.done(lease, now)
        return lease

    def drain(self, now: float = 0.0) -> list[str]:
        """All URLs that can be had at once, in order."""
        order = []
        while leases := self.take(1, now):
            self.done(leases[0], now)
            order.append(leases[0].link.url)
        return order


class FrontierConformance:
    """Say `make(store, politeness, **settings)` and `resume(store, now, politeness, **settings)`."""

    make: Callable[..., Any]
    resume: Callable[..., Any]
    holds_far_hosts_back = True  # else it chooses its hosts itself, and asks them whenever they are free

    def crawling(
        self, politeness: PolitenessSection = AT_ONCE, store: PlainStore | None = None, **given: Any
    ) -> Crawling:
        return Crawling(type(self).make(store, politeness, **given), store)

    def resumed(self, store: PlainStore, now: float, politeness: PolitenessSection, **given: Any) -> Crawling:
        return Crawling(type(self).resume(store, now, politeness, **given), store)

    # Order

    def test_the_best_link_goes_first_whatever_its_host(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.1), ranked("b", 0.9), ranked("https://a.test/x", 0.5)])
        assert crawl.drain() == ["https://b.test/", "https://a.test/x", "https://a.test/"]

    def test_a_host_far_from_the_start_must_promise_more(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("start", 1.0)], depth=0)
        crawl.put([ranked("linked", 0.1)], depth=1)
        crawl.put([ranked("far", 0.5), ranked("https://linked.test/x", 0.2), ranked("further", 0.9)], depth=2)
        taken = [lease.link.url for lease in crawl.frontier.take(9, 0.0, far=0.7)]
        free = ["https://start.test/", "https://further.test/", "https://linked.test/x"]
        if not self.holds_far_hosts_back:
            assert taken == [*free[:2], "https://far.test/", *free[2:]]
            return
        assert taken == free
        assert crawl.frontier.next_time(0.0, far=0.7) is None
        assert crawl.frontier.next_time(0.0) == 0.0
        assert [lease.link.url for lease in crawl.take(9)] == ["https://far.test/"], "linked.test is asked already"

    def test_a_host_that_a_start_page_turns_out_to_link_to_is_near(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.5)], depth=2)
        if self.holds_far_hosts_back:
            assert crawl.frontier.take(9, 0.0, far=0.7) == []
        crawl.put([ranked("https://a.test/x", 0.4)], depth=1)
        assert [lease.link.url for lease in crawl.frontier.take(1, 0.0, far=0.7)] == ["https://a.test/"]

    def test_hosts_of_start_pages_are_near_after_a_stop(self) -> None:
        store = PlainStore()
        self.crawling(store=store).put([ranked("a", 0.5), ranked("b", 0.5)], depth=2)
        crawl = self.resumed(store, 0.0, AT_ONCE, near=["b.test"])
        taken = [lease.link.url for lease in crawl.frontier.take(9, 0.0, far=0.7)]
        assert taken == ["https://b.test/"] if self.holds_far_hosts_back else ["https://a.test/", "https://b.test/"]

    def test_who_is_asked_soon(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a"), ranked("b"), ranked("c")])
        crawl.frontier.rest("a.test", 10.0)
        crawl.frontier.hold("b.test", 3.0)
        asked = {host: crawl.frontier.asked_soon(f"{host}.test", 0.0, 5.0) for host in "abc"}
        assert asked == {"a": False, "b": False, "c": True}
        assert crawl.frontier.asked_soon("a.test", 5.0, 5.0)

    def test_ties_go_by_discovery(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("c"), ranked("a")])
        crawl.put([ranked("b")])
        assert crawl.drain() == ["https://c.test/", "https://a.test/", "https://b.test/"]

    def test_length_counts_what_waits(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a"), ranked("b"), ranked("b")])
        assert len(crawl.frontier) == 2
        (lease,) = crawl.take()
        assert len(crawl.frontier) == 1
        crawl.done(lease)
        assert len(crawl.frontier) == 1

    def test_rows_say_how_a_link_was_found(self) -> None:
        (row,) = self.crawling().put([ranked("a", 0.5, anchor="A")], depth=3, hops=2)
        assert (row.id, row.host) == (urls.fingerprint("https://a.test/"), "a.test")
        assert (row.link.anchor, row.priority, row.order, row.depth, row.hops, row.rule) == ("A", 0.5, 0, 3, 2, None)

    def test_links_that_nobody_had_seen_are_known_by_their_number(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.1), ranked("b", 0.1)])
        before = crawl.frontier.next_order()
        rows = crawl.put([ranked("b", 0.9), ranked("c", 0.5)])
        assert [row.link.url for row in rows if row.order >= before] == ["https://c.test/"]
        assert crawl.frontier.next_order() > max(row.order for row in rows)

    @pytest.mark.parametrize("bad", [nan, -inf])
    def test_what_is_no_number_goes_last(self, bad: float) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", bad), ranked("b", -1e9), ranked("c", inf)])
        assert crawl.drain() == ["https://c.test/", "https://b.test/", "https://a.test/"]

    def test_a_link_taken_once_never_comes_back(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.1)])
        (lease,) = crawl.take()
        assert crawl.put([ranked("a", 0.9)]) == []  # under way
        crawl.done(lease)
        assert crawl.put([ranked("a", 0.9)]) == []  # over
        assert crawl.take() == []
        assert crawl.frontier.next_time(0.0) is None

    def test_a_lease_ends_once(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a")])
        (lease,) = crawl.take()
        crawl.done(lease)
        with pytest.raises(ValueError, match="no lease"):
            crawl.done(lease)

    # Leases

    def test_leases_are_counted_whoever_has_them(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a", 0.1), ranked("b", 0.2)])
        assert crawl.frontier.leased() == 0
        robots = crawl.take(5)
        assert crawl.frontier.leased() == 2
        for lease in robots:
            crawl.done(lease)
            crawl.frontier.rules(lease.host, FixedRules())
        assert crawl.frontier.leased() == 0
        (lease, _) = crawl.take(5, 1.0)
        assert crawl.frontier.leased() == 2
        crawl.done(lease, 1.0, replace(lease, tries=1, not_before=9.0))
        assert crawl.frontier.leased() == 1

    def test_a_lease_given_back_waits_as_before(self) -> None:
        crawl = self.crawling(DELAYED, PlainStore())
        crawl.put([ranked("a", 0.9), ranked("b", 0.5), ranked("https://a.test/x", 0.8)])
        (lease,) = crawl.take(1)
        crawl.frontier.give_back(lease, 3.0)
        assert (crawl.frontier.leased(), len(crawl.frontier)) == (0, 3)
        assert [other.host for other in crawl.take(5, 3.0)] == ["b.test"], "the other host may just have been asked"
        assert crawl.take(5, 4.0) == [lease]
        crawl.done(lease, 4.0)
        assert crawl.next(5.0).link.url == "https://a.test/x"
        with pytest.raises(ValueError, match="no lease"):
            crawl.frontier.give_back(lease, 6.0)

    def test_a_robots_request_given_back_is_made_again(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a")])
        (lease,) = crawl.take()
        crawl.frontier.give_back(lease, 0.0)
        assert crawl.frontier.leased() == 0
        assert crawl.take(5, 1.0) == [lease]
        crawl.done(lease, 1.0)
        crawl.frontier.rules("a.test", FixedRules())
        assert crawl.next(2.0).link.url == "https://a.test/"

    def test_who_waits_hears_once_when_links_come_in_or_a_lease_ends(self) -> None:
        crawl, heard = self.crawling(), list[int]()

        def hear() -> None:
            heard.append(len(crawl.frontier))

        crawl.put([ranked("a"), ranked("b")])
        leases = crawl.take(2)
        for change in (
            lambda: crawl.put([ranked("c")]),
            lambda: crawl.done(leases[0]),
            lambda: crawl.frontier.give_back(leases[1], 0.0),
        ):
            crawl.frontier.tell_change(hear)
            crawl.frontier.tell_change(hear)
            crawl.put([ranked("a")])
            assert heard == [], "nothing new"
            change()
            crawl.put([ranked(f"d{len(crawl.frontier)}")])
            assert len(heard) == 1
            heard.clear()

    def test_links_under_the_least_priority_wait(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 1.0), ranked("b", 3.0), ranked("https://b.test/x", 2.0)])
        assert crawl.frontier.next_time(0.0, 2.0) == 0.0
        first = crawl.frontier.take(5, 0.0, 2.0)
        crawl.done(first[0])
        assert [lease.link.url for lease in [*first, *crawl.frontier.take(5, 0.0, 2.0)]] == [
            "https://b.test/",
            "https://b.test/x",
        ]
        assert crawl.frontier.next_time(0.0, 2.0) is None
        assert [lease.link.url for lease in crawl.take(5)] == ["https://a.test/"]

    # Merging

    @pytest.mark.parametrize(("rule", "value"), [("max", 0.8), ("min", 0.2), ("last", 0.2), ("mean", 0.5)])
    def test_merge_rules(self, rule: str, value: float) -> None:
        crawl = self.crawling(merge=rule)
        crawl.put([ranked("a", 0.5)])
        crawl.put([ranked("a", 0.8)])
        crawl.put([ranked("a", 0.2)])
        assert crawl.next().priority == pytest.approx(value)

    def test_the_link_of_the_better_word_and_the_smaller_depth_are_kept(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.5, anchor="fair")], depth=2)
        (row,) = crawl.put([ranked("a", 0.8, anchor="good")], depth=7, hops=1)
        assert (row.link.anchor, row.depth, row.hops, row.order) == ("good", 2, 1, 0)
        (row,) = crawl.put([ranked("a", 0.1, anchor="poor")], depth=1)
        assert (row.link.anchor, row.depth, row.priority) == ("good", 1, 0.8)
        assert crawl.put([ranked("a", 0.8)], depth=1) == []

    def test_a_link_named_twice_on_a_page_is_one_piece_of_evidence(self) -> None:
        crawl = self.crawling(merge="mean")
        (row,) = crawl.put([ranked("a", 0.2), ranked("a", 0.6)])
        assert (row.priority, row.evidence) == (0.6, 1)

    # Politeness

    def test_a_host_rests_from_the_end_of_a_request(self) -> None:
        crawl = self.crawling(DELAYED)
        crawl.put([ranked(page(0, 0)), ranked(page(0, 1))])
        (lease,) = crawl.take(2, now=10.0)
        assert crawl.frontier.next_time(10.0) is None
        crawl.done(lease, now=12.0)
        assert crawl.frontier.next_time(12.0) == 13.0
        assert crawl.take(1, now=12.9) == []
        assert len(crawl.take(1, now=13.0)) == 1

    def test_a_better_link_of_a_resting_host_lets_others_go_first(self) -> None:
        crawl = self.crawling(DELAYED)
        crawl.put([ranked(page(0, 0), 0.9), ranked(page(0, 1), 0.8), ranked(page(1, 0), 0.1)])
        crawl.next(now=0.0)
        assert crawl.take(9, now=0.0)[0].host == "h1.test"

    def test_more_connections_only_if_the_operator_says_so(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=1.0, connections=2, robots=False))
        crawl.put([ranked(page(0, number)) for number in range(3)])
        assert len(crawl.take(3)) == 2

    def test_a_slow_host_is_asked_less(self) -> None:
        crawl = self.crawling(DELAYED)
        crawl.put([ranked(page(0, number)) for number in range(2)])
        (lease,) = crawl.take()
        crawl.done(lease, now=8.0, slow=8.0)
        next_time = crawl.frontier.next_time(8.0)
        assert 8.0 + 8.0 <= next_time <= 8.0 + DELAYED.max_crawl_delay

    def test_a_struggling_host_is_asked_ever_less(self) -> None:
        crawl = self.crawling(DELAYED)
        crawl.put([ranked(page(0, number)) for number in range(9)])
        now, pauses = 0.0, []
        for _ in range(8):
            (lease,) = crawl.take(1, now)
            crawl.done(lease, now, retry=replace(lease, not_before=1e6))
            pauses.append(crawl.frontier.next_time(now) - now)
            now += pauses[-1]
        assert pauses == sorted(pauses)
        assert pauses[2] > pauses[0]
        assert pauses[-1] == DELAYED.max_crawl_delay
        crawl.next(now)
        assert crawl.frontier.next_time(now) == 1e6

    def test_rest_holds_the_whole_host(self) -> None:
        crawl = self.crawling(DELAYED)
        crawl.put([ranked(page(0, 0))])
        crawl.frontier.rest("h0.test", 50.0)
        crawl.frontier.rest("h0.test", nan)
        assert crawl.take(1, now=49.0) == []
        assert crawl.frontier.next_time(49.0) == 50.0
        assert len(crawl.take(1, now=50.0)) == 1

    @many
    @given(st.integers(0, 2**32), st.sampled_from([10, 100_000]))
    def test_no_host_is_asked_twice_at_once_or_too_soon(self, seed: int, in_memory: int) -> None:
        random = Random(seed)
        delay, crawl_delay = random.choice([0.0, 0.5, 2.0]), random.choice([None, 3.0])
        politeness = PolitenessSection(delay=delay, robots=random.random() < 0.7)
        store = PlainStore()
        trip = Trip(self.crawling(politeness, store, in_memory=in_memory), random, crawl_delay)
        trip.run(until=random.uniform(5, 40))
        crawl = self.resumed(store, trip.now, politeness, in_memory=in_memory)
        for host in trip.ruled:
            crawl.frontier.rules(host, FixedRules(delay=crawl_delay))
        trip.go_on_with(crawl)
        trip.run(until=inf)
        assert len(crawl.frontier) == 0
        for host, requests in trip.requests.items():
            for (_, end), (start, _) in pairwise(sorted(requests)):
                ruled = start >= trip.ruled.get(host, inf)
                assert start - end >= (max(delay, crawl_delay or 0.0) if ruled else delay) - 1e-9, host

    # Robots

    def test_robots_are_asked_first(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("https://a.test:8443/x", 0.5), ranked("https://a.test:8443/y", 0.9)])
        (robots_request,) = crawl.take(5)
        assert robots_request.link.url == "https://a.test:8443/robots.txt"
        assert (robots_request.link.kind, robots_request.host, robots_request.priority) == (
            "robots",
            "a.test:8443",
            inf,
        )
        assert robots_request.memory == b"a.test:8443"
        assert len(crawl.frontier) == 2
        crawl.done(robots_request, now=1.0)
        assert crawl.take(5, now=99.0) == []
        assert crawl.frontier.next_time(99.0) is None
        crawl.frontier.rules(robots_request.host, FixedRules())
        assert [lease.link.url for lease in crawl.take(5, now=99.0)] == ["https://a.test:8443/y"]

    def test_a_crawl_delay_counts_from_the_robots_requests_end(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a")])
        (robots_request,) = crawl.take()
        crawl.done(robots_request, now=1.0)
        crawl.frontier.rules("a.test", FixedRules(delay=7.0))
        assert crawl.frontier.next_time(1.0) == 8.0

    @pytest.mark.parametrize("asked", [1e9, inf])
    def test_a_crawl_delay_has_a_ceiling(self, asked: float) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a")])
        crawl.done(crawl.take()[0])
        crawl.frontier.rules("a.test", FixedRules(delay=asked))
        assert crawl.frontier.next_time(0.0) == ROBOTS.max_crawl_delay

    def test_what_robots_deny_is_refused(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0))
        crawl.put([ranked(page(0, 1), 0.9), ranked(page(0, 22), 0.8), ranked(page(0, 3), 0.7)], depth=4)
        robots_request = crawl.next()
        crawl.frontier.rules(robots_request.host, FixedRules(denied="/22"))
        assert crawl.drain() == [page(0, 1), page(0, 3)]
        (refusal,) = crawl.refusals
        assert (refusal.link.url, refusal.reason, refusal.depth, refusal.host) == (page(0, 22), "robots", 4, "h0.test")
        assert crawl.put([ranked(page(0, 22), 1.0)]) == []
        assert len(crawl.frontier) == 0

    def test_rules_that_fail_deny(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0))
        crawl.put([ranked("a")])
        crawl.frontier.rules(crawl.next().host, BrokenRules())
        assert crawl.take() == []
        assert [refusal.reason for refusal in crawl.refusals] == ["robots"]

    def test_expired_rules_are_asked_for_again(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0))
        crawl.put([ranked(page(0, number)) for number in range(3)])
        crawl.frontier.rules(crawl.next(0.0).host, FixedRules(expires=10.0))
        assert crawl.next(5.0).link.kind == "a"
        assert crawl.next(10.0).link.kind == "robots"
        assert crawl.take(1, 11.0) == []

    def test_rules_that_are_born_expired_do_not_hold_the_crawl(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0))
        crawl.put([ranked("a")])
        crawl.frontier.rules(crawl.next(5.0).host, FixedRules(expires=nan))
        assert crawl.next(5.0).link.url == "https://a.test/"

    def test_a_robots_file_elsewhere_is_fetched_through_that_hosts_peace(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a"), ranked("b")])
        robots_requests = {robots_request.host: robots_request for robots_request in crawl.take(2, now=0.0)}
        crawl.done(robots_requests["a.test"], now=1.0)
        crawl.frontier.robots_request(Link(url="https://b.test/bots", kind="robots"), "a.test", 1)
        assert crawl.take(9, now=5.0) == []  # b is being asked
        crawl.done(robots_requests["b.test"], now=6.0)
        assert crawl.take(9, now=6.5) == []  # b rests
        (robots_request,) = crawl.take(9, now=7.0)
        assert (robots_request.link.url, robots_request.host, robots_request.memory, robots_request.hops) == (
            "https://b.test/bots",
            "b.test",
            b"a.test",
            1,
        )
        crawl.done(robots_request, now=8.0)
        crawl.frontier.rules("a.test", FixedRules())
        assert [lease.host for lease in crawl.take(9, now=99.0)] == ["a.test"]

    def test_a_robots_request_can_be_tried_again_later(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a")])
        (robots_request,) = crawl.take(1, now=0.0)
        crawl.done(robots_request, now=1.0, retry=replace(robots_request, tries=1, not_before=30.0))
        assert crawl.frontier.next_time(5.0) == 30.0
        (again,) = crawl.take(1, now=30.0)
        assert (again.link, again.tries) == (robots_request.link, 1)

    def test_a_host_that_is_held_keeps_its_links_and_nobody_waits_for_it(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a"), ranked("https://a.test/x"), ranked("b")])
        first, second = crawl.take(9, now=0.0)
        crawl.done(first, now=1.0)
        crawl.done(second, now=1.0)
        crawl.frontier.hold("a.test", 600.0)
        crawl.frontier.rules("b.test", FixedRules())
        (lease,) = crawl.take(9, now=50.0)
        assert lease.host == "b.test"
        crawl.done(lease, now=51.0)
        assert crawl.frontier.next_time(52.0) is None
        assert (crawl.frontier.held(), len(crawl.frontier)) == ({"a.test": 2}, 2)
        assert crawl.take(9, now=599.0) == []
        (again,) = crawl.take(9, now=600.0)
        assert (again.link.kind, again.host) == ("robots", "a.test")
        crawl.done(again, now=601.0)
        crawl.frontier.rules("a.test", FixedRules())
        assert crawl.frontier.held() == {}
        assert [lease.link.kind for lease in crawl.take(9, now=900.0)] == ["a"]

    def test_after_a_restart_a_host_rests_as_long_as_its_link_that_is_tried_again(self) -> None:
        """Which may be what a Retry-After asked for: nobody remembers, and so it counts as one."""
        store = PlainStore()
        crawl = self.crawling(AT_ONCE, store=store)
        crawl.put([ranked("https://a.test/x", 2.0), ranked("https://a.test/y", 1.0)])
        (lease,) = crawl.take(1, now=0.0)
        crawl.done(lease, now=1.0, retry=replace(lease, tries=1, not_before=100.0))
        again = self.resumed(store, 50.0, AT_ONCE)
        assert again.take(9, now=50.0) == []
        assert again.frontier.next_time(50.0) == 100.0
        assert again.drain(100.0) == ["https://a.test/x", "https://a.test/y"]

    def test_rules_that_come_end_a_hold(self) -> None:
        crawl = self.crawling(ROBOTS)
        crawl.put([ranked("a")])
        (request,) = crawl.take(9, now=0.0)
        crawl.done(request, now=1.0)
        crawl.frontier.hold("a.test", 600.0)
        crawl.frontier.rules("a.test", FixedRules(expires=9e9))
        (lease,) = crawl.take(9, now=50.0)
        assert lease.link.kind == "a"
        crawl.done(lease, now=51.0)
        crawl.put([ranked("https://a.test/x")])
        assert [lease.link.kind for lease in crawl.take(9, now=601.0)] == ["a"]

    # Limits

    def test_the_worst_over_the_limit_are_forgotten(self) -> None:
        crawl = self.crawling(limit=2)
        assert len(crawl.put([ranked("a", 0.1), ranked("b", 0.9)])) == 2
        assert crawl.put([ranked("c", 0.05)]) == []
        crawl.put([ranked("d", 0.5)])
        assert [(refusal.link.url, refusal.reason, refusal.for_good) for refusal in crawl.refusals] == [
            ("https://c.test/", "frontier limit", False),
            ("https://a.test/", "frontier limit", False),
        ]
        assert crawl.drain() == ["https://b.test/", "https://d.test/"]

    def test_a_forgotten_link_comes_back_if_it_is_good_enough(self) -> None:
        crawl = self.crawling(limit=1)
        crawl.put([ranked("a", 0.1)])
        crawl.put([ranked("b", 0.5)])
        assert crawl.put([ranked("a", 0.4)]) == []
        assert len(crawl.refusals) == 1
        (row,) = crawl.put([ranked("a", 0.8)])
        assert row.rule is None
        assert crawl.drain() == ["https://a.test/"]

    def test_a_link_that_came_back_is_no_longer_refused(self) -> None:
        frontier = self.crawling(limit=1).frontier
        for name, priority in (("a", 0.1), ("b", 0.5), ("a", 0.8)):
            frontier.put([ranked(name, priority)], 1)
        assert [refusal.link.url for refusal in frontier.refused()] == ["https://b.test/"]
        assert frontier.refused() == []

    @many
    @given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=60), st.integers(1, 8))
    def test_what_is_left_are_the_best(self, links: list[tuple[int, int]], limit: int) -> None:
        crawl = self.crawling(limit=limit)
        best: dict[str, int] = {}
        for number, priority in links:
            crawl.put([ranked(page(number % 3, number), priority)])
            best[page(number % 3, number)] = max(best.get(page(number % 3, number), 0), priority)
            assert len(crawl.frontier) <= limit
        got = crawl.drain()
        assert sorted(best[url] for url in got) == sorted(best.values())[-limit:]

    def test_a_host_has_its_share_and_no_more(self) -> None:
        crawl = self.crawling(host_pages=2)
        crawl.put([ranked(page(0, number), -number) for number in range(4)] + [ranked("b", -9)])
        assert crawl.drain() == [page(0, 0), page(0, 1), "https://b.test/"]
        assert crawl.put([ranked(page(0, 9))]) == []
        assert all(refusal.for_good for refusal in crawl.refusals)
        assert [(refusal.link.url, refusal.reason) for refusal in crawl.refusals] == [
            (page(0, 2), "host limit"),
            (page(0, 3), "host limit"),
            (page(0, 9), "host limit"),
        ]

    def test_leases_under_way_count_for_the_share(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0, robots=False, connections=9), host_pages=2)
        crawl.put([ranked(page(0, number)) for number in range(5)])
        leases = crawl.take(5)
        assert len(leases) == 2
        crawl.done(leases[0], retry=leases[0])
        assert [lease.id for lease in crawl.take(5)] == [leases[0].id]

    # Retries

    def test_a_retry_waits_its_time_and_keeps_its_place(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked(page(0, 0)), ranked(page(0, 1))])
        (lease,) = crawl.take(1, now=0.0)
        crawl.done(lease, 0.0, retry=replace(lease, tries=1, not_before=60.0))
        assert len(crawl.frontier) == 2
        assert crawl.next(now=1.0).link.url == page(0, 1)
        assert crawl.frontier.next_time(1.0) == 60.0
        crawl.put([ranked(page(0, 2))])
        again = crawl.next(now=60.0)
        assert (again.link.url, again.tries, again.order) == (page(0, 0), 1, 0)

    def test_a_sleeping_link_found_again_still_sleeps(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked("a", 0.5)])
        crawl.frontier.rescore([(urls.fingerprint("https://a.test/"), 0.9)])
        crawl.frontier.rescore([(urls.fingerprint("https://a.test/"), 0.5)])
        (lease,) = crawl.take()
        crawl.done(lease, retry=replace(lease, not_before=60.0))
        crawl.put([ranked("a", 0.8)])
        assert crawl.take(1, now=59.0) == []
        assert crawl.next(now=60.0).priority == 0.8

    # Online strategies

    def test_the_best_can_be_seen_and_rescored(self) -> None:
        crawl = self.crawling()
        crawl.put([ranked(page(number % 3, number), number / 10) for number in range(10)])
        top = crawl.frontier.best(3)
        assert [row.priority for row in top] == [0.9, 0.8, 0.7]
        assert crawl.frontier.best(3) == top
        rows = crawl.frontier.rescore([(top[0].id, 0.75), (top[1].id, 0.8), (12345, 1.0)])
        assert [(row.id, row.priority) for row in rows] == [(top[0].id, 0.75)]
        crawl.frontier.rescore([(top[0].id, 0.9)])
        crawl.frontier.rescore([(top[0].id, 0.75)])
        assert [row.priority for row in crawl.frontier.best(3)] == [0.8, 0.75, 0.7]
        assert crawl.drain()[:2] == [top[1].link.url, top[0].link.url]
        assert crawl.frontier.best(3) == []

    # Memory and restarts

    @many
    @given(
        st.sampled_from(["max", "min", "mean", "last"]),
        st.lists(
            st.one_of(
                st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=12),
                st.sampled_from(["take", "take", "retry"]),
            ),
            max_size=60,
        ),
        st.sampled_from([1, 4, 10]),
    )
    def test_little_memory_gives_the_same_order(self, rule: str, actions: list[Any], in_memory: int) -> None:
        small = self.crawling(store=PlainStore(), in_memory=in_memory, merge=rule)
        large, model = self.crawling(merge=rule), Model(rule)
        for action in [*actions, *["take"] * 61]:
            if isinstance(action, list):
                links = [ranked(page(number % 4, number), value / 7) for number, value, _ in action]
                for crawl in (small, large):
                    crawl.put(links, depth=action[0][2])
                model.put(links, depth=action[0][2])
            else:
                taken = [crawl.take() for crawl in (small, large)]
                expected = model.take()
                for crawl, leases in zip((small, large), taken, strict=True):
                    assert [(lease.link.url, lease.priority, lease.depth) for lease in leases] == expected
                    for lease in leases:
                        crawl.done(lease, retry=lease if action == "retry" else None)
                if action == "retry":
                    model.put_back()
            assert len(small.frontier) == len(large.frontier) == len(model.waiting)

    @pytest.mark.parametrize("rule", ["max", "min", "mean", "last"])
    def test_little_memory_gives_the_same_order_on_long_walks(self, rule: str) -> None:
        for seed in range(20):
            random, model = Random(seed), Model(rule)
            crawl = self.crawling(store=PlainStore(), in_memory=random.choice([4, 10, 30]), merge=rule)
            for step in range(400):
                if step < 120 and random.random() < 0.5:
                    numbers = [random.randrange(150) for _ in range(8)]
                    links = [ranked(page(number % 4, number), random.randrange(6) / 7) for number in numbers]
                    crawl.put(links, step % 5)
                    model.put(links, step % 5)
                    continue
                leases, expected, again = crawl.take(), model.take(), step < 120 and random.random() < 0.2
                assert [(lease.link.url, lease.priority, lease.depth) for lease in leases] == expected, (seed, step)
                for lease in leases:
                    crawl.done(lease, retry=lease if again else None)
                if again:
                    model.put_back()
            assert len(crawl.frontier) == len(model.waiting) == 0

    def test_memory_is_bounded(self) -> None:
        store = PlainStore()
        crawl = self.crawling(store=store, in_memory=50)
        for number in range(1000):
            crawl.put([ranked(page(number % 7, number), number % 13)])
        assert len(crawl.frontier) == 1000
        assert len(crawl.frontier.best(1000)) <= 50
        assert len(crawl.drain()) == 1000
        assert store.reads < 500

    @pytest.mark.parametrize("rule", ["max", "last", "mean"])
    @pytest.mark.parametrize(("risen", "in_memory"), [(1, 4), (20, 4), (200, 100), (300, 100)])
    def test_links_that_rise_in_the_store_come_up_in_order(self, rule: str, risen: int, in_memory: int) -> None:
        crawl = self.crawling(store=PlainStore(), in_memory=in_memory, merge=rule)
        crawl.put([ranked(page(0, number), 1.0 - number / 1000) for number in range(400)])
        crawl.put([ranked(page(0, number), 5.0 + number / 100) for number in range(399, 399 - risen, -1)])
        order = crawl.drain()
        assert order[:risen] == [page(0, number) for number in range(399, 399 - risen, -1)]
        assert order[risen:] == [page(0, number) for number in range(400 - risen)]

    def test_more_hosts_than_memory(self) -> None:
        crawl = self.crawling(store=PlainStore(), in_memory=10)
        for number in range(100):
            crawl.put([ranked(page(number, 0), number % 10)])
        assert len(crawl.frontier.best(1000)) <= 10
        expected = sorted(range(100), key=lambda number: (-(number % 10), number))
        assert crawl.drain() == [page(number, 0) for number in expected]

    @pytest.mark.parametrize(("in_memory", "known"), [(1000, 100), (60, 42), (3, 0)])
    def test_one_that_goes_on_filled_knows_the_best_from_before(self, in_memory: int, known: int) -> None:
        store, politeness = PlainStore(), PolitenessSection(delay=0.0)
        before = self.crawling(politeness, store)
        before.put([ranked(page(number % 7, number), number % 13 / 10) for number in range(100)])
        crawl = self.resumed(store, 0.0, politeness, in_memory=in_memory, filled=True)
        assert len(crawl.frontier.best(1000)) == known
        assert crawl.frontier.best(known // 7) == before.frontier.best(known // 7)
        assert len(crawl.frontier) == 100
        assert crawl.drain() == before.drain()

    def test_a_mass_of_refusals_is_told_in_portions(self) -> None:
        crawl = self.crawling(PolitenessSection(delay=0.0), PlainStore(), in_memory=100)
        crawl.put([ranked(page(0, number)) for number in range(2500)] + [ranked(page(1, 0), -1.0)])
        crawl.frontier.rules("h0.test", FixedRules(denied="h0"))
        crawl.frontier.rules("h1.test", FixedRules())
        portions, leases = [], []
        while crawl.frontier.next_time(0.0) == 0.0:
            before = len(crawl.refusals)
            leases += crawl.take(1)
            portions.append(len(crawl.refusals) - before)
        assert sum(portions) == 2500
        assert max(portions) <= 1000
        assert [lease.link.url for lease in leases] == [page(1, 0)]

    @many
    @given(st.integers(0, 2**32), st.booleans())
    def test_a_restart_goes_on_where_the_crash_was(self, seed: int, limited: bool) -> None:
        random, store = Random(seed), PlainStore()
        given: dict[str, Any] = {"in_memory": random.choice([4, 1000]), "limit": 20 if limited else 0}
        crawl = self.crawling(store=store, **given)
        fetched: list[str] = []
        for _ in range(30):
            crawl.put([ranked(page(random.randrange(4), random.randrange(40)), random.random()) for _ in range(5)])
            for lease in crawl.take() if random.random() < 0.7 else []:
                if random.random() < 0.2:
                    crawl.done(lease, retry=replace(lease, tries=1, not_before=100.0))
                elif random.random() < 0.9:
                    crawl.done(lease)
                    fetched.append(lease.link.url)
        wait = {row.link.url for row in store.rows.values() if row.id not in store.over}
        again = self.resumed(store, 50.0, AT_ONCE, **given)
        again.hear()  # leases of the crash wait again, and may be too many
        wait -= {refusal.link.url for refusal in again.refusals}
        assert len(again.frontier) == len(wait)
        assert again.put([ranked(url, 1.0) for url in fetched]) == []
        got = again.drain(50.0) + again.drain(100.0)
        assert len(got) == len(set(got))
        assert set(got) == wait

    def test_after_a_restart_every_host_rests_first(self) -> None:
        store = PlainStore()
        self.crawling(DELAYED, store).put([ranked("a")])
        again = self.resumed(store, 100.0, DELAYED)
        again.put([ranked("b")])
        assert again.take(2, now=100.5) == []
        assert again.frontier.next_time(100.5) == 101.0
        assert len(again.take(2, now=101.0)) == 2

    def test_a_new_store_has_nothing_to_rest_from(self) -> None:
        crawl = self.resumed(PlainStore(), 100.0, DELAYED)
        crawl.put([ranked("a")])
        assert len(crawl.take(1, now=100.0)) == 1

    def test_a_restart_remembers_a_hosts_share(self) -> None:
        store = PlainStore()
        self.crawling(store=store).put([ranked("a"), ranked("b")])
        again = self.resumed(store, 0.0, AT_ONCE, host_pages=3, pages={"a.test": 3})
        assert again.drain() == ["https://b.test/"]

    @many
    @given(st.integers(0, 2**32))
    def test_the_same_calls_give_the_same_leases(self, seed: int) -> None:
        def run() -> list[tuple[str, tuple[float, float]]]:
            trip = Trip(self.crawling(ROBOTS, PlainStore(), in_memory=10), Random(seed), 2.0)
            trip.run(until=60.0)
            return [(host, request) for host, requests in trip.requests.items() for request in requests]

        assert run() == run()


class Model:
    """The frontier as a list that is sorted whenever something is taken."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.waiting: dict[str, tuple[float, int, int, int]] = {}  # priority, order, depth, evidence
        self.order = 0
        self.taken: dict[str, tuple[float, int, int, int]] = {}
        self.last = ""

    def put(self, links: Sequence[Ranked], depth: int) -> None:
        once: dict[str, float] = {}
        pick = {"min": min, "last": lambda _, new: new}.get(self.rule, max)
        for link in links:
            url = link.link.url
            once[url] = pick(once[url], link.priority) if url in once else link.priority
        for url, priority in once.items():
            if url in self.waiting:
                old, order, old_depth, evidence = self.waiting[url]
                if self.rule == "mean":
                    priority = (old * evidence + priority) / (evidence + 1)
                    evidence += 1
                else:
                    priority = pick(old, priority)
                self.waiting[url] = (priority, order, min(depth, old_depth), evidence)
            elif url not in self.taken:
                self.waiting[url] = (priority, self.order, depth, 1)
                self.order += 1

    def take(self) -> list[tuple[str, float, int]]:
        if not self.waiting:
            self.last = ""
            return []
        self.last = url = min(self.waiting, key=lambda url: (-self.waiting[url][0], self.waiting[url][1]))
        self.taken[url] = self.waiting.pop(url)
        return [(url, self.taken[url][0], self.taken[url][2])]

    def put_back(self) -> None:
        if self.last:
            self.waiting[self.last] = self.taken.pop(self.last)


class Trip:
    """A crawl in invented time: requests take as long as chance wants, links are random, some pages fail."""

    def __init__(self, crawl: Crawling, random: Random, crawl_delay: float | None) -> None:
        self.crawl, self.random, self.crawl_delay = crawl, random, crawl_delay
        self.now = 1000.0
        self.requests: dict[str, list[tuple[float, float]]] = {}
        self.ruled: dict[str, float] = {}
        self.flying: list[tuple[float, int, Waiting, float]] = []
        self.leases = 0
        crawl.put([ranked(page(host, 0), random.random()) for host in range(5)])

    def go_on_with(self, crawl: Crawling) -> None:
        """After a crash: what was in flight ends now, unheard."""
        for _, _, lease, start in self.flying:
            self.requests.setdefault(lease.host, []).append((start, self.now))
        self.flying, self.crawl = [], crawl

    def run(self, until: float) -> None:
        end = self.now + until
        while self.now < end:
            for lease in self.crawl.take(4 - len(self.flying), self.now):
                self.leases += 1
                heappush(self.flying, (self.now + self.random.expovariate(1.0), self.leases, lease, self.now))
            times = [self.flying[0][0]] if self.flying else []
            if len(self.flying) < 4 and (time := self.crawl.frontier.next_time(self.now)) is not None:
                times.append(time)
            if not times:
                return
            self.now = max(self.now, min(times))
            while self.flying and self.flying[0][0] <= self.now:
                self.land()

    def land(self) -> None:
        _, _, lease, start = heappop(self.flying)
        self.requests.setdefault(lease.host, []).append((start, self.now))
        chance, slow = self.random.random(), self.now - start
        if lease.link.kind == "robots":
            self.crawl.done(lease, self.now, slow=slow)
            owner = (lease.memory or b"").decode()
            if chance < 0.2:
                self.crawl.frontier.robots_request(Link(url=page(self.random.randrange(5), 999), kind="robots"), owner)
            else:
                self.crawl.frontier.rules(owner, FixedRules("/3", self.crawl_delay, self.now + 60.0))
                self.ruled.setdefault(owner, self.now)
        elif chance < 0.1 and lease.tries < 2:
            retry = replace(lease, tries=lease.tries + 1, not_before=self.now + self.random.uniform(0, 9))
            self.crawl.frontier.rest(lease.host, self.now + self.random.uniform(0, 9))
            self.crawl.done(lease, self.now, retry=retry, slow=slow)
        else:
            self.crawl.done(lease, self.now, slow=slow)
            found = [(self.random.randrange(5), self.random.randrange(12)) for _ in range(4)]
            self.crawl.put([ranked(page(*where), self.random.random()) for where in found])

"""Requests beside the queue have the manners of any other: one at a time, with a rest, and robots.txt before."""

import pytest

from scenthound.config import PolitenessSection
from scenthound.fetch.robots import HostRules
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.frontier.side_requests import SOON
from scenthound.model import Link, Ranked, Waiting

A, B = "http://a.test/", "http://b.test/"
ALL = HostRules(expires=1e9)


def polite(**settings: object) -> PoliteFrontier:
    return PoliteFrontier(politeness=PolitenessSection(**{"delay": 1.0, "robots": False, **settings}))  # type: ignore[arg-type]


def leased(frontier: PoliteFrontier, url: str, now: float) -> Waiting:
    frontier.put([Ranked(Link(url), 1.0)], 0)
    [lease] = frontier.take(1, now)
    return lease


def test_a_page_asks_its_own_host_although_it_is_leased_after_the_rest_its_answer_began() -> None:
    frontier = polite()
    leased(frontier, A, 10.0)
    side = frontier.side_requests
    side.page_came("a.test", 12.0)
    assert side.begin("a.test", 12.2, "a.test") == 13.0
    assert side.begin("a.test", 13.0, "a.test") is None


def test_one_at_a_time_and_a_rest_in_between() -> None:
    frontier = polite()
    side = frontier.side_requests
    assert side.begin("b.test", 10.0, "a.test") is None
    assert side.begin("b.test", 10.0, "a.test") == 10.0 + SOON
    side.end("b.test", 11.0, 0.1)
    assert side.begin("b.test", 11.0, "a.test") == 12.0
    assert side.begin("b.test", 12.0, "a.test") is None


def test_links_wait_for_requests_beside_them_and_the_other_way_round() -> None:
    frontier = polite()
    side = frontier.side_requests
    frontier.put([Ranked(Link(B), 1.0)], 0)
    assert side.begin("b.test", 10.0, "a.test") is None
    assert not frontier.take(1, 10.0)
    side.end("b.test", 11.0, 0.1)
    assert not frontier.take(1, 11.5)
    assert frontier.next_time(11.5) == 12.0
    [lease] = frontier.take(1, 12.0)
    assert side.begin("b.test", 12.0, "a.test") == 12.0 + SOON
    frontier.done(lease, 13.0)
    assert side.begin("b.test", 13.0, "a.test") == 14.0


def test_a_host_that_asked_for_a_rest_has_it() -> None:
    frontier = polite()
    frontier.rest("b.test", 40.0)
    assert frontier.side_requests.begin("b.test", 10.0, "a.test") == 40.0


def test_a_host_that_struggles_is_asked_less_often() -> None:
    side = polite().side_requests
    assert side.begin("b.test", 10.0, "a.test") is None
    side.end("b.test", 11.0, 0.1, struggles=True)
    assert side.begin("b.test", 11.0, "a.test") == 13.0


def test_robots_rules_are_shared_with_the_queue() -> None:
    frontier = polite(robots=True)
    side = frontier.side_requests
    assert not side.knows_rules("b.test", 10.0)
    assert not side.is_asking_rules("b.test")
    side.take_rules("b.test", ALL)
    assert side.knows_rules("b.test", 10.0)
    assert side.refusal("b.test", B) is None
    lease = leased(frontier, B, 10.0)
    assert lease.link.kind != "robots"  # nobody has to ask again
    assert not side.knows_rules("b.test", 2e9)  # they expire


def test_whoever_asks_for_the_rules_already_is_waited_for() -> None:
    frontier = polite(robots=True)
    assert leased(frontier, B, 10.0).link.kind == "robots"
    assert frontier.side_requests.is_asking_rules("b.test")
    frontier.hold("b.test", 20.0)
    assert not frontier.side_requests.is_asking_rules("b.test")


@pytest.mark.parametrize("robots", [True, False])
def test_what_rules_deny_is_refused_where_they_are_obeyed(robots: bool) -> None:
    side = polite(robots=robots).side_requests
    side.take_rules("b.test", HostRules(expires=1e9, default=False))
    assert side.refusal("b.test", B) == ("robots" if robots else None)
    assert polite(robots=False).side_requests.knows_rules("b.test", 0.0)

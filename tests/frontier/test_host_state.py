from math import inf, nan

import pytest

from scenthound.config import PolitenessSection
from scenthound.frontier.host_state import HostState
from tests.conformance.frontiers import FixedRules

POLITE = PolitenessSection(delay=1.0, max_crawl_delay=30.0)


def test_pace_is_smoothed_and_forgiven() -> None:
    host = HostState("h", 0, 1.0)
    host.answered(4.0, False, POLITE)
    assert host.rest == 8.0
    for _ in range(40):
        host.answered(0.1, False, POLITE)
    assert host.rest == 1.0


@pytest.mark.parametrize("took", [nan, inf, -5.0, 0.0])
def test_a_time_that_is_none_teaches_nothing(took: float) -> None:
    host = HostState("h", 0, 1.0)
    host.answered(took, False, POLITE)
    assert host.rest == 1.0


def test_trouble_doubles_the_rest_up_to_the_ceiling_and_is_forgotten_slowly() -> None:
    host = HostState("h", 0, 1.0)
    rests = []
    for _ in range(40):
        host.answered(0.0, True, POLITE)
        rests.append(host.rest)
    assert rests[:6] == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    for _ in range(20):
        host.answered(0.0, False, POLITE)
        rests.append(host.rest)
    assert 4.0 < host.rest < 16.0
    assert rests[40:] == sorted(rests[40:], reverse=True)
    for _ in range(25):
        host.answered(0.0, False, POLITE)
    assert host.rest == 1.0


@pytest.mark.parametrize("usual", [0.02, 0.1, 0.4])
def test_the_load_falls_within_three_answers_that_take_twice_their_time(usual: float) -> None:
    host = HostState("h", 0, 1.0)
    for _ in range(50):
        host.answered(usual, False, POLITE)
    before = host.rest
    for _ in range(3):
        host.answered(2 * usual, False, POLITE)
    assert host.rest >= 1.5 * before
    slowed = []
    for _ in range(60):
        host.answered(usual, False, POLITE)
        slowed.append(host.rest)
    assert slowed[1] > 1.2 * before, "it rises again slowly"
    assert slowed[-1] == before


def test_one_slow_answer_is_no_trouble() -> None:
    host = HostState("h", 0, 1.0)
    for _ in range(50):
        host.answered(0.1, False, POLITE)
    host.answered(0.25, False, POLITE)
    assert host.rest == 1.0


def test_a_host_that_stays_slower_is_asked_as_before_in_the_end() -> None:
    host = HostState("h", 0, 1.0)
    for took, answers in ((0.1, 50), (0.2, 15)):
        for _ in range(answers):
            host.answered(took, False, POLITE)
    assert host.rest == 4.0, "never less often than that, whatever slowness says"
    for _ in range(60):
        host.answered(0.2, False, POLITE)
    assert host.rest == 1.0


def test_without_a_delay_nothing_is_adapted_but_robots_count() -> None:
    host = HostState("h", 0, 0.0)
    host.answered(4.0, True, PolitenessSection(delay=0.0))
    assert host.rest == 0.0
    host.obey(FixedRules(delay=2.0), PolitenessSection(delay=0.0))
    assert host.rest == 2.0


def test_an_operators_delay_may_exceed_the_ceiling() -> None:
    host = HostState("h", 0, 90.0)
    host.answered(9.0, True, PolitenessSection(delay=90.0, max_crawl_delay=30.0))
    assert host.rest == 90.0


@pytest.mark.parametrize("delay", [None, nan, -3.0, 0.0])
def test_a_crawl_delay_that_is_none(delay: float | None) -> None:
    host = HostState("h", 0, 1.0)
    host.obey(FixedRules(delay=delay), POLITE)
    assert host.rest == 1.0

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


def test_strikes_double_up_to_the_ceiling_and_end() -> None:
    host = HostState("h", 0, 1.0)
    rests = []
    for _ in range(40):
        host.answered(0.0, True, POLITE)
        rests.append(host.rest)
    assert rests[:6] == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    host.answered(0.0, False, POLITE)
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

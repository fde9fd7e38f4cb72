from __future__ import annotations

from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from tests.conformance import strategies as suite


def begun(**params: Any) -> Any:
    return suite.begun(lambda: registry.strategy.build("genetic-hybrid", params))


def test_modes_take_turns() -> None:
    strategy = begun(phase=2, breadth_every=3)
    modes = []
    for number in range(12):
        visit = suite.make_visit(suite.make_page(number))
        strategy.learn(visit)
        ranked = strategy.rank(visit)
        breadth = [one.priority for one in ranked] == [-float(5 * number + n) for n in range(1, 6)]
        modes.append(breadth)
    # pages 1.. are in phases of two; every third is breadth first: pages 4 and 5, 10 and 11
    assert modes == [False] * 3 + [True] * 2 + [False] * 4 + [True] * 2 + [False]
    assert strategy.rescore_every == 2


def test_waiting_links_change_their_order_with_the_mode() -> None:
    strategy = begun(phase=1, breadth_every=2)
    page = suite.make_page(1)
    strategy.learn(suite.make_visit(page))  # page 1: breadth first
    strategy.rank(suite.make_visit(page))
    assert strategy.rescore(page.links) == [-1.0, -2.0, -3.0, -4.0, -5.0]
    strategy.learn(suite.make_visit(page))
    learned = strategy.rescore(page.links)
    assert learned == [one.priority for one in strategy.rank(suite.make_visit(page))]
    assert learned != [-1.0, -2.0, -3.0, -4.0, -5.0]


def test_never_breadth_first() -> None:
    strategy = begun(breadth_every=0)
    log = suite.crawl(strategy, 15)
    assert len({round(priority, 9) for _, priority, _ in log}) < len(log)


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="--model genetic-hybrid"):
        registry.strategy.build("genetic-hybrid").begin(suite.make_context())
    for params in ({"phase": 0}, {"breadth_every": -1}):
        with pytest.raises(ConfigError, match=next(iter(params))):
            registry.strategy.build("genetic-hybrid", params)

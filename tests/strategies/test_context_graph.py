from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.errors import ConfigError
from tests.conformance import strategies as suite
from tests.learn.test_assessment import ladders


def begun(**params: Any) -> Any:
    return suite.begun(
        lambda: registry.strategy.build("context-graph", params), replace(suite.make_context(), lessons=ladders())
    )


def priority(strategy: Any, text: str) -> float:
    ranked = strategy.rank(suite.make_visit(suite.make_page(1, text)))
    assert len({one.priority for one in ranked}) == 1
    return float(ranked[0].priority)


def test_a_queue_for_each_layer() -> None:
    strategy = begun(confidence=0.3)
    found = [priority(strategy, text) for text in ("dengue fever", "clinic doctor", "city council", "country map")]
    for layer, value in enumerate(found):
        assert -layer < value <= 1 - layer


def test_of_no_layer_comes_last() -> None:
    strategy = begun(confidence=0.9)
    assert -5 < priority(strategy, "dengue map city doctor") <= -4
    assert priority(strategy, "") <= -4
    assert begun(confidence=0.0).rank(suite.make_visit(suite.make_page(1, "nothing known")))[0].priority > -5


def test_pages_out_of_reach_are_no_layer() -> None:
    lessons = suite.make_lessons()
    strategy = suite.begun(lambda: registry.strategy.build("context-graph"))
    assert strategy.model_.prior.shape == (1 + max(lessons.states),)


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="--model context-graph"):
        registry.strategy.build("context-graph").begin(suite.make_context())
    with pytest.raises(ConfigError, match="confidence"):
        registry.strategy.build("context-graph", {"confidence": 2})

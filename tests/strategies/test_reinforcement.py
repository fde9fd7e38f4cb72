from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.model import Link
from tests.conformance import strategies as suite
from tests.learn.test_assessment import ladders


def begun(**params: Any) -> Any:
    context = replace(suite.make_context(), lessons=ladders())
    return suite.begun(lambda: registry.strategy.build("reinforcement", params), context)


def test_links_go_by_the_reward_their_words_brought() -> None:
    strategy = begun()
    words = ("dengue fever", "clinic doctor", "city council")
    links = tuple(
        Link(f"http://new.example/p{n}", "http://new.example/", text, context=text) for n, text in enumerate(words)
    )
    found = [one.priority for one in strategy.rank(suite.make_visit(replace(suite.make_page(1), links=links)))]
    assert found == sorted(found, reverse=True)
    assert strategy.means_.max() == pytest.approx(1.0)  # a target, and no other behind it
    assert found[0] > 0.5


def test_priority_is_the_expected_reward() -> None:
    strategy = begun(bins=3)
    link = Link("http://new.example/p", anchor="clinic")
    (one,) = strategy.rank(suite.make_visit(replace(suite.make_page(1), links=(link,))))
    posterior = strategy.model_.posterior({"anchor clinic": 1, "url p": 1})
    assert one.priority == pytest.approx(float(posterior @ strategy.means_))


def test_refusals() -> None:
    with pytest.raises(ConfigError, match="--model reinforcement"):
        registry.strategy.build("reinforcement").begin(suite.make_context())
    for params in ({"discount": 1.0}, {"bins": 1}):
        with pytest.raises(ConfigError, match=next(iter(params))):
            registry.strategy.build("reinforcement", params)

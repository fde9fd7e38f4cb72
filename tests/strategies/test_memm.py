"""memm, memm-viterbi, crf and crf-viterbi as strategies: what the models do is tested in tests/learn."""

from __future__ import annotations

from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.chains.belief import digits_of
from scenthound.model import Topic
from scenthound.protocols.crawl import Context
from tests.conformance import strategies as suite

NAMES = ["memm", "memm-viterbi", "crf", "crf-viterbi"]


def begun(name: str, **params: Any) -> Any:
    return suite.begun(lambda: registry.strategy.build(name, params))


@pytest.mark.parametrize("name", NAMES)
def test_priority_is_the_packed_belief(name: str) -> None:
    strategy = begun(name)
    visit = suite.make_visit(suite.make_page(1))
    for one, row in zip(strategy.rank(visit), strategy.forecast_.beliefs(visit), strict=True):
        assert digits_of(one.priority) == tuple(round(1000 * share) for share in row.tolist())


def test_a_discount_weighs_targets_now_and_later() -> None:
    strategy = begun("crf", discount=0.3)
    visit = suite.make_visit(suite.make_page(1))
    for one, row in zip(strategy.rank(visit), strategy.forecast_.beliefs(visit).tolist(), strict=True):
        assert one.priority == pytest.approx(sum(0.3**hops * share for hops, share in enumerate(row)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("features", ["all", "words", "no-words"])
@pytest.mark.parametrize("view", ["page", "target"])
def test_every_set_and_view_crawls(name: str, features: str, view: str) -> None:
    strategy = begun(name, features=features, view=view)
    log = suite.crawl(strategy, 4)
    if features == "words":  # nothing is known of single links
        page = suite.make_page(1)
        assert len({one.priority for one in strategy.rank(suite.make_visit(page))}) == 1
    assert len(log) > 0


def test_a_good_anchor_is_followed_first() -> None:
    ranked = begun("memm").rank(suite.make_visit(suite.make_page(1)))
    best = max(ranked, key=lambda one: one.priority)
    assert best.link.anchor == "dengue fever"


@pytest.mark.parametrize("name", NAMES)
def test_untrained_says_what_to_do(name: str) -> None:
    strategy = registry.strategy.build(name)
    with pytest.raises(ConfigError, match=f"scenthound train FOLDER --model {name}"):
        strategy.begin(suite.make_context())
    bare = Context(Topic("x"), suite.make_context().idf, suite.Random(1))
    with pytest.raises(ConfigError, match="must be trained"):
        strategy.train(bare)


@pytest.mark.parametrize("params", [{"features": "some"}, {"view": "child"}, {"variance": 0.0}, {"discount": 1.0}])
def test_bad_parameters(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        registry.strategy.build("crf", params)

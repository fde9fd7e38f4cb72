from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.links.agents import Agent
from scenthound.learn.links.small_net import SmallNet
from scenthound.model import Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.infospiders import InfoSpiders
from scenthound.text import idf

TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))
NEAR = Link("http://a.example/1", source="http://a.example/", anchor="dengue")
FAR = Link("http://a.example/2", source="http://a.example/", anchor="home")
PAGE = Page("http://a.example/", terms={"dengu": 1, "aed": 3}, links=(NEAR, FAR))
SEED = Link("http://a.example/", kind="seed")


def begun(topic: Topic = TOPIC, examples: tuple[Page, ...] = (), **params: Any) -> InfoSpiders:
    made: InfoSpiders = registry.strategy.build("infospiders", params)
    made.begin(Context(topic, idf.none(), Random(1), examples))
    return made


def alone(energy: float = 10.0, **params: Any) -> InfoSpiders:
    """One agent whose net is known: value = tanh(in_dengue + 2 in_fever + relevance)."""
    strategy = begun(agents=1, **params)
    net = SmallNet(np.array([[1.0, 2.0, 1.0, 0.0]]), np.array([1.0, 0.0]))
    strategy.places_ = [Agent(("dengu", "fever"), net, energy)]
    return strategy


def visit(relevance: float, link: Link = SEED, page: Page = PAGE, memory: bytes | None = None) -> Visit:
    return Visit(link, page, relevance, False, 1, memory)


def test_priority_by_hand() -> None:
    near, far = alone().rank(visit(0.25))
    assert near.priority == pytest.approx(np.tanh(0.5 + 0.25))
    assert far.priority == pytest.approx(np.tanh(0.25))
    assert near.memory == far.memory == b"\x00"


def test_q_learning_by_hand() -> None:
    strategy = alone(discount=0.5, rate=0.1)
    strategy.learn(visit(0.25))
    child = Page(NEAR.url, links=(Link("http://b.example/", source=NEAR.url, anchor="dengue"),))
    strategy.learn(visit(0.5, NEAR, child, memory=b"\x00"))
    target = 0.5 + 0.5 * np.tanh(0.5 + 0.5)  # relevance found, and the best it leads on to
    oracle = SmallNet(np.array([[1.0, 2.0, 1.0, 0.0]]), np.array([1.0, 0.0]))
    oracle.learn(np.array([0.5, 0.0, 0.25]), target, 0.1)  # dengue in the anchor, on a page of 0.25
    agent = strategy.places_[0]
    assert agent is not None
    assert agent.net.first == pytest.approx(oracle.first)
    assert agent.net.second == pytest.approx(oracle.second)


def test_energy_birth_and_death_by_hand() -> None:
    strategy = begun(agents=2, birth=4.0)  # each begins with 2
    strategy.learn(visit(0.5, memory=b"\x00"))  # the usual page: no gain
    assert [agent and agent.energy for agent in strategy.places_] == [2.0, 2.0]
    strategy.learn(visit(0.1, memory=b"\x01"))  # mean 0.3: 2 + 1/3 - 1
    assert strategy.places_[1] is not None
    assert strategy.places_[1].energy == pytest.approx(4 / 3)
    strategy.learn(visit(0.0, memory=b"\x01"))
    strategy.learn(visit(0.0, memory=b"\x01"))
    assert strategy.places_[1] is None
    assert strategy.rank(visit(0.3, memory=b"\x01"))[0].memory == b"\x01", "its links wait for who takes the place"
    strategy.learn(visit(1.0, memory=b"\x00"))  # mean 0.32: 2 + 3.125 - 1 is over 4: a child, half for each
    parent, child = strategy.places_
    assert parent is not None
    assert child is not None
    assert (parent.energy, child.energy) == (pytest.approx(2.0625), pytest.approx(2.0625))
    assert "aed" in child.keywords, "the heaviest word of the page where its parent throve"


def test_the_last_one_does_not_die() -> None:
    strategy = begun(agents=3)
    for n in range(200):
        strategy.learn(visit(0.9 if n == 0 else 0.0, memory=bytes([n % 3])))
        strategy.missed(NEAR)
    assert sum(agent is not None for agent in strategy.places_) == 1
    assert len(strategy.rank(visit(0.5))) == 2


def test_rescoring_says_what_ranking_says() -> None:
    strategy = begun()
    strategy.learn(visit(0.4))
    assert strategy.rescore(PAGE.links) == [one.priority for one in strategy.rank(visit(0.4))]


def test_learns_what_a_word_is_worth() -> None:
    strategy = alone(rate=0.2, discount=0.0)
    strategy.learn(visit(0.3))
    for _ in range(1000):
        strategy.learn(visit(0.0, NEAR, Page(NEAR.url), memory=b"\x00"))
        strategy.learn(visit(0.8, FAR, Page(FAR.url), memory=b"\x00"))
    near, far = strategy.rank(visit(0.3))
    assert near.priority == pytest.approx(0.0, abs=0.1)
    assert far.priority == pytest.approx(0.8, abs=0.1)


def test_keywords_from_examples_where_the_topic_has_none() -> None:
    strategy = begun(Topic(""), (PAGE,), keywords=1)
    assert {agent.keywords for agent in strategy.places_ if agent} == {("aed",)}
    with pytest.raises(ConfigError, match="keywords = "):
        begun(Topic(""))


@pytest.mark.parametrize(
    "params", [{"agents": 0}, {"agents": 300}, {"hidden": 0}, {"rate": 0}, {"discount": 1}, {"birth": 0}]
)
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        registry.strategy.build("infospiders", params)

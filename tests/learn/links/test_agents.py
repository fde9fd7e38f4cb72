from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.links.agents import Agent
from scenthound.learn.links.small_net import SmallNet
from scenthound.model import Link
from scenthound.text.analysis import analyzer

ENGLISH = analyzer("en")


def plain_agent(keywords: tuple[str, ...] = ("fever", "rash")) -> Agent:
    return Agent(keywords, SmallNet(np.ones((1, len(keywords) + 2)), np.array([1.0, 0.0])), 10.0)


def test_the_net_by_hand() -> None:
    net = SmallNet(np.array([[1.0, -1.0, 0.5]]), np.array([2.0, 0.25]))
    assert net(np.array([[1.0, 0.5]])) == pytest.approx([2 * np.tanh(1.0) + 0.25])


@given(st.integers(0, 10_000), st.floats(-1, 1))
def test_back_propagation_is_the_gradient(seed: int, target: float) -> None:
    """The step taken is the slope of the error as found by trying each weight a little higher and lower."""
    chance = np.random.default_rng(seed)
    first, second, x = chance.normal(size=(3, 5)), chance.normal(size=4), chance.normal(size=4)

    def error(first: np.ndarray, second: np.ndarray) -> float:
        return float((target - SmallNet(first, second)(x[None, :])[0]) ** 2 / 2)

    net = SmallNet(first.copy(), second.copy())
    net.learn(x, target, rate=1.0)
    for weights, step, probe in (
        (first, net.first - first, lambda changed: error(changed, second)),
        (second, net.second - second, lambda changed: error(first, changed)),
    ):
        for place in np.ndindex(weights.shape):
            nudge = np.zeros_like(weights)
            nudge[place] = 1e-5
            slope = (probe(weights + nudge) - probe(weights - nudge)) / 2e-5
            assert step[place] == pytest.approx(-slope, abs=1e-5)


def test_nearness_by_hand() -> None:
    link = Link("http://a/", anchor="dengue fever", context="a rash comes with dengue fever and then another rash")
    rows = plain_agent().inputs([link, Link("http://b/", anchor="home")], [0.3, 0.4], ENGLISH)
    # terms: rash come | dengu fever | then(stop?) anoth rash, by the analyzer
    left, right = ENGLISH.terms("a rash comes with"), ENGLISH.terms("and then another rash")
    s = 1 / (2 + len(left) - 1 - left.index("rash")) + 1 / (2 + right.index("rash"))
    assert rows.tolist() == [pytest.approx([1 / 2, s / (1 + s), 0.3]), [0.0, 0.0, 0.4]]


def test_around_a_picture_all_words_are_near() -> None:
    rows = plain_agent().inputs(
        [Link("http://a/", context="rash and fever"), Link("http://b/", title="rash")], [0, 0], ENGLISH
    )
    assert rows.tolist() == [[0.5, 0.5, 0.0], [0.0, 0.5, 0.0]]


def test_a_child_shares_and_differs() -> None:
    parent = plain_agent(("fever", "rash"))
    parent.net.first[:, 1] = 0.0  # rash does not matter
    child = parent.child("aed", np.random.default_rng(1))
    assert (parent.energy, child.energy) == (5.0, 5.0)
    assert child.keywords == ("fever", "aed")
    assert not np.array_equal(child.net.first, parent.net.first)
    assert parent.child("fever", np.random.default_rng(1)).keywords == parent.keywords
    assert parent.child(None, np.random.default_rng(1)).keywords == parent.keywords


def test_a_newborn_likes_the_keywords() -> None:
    seed = Random(1).getrandbits(64)
    agent = Agent.newborn({"dengu": 2.0, "fever": 1.0}, 4, 10.0, np.random.default_rng(seed))
    values = agent.net(np.array([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]))
    assert values[0] > values[1] > values[2]

from __future__ import annotations

from math import inf, nan, sqrt
from random import Random
from struct import pack
from typing import Any

import pytest

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.registry import strategy as registry
from scenthound.text import idf

TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))
LINKS = (
    Link("http://a/1", anchor="Dengue fever", context="about Dengue fever here"),
    Link("http://a/2", anchor="dengue", context="all on dengue"),
    Link("http://a/3", anchor="home", context="fever home"),
    Link("http://a/4", anchor="home", context="back home"),
)


def rank(terms: dict[str, int], memory: bytes | None = None, **params: Any) -> list[Ranked]:
    strategy = registry.build("shark-search", params)
    strategy.begin(Context(topic=TOPIC, idf=idf.none(), random=Random(1)))
    page = Page("http://a/", terms=terms, links=LINKS)
    return list(strategy.rank(Visit(Link(page.url), page, 0.0, False, 1, memory)))


def test_by_hand_on_a_page_about_the_topic() -> None:
    inherited = 0.5 * 3 / (5 * sqrt(2))  # (3, 4, 0) . (1, 0, 1)
    neighbourhood = [0.8 + 0.2, 0.8 / sqrt(2) + 0.2, 0.2 * 0.5, 0.0]  # (fever, home) . (dengue, fever) = 1 / 2
    ranked = rank({"dengu": 3, "rash": 4}, memory=pack("<d", 0.4))
    assert [one.priority for one in ranked] == pytest.approx([0.8 * inherited + 0.2 * near for near in neighbourhood])
    assert {one.memory for one in ranked} == {pack("<d", inherited)}


def test_a_page_about_something_else_hands_on_what_it_inherited() -> None:
    *_, last = rank({"rash": 4}, memory=pack("<d", 0.4))
    assert last.priority == pytest.approx(0.8 * 0.5 * 0.4)
    *_, further = rank({"rash": 4}, memory=last.memory)
    assert further.priority == pytest.approx(0.8 * 0.5 * 0.5 * 0.4)


@pytest.mark.parametrize(
    "memory", [None, b"", b"\x00", pack("<d", nan), pack("<d", inf), pack("<d", -1.0), b"12345678"]
)
def test_memory_of_something_else_is_worth_nothing(memory: bytes | None) -> None:
    *_, last = rank({"rash": 4}, memory=memory)
    assert last.priority == pytest.approx(0.0)


def test_the_parameters_weigh() -> None:
    page = {"dengu": 3, "rash": 4}
    assert len({one.priority for one in rank(page, gamma=1.0)}) == 1
    assert [one.priority for one in rank(page, gamma=0.0, beta=1.0)] == pytest.approx([1.0, 1 / sqrt(2), 0.0, 0.0])
    assert [one.priority for one in rank(page, gamma=0.0, beta=0.0)] == pytest.approx([1.0, 1.0, 0.5, 0.0])
    assert rank(page, delta=0.0)[3].priority == 0.0


@pytest.mark.parametrize("name", ["beta", "gamma", "delta"])
@pytest.mark.parametrize("value", [-0.1, 1.1, nan])
def test_bad_parameters(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=name):
        registry.build("shark-search", {name: value})

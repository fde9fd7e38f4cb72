from __future__ import annotations

from math import log
from random import Random
from typing import Any

import pytest

from scenthound import registry
from scenthound.model import Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.intelligent import Intelligent
from scenthound.text import idf
from scenthound.urls import fingerprint

HUB = Page(
    "http://a.example/",
    terms={"bird": 2, "nest": 1},
    links=tuple(Link(f"http://a.example/{name}", source="http://a.example/") for name in ("owl", "crow", "rook")),
)
SEED = Link(HUB.url, kind="seed")


def begun(**params: Any) -> Intelligent:
    made: Intelligent = registry.strategy.build("intelligent", {"significance": 0, **params})
    made.begin(Context(topic=Topic("x"), idf=idf.none(), random=Random(1)))
    return made


def after_two_children(**params: Any) -> list[float]:
    """A hub of relevance 0, its first link was followed to a page of 1, its second to one of 0.5."""
    strategy = begun(**params)
    strategy.learn(Visit(SEED, HUB, 0.0, False, 0))
    for link, relevance in zip(HUB.links, (1.0, 0.5), strict=False):
        strategy.learn(Visit(link, Page(link.url, terms={"feather": 1}), relevance, True, 1))
    ranked = [one.priority for one in strategy.rank(Visit(SEED, HUB, 0.0, False, 0))]
    assert strategy.rescore(HUB.links) == ranked
    return ranked


ONLY = {"content": 0, "url": 0, "link": 0, "sibling": 0}
# P(C) = (0 + 1 + 0.5) / 3 = 1/2; two children of relevance 1.5 in all; every event counts as once seen with P(C)
TWO_CHILDREN = log((1.5 + 0.5) / 3 / 0.5)


def test_words_of_the_page_by_hand() -> None:
    assert after_two_children(**{**ONLY, "content": 1}) == pytest.approx([TWO_CHILDREN] * 3)


def test_relevance_of_the_page_by_hand() -> None:
    """Both times the hub was worse than usual when a child was found: 0 of a mean of 0 counts as usual."""
    strategy = begun(**{**ONLY, "link": 1})
    strategy.learn(Visit(Link("http://z.example/", kind="seed"), Page("http://z.example/"), 1.0, True, 0))
    strategy.learn(Visit(SEED, HUB, 0.0, False, 0))
    strategy.learn(Visit(HUB.links[0], Page(HUB.links[0].url), 0.5, True, 1))  # P(C) = 1/2, the event saw 1/2
    assert strategy.rescore(HUB.links) == pytest.approx([0.0] * 3)
    strategy.learn(Visit(HUB.links[1], Page(HUB.links[1].url), 1.0, True, 1))  # P(C) = 5/8, the event saw 1.5 of 2
    assert strategy.rescore(HUB.links) == pytest.approx([log((1.5 + 0.625) / 3 / 0.625)] * 3)


def test_siblings_by_hand() -> None:
    assert after_two_children(**{**ONLY, "sibling": 1}) == pytest.approx([TWO_CHILDREN] * 3)


def test_url_by_hand() -> None:
    """Every URL has the scheme and `example`, seen twice; `owl` was seen with 1, `crow` with 0.5, `rook` never."""
    both, owl = TWO_CHILDREN, log((1 + 0.5) / 2 / 0.5)
    expected = [(2 * both + owl) / 3, (2 * both) / 2, (2 * both) / 2]  # crow's ratio is 1: it says nothing
    assert after_two_children(**{**ONLY, "url": 1}) == pytest.approx(expected)


def test_the_four_add_up() -> None:
    whole = after_two_children(content=2, url=1, link=1, sibling=3)
    parts = [after_two_children(**{**ONLY, name: weight}) for name, weight in (("content", 2), ("url", 1))]
    parts += [after_two_children(**{**ONLY, name: weight}) for name, weight in (("link", 1), ("sibling", 3))]
    assert whole == pytest.approx([sum(values) for values in zip(*parts, strict=True)])


def test_a_dead_link_speaks_against_its_url_and_siblings_not_the_words() -> None:
    strategy = begun()
    strategy.learn(Visit(SEED, HUB, 0.5, False, 0))
    strategy.learn(Visit(HUB.links[0], Page(HUB.links[0].url), 0.5, True, 1))
    before = strategy.rescore(HUB.links)
    strategy.missed(HUB.links[1])
    after = strategy.rescore(HUB.links)
    assert all(now < then for now, then in zip(after, before, strict=True))
    strategy.content, strategy.url, strategy.link, strategy.sibling = 1.0, 0.0, 0.0, 0.0
    assert strategy.rescore(HUB.links) == [0.0] * 3


def test_a_redirected_link_still_knows_its_page() -> None:
    strategy = begun()
    strategy.learn(Visit(SEED, HUB, 0.0, False, 0))
    memory = strategy.rank(Visit(SEED, HUB, 0.0, False, 0))[0].memory
    moved = Link("http://b.example/", source="http://a.example/owl", kind="redirect")
    strategy.learn(Visit(moved, Page("http://b.example/"), 1.0, True, 1, memory))
    parent = strategy.parents_.get(fingerprint(HUB.url))
    assert parent is not None
    assert (parent.children, parent.fruits) == (1, 1.0)


@pytest.mark.parametrize("params", [{"content": -1}, {"words": 0}, {"bits": 4}, {"rescore_every": 0}])
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(registry.ConfigError, match=next(iter(params))):
        registry.strategy.build("intelligent", params)

"""The formulas of the strategies without learning, each worked by hand on one small page."""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.text import idf

PAGE = Page(
    url="http://a.example/",
    terms={"dengu": 3, "rash": 4},
    links=(
        Link("http://a.example/1", anchor="Dengue fever"),
        Link("http://a.example/2", anchor="dengue"),
        Link("http://a.example/3", anchor="home"),
        Link("http://a.example/4", title="fever"),
    ),
)
TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))
PAGE_SIMILARITY = 3 / (5 * sqrt(2))  # (3, 4, 0) . (1, 0, 1)
ANCHOR_SIMILARITY = [1.0, 1 / sqrt(2), 0.0, 1 / sqrt(2)]


def context(*examples: Page, seed: int = 1) -> Context:
    return Context(topic=TOPIC, idf=idf.none(), random=Random(seed), examples=examples)


def priorities(name: str, context: Context, depth: int = 0, **params: Any) -> list[float]:
    strategy = registry.strategy.build(name, params)
    if hasattr(strategy, "begin"):
        strategy.begin(context)
    ranked = strategy.rank(Visit(Link(PAGE.url), PAGE, 0.5, True, depth))
    assert [one.link for one in ranked] == list(PAGE.links)
    return [one.priority for one in ranked]


def test_breadth_first_is_by_depth() -> None:
    assert priorities("breadth-first", context(), depth=0) == [-1.0] * 4
    assert priorities("breadth-first", context(), depth=6) == [-7.0] * 4


def test_best_first_page() -> None:
    assert priorities("best-first-page", context()) == pytest.approx([PAGE_SIMILARITY] * 4)


def test_best_first_anchor() -> None:
    assert priorities("best-first-anchor", context()) == pytest.approx(ANCHOR_SIMILARITY)


@pytest.mark.parametrize("name", ["best-first", "best-n-first"])
def test_best_first_is_the_mean_of_both(name: str) -> None:
    expected = [(PAGE_SIMILARITY + anchor) / 2 for anchor in ANCHOR_SIMILARITY]
    assert priorities(name, context()) == pytest.approx(expected)


def test_best_n_first_takes_n_at_a_step() -> None:
    assert registry.strategy.build("best-n-first", {"n": 5}).batch == 5
    with pytest.raises(ConfigError, match="from 1 to"):
        registry.strategy.build("best-n-first", {"n": 0})


def test_best_first_targets_goes_by_the_nearest() -> None:
    far = Page("http://t/1", terms={"rash": 1, "home": 1})  # 4 / (5 * sqrt 2)
    near = Page("http://t/2", terms={"dengu": 6, "rash": 8, "fever": 10})  # 50 / (5 * sqrt 200)
    assert priorities("best-first-targets", context(far)) == pytest.approx([4 / (5 * sqrt(2))] * 4)
    assert priorities("best-first-targets", context(far, near)) == pytest.approx([50 / (5 * sqrt(200))] * 4)


def test_best_first_targets_without_examples_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="examples = "):
        priorities("best-first-targets", context())


def test_random_keeps_its_order_and_differs_by_seed() -> None:
    one = priorities("random", context(seed=1))
    assert one == priorities("random", context(seed=1))
    assert one != priorities("random", context(seed=2))
    assert priorities("random", context(seed=1), seed=9) == priorities("random", context(seed=2), seed=9)
    assert len(set(one)) == 4
    assert all(0 <= priority < 1 for priority in one)


def test_random_favours_no_link() -> None:
    strategy = registry.strategy.build("random", {"seed": 3})
    strategy.begin(context())
    links = tuple(Link(f"http://a.example/{i}") for i in range(4000))
    found = [one.priority for one in strategy.rank(Visit(Link(""), Page("", links=links), 0.0, False, 0))]
    assert sum(found) / len(found) == pytest.approx(0.5, abs=0.02)
    assert sum(priority < 0.1 for priority in found) == pytest.approx(400, abs=80)

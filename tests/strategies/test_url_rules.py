from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Page, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.registry import strategy as registry
from scenthound.text import idf

TOPIC = Topic("x", (Keyword("mosquito", 0.3), Keyword("Dengue Fever", 0.6), Keyword("комар", 0.1)))


def weigh(*urls: str, depth: int = 0, topic: Topic = TOPIC, language: str = "en", **params: Any) -> list[float]:
    strategy = registry.build("url-rules", params)
    strategy.begin(Context(topic=topic, idf=idf.none(), random=Random(1)))
    page = Page("http://a.example/", links=tuple(Link(url) for url in urls), language=language)
    return [one.priority for one in strategy.rank(Visit(Link(page.url), page, 0.0, False, depth))]


def test_the_first_rule_that_fits_decides() -> None:
    rules = ["*/print/* -> -1", "*dengue* -> 1", "*.edu/* -> 0.5"]
    urls = ("http://a.edu/Dengue.html", "http://a.edu/print/dengue", "http://a.edu/x", "http://a.org/x")
    assert weigh(*urls, rules=rules, default=0.1) == [1.0, -1.0, 0.5, 0.1]


def test_a_glob_is_the_whole_url_and_only_the_star_is_special() -> None:
    urls = ("http://a.org/p?id=1", "http://a.org/pXid=1", "http://a.org/[x]", "http://a.org/x", "http://a.org/p?id=12")
    assert weigh(*urls, rules=["http://a.org/p?id=1 -> 1", "*/[x] -> 2"]) == [1.0, 0.0, 2.0, 0.0, 0.0]


def test_rules_of_the_scope_language() -> None:
    rules = ['match:"/article/[0-9]+$" -> 3', "host:*.edu and not path:/admin -> 2", "depth:>=4 -> 1"]
    urls = ("http://a.org/article/17", "http://a.edu/x", "http://a.edu/admin/x", "http://a.org/article/")
    assert weigh(*urls, rules=rules) == [3.0, 2.0, 0.0, 0.0]
    assert weigh(*urls, rules=rules, depth=3) == [3.0, 2.0, 1.0, 1.0]


def test_rules_may_go_by_the_language_of_the_page() -> None:
    rules = ["language:de -> 1", "type:pdf -> 2"]
    assert weigh("http://a.org/x", "http://a.org/en/x", rules=rules, language="de") == [1.0, 0.0]
    assert weigh("http://a.org/x", "http://a.org/x.pdf", rules=rules, language="fr") == [0.0, 2.0]


def test_without_rules_the_keywords_are_the_rules() -> None:
    urls = (
        "http://a/wiki/Dengue_fever",
        "http://a/fever/dengue",
        "http://a/mosquito/dengue-fever",
        "http://a/MOSQUITO",
    )
    assert weigh(*urls, "http://a/%D0%BA%D0%BE%D0%BC%D0%B0%D1%80") == [0.6, 0.0, 0.6, 0.3, 0.1]


def test_neither_rules_nor_keywords() -> None:
    with pytest.raises(ConfigError, match=r"url-rules.*rules ="):
        weigh(topic=Topic("x"))
    assert weigh("http://a/", topic=Topic("x"), rules=["*a* -> 1"]) == [1.0]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rules": "*a* -> 1"}, "must be a list"),
        ({"rules": [{"pattern": "x"}]}, "must be a list"),
        ({"rules": ["*a*"]}, "write it as"),
        ({"rules": ["*a* -> much"]}, "write it as"),
        ({"rules": ["*a* -> nan"]}, "write it as"),
        ({"rules": ["-> 1"]}, "write it as"),
        ({"rules": ['match:"(" -> 1']}, "not a regular expression"),
        ({"rules": ["hots:x -> 1"]}, "there is no rule 'hots'"),
        ({"default": float("inf")}, "default"),
    ],
)
def test_bad_parameters(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        registry.build("url-rules", params)


@given(st.text(), st.text())
def test_no_url_and_no_rule_makes_it_fall(rule: str, url: str) -> None:
    with contextlib.suppress(ConfigError):
        assert weigh(url, rules=[f"{rule} -> 1"]) in ([0.0], [1.0])


def test_many_stars_on_a_long_url_take_no_time() -> None:
    assert weigh("http://a.example/" + "a" * 1900, rules=["*a" * 12 + "b -> 1"]) == [0.0]

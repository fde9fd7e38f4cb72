from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.model import Keyword, Page, Topic
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TOPIC = Topic("x", (Keyword("dengue fever", 0.75), Keyword("mosquito", 0.25)))
NAMES = registry.judge.names()


def page(text: str, language: str = "en") -> Page:
    return Page("http://a/", text=text, terms=analyzer(language).counts(text), language=language)


def judge(name: str, *examples: Page, topic: Topic = TOPIC, weights: Any = None, **params: Any) -> Any:
    made = registry.judge.build(name, params)
    made.begin(Context(topic=topic, idf=weights or idf.none(), random=Random(0), examples=examples))
    return made


def test_they_are_all_there() -> None:
    assert {"auto", "examples", "keywords", "topic-vector"} <= set(NAMES)


def test_keywords_by_hand() -> None:
    # Query (.75, .75, .25), page (dengue 1, mosquito 2, rash 2)
    expected = (0.75 + 0.5) / (3 * sqrt(0.75**2 * 2 + 0.25**2))
    assert judge("keywords")(page("dengue mosquito mosquito rash rash")) == pytest.approx(expected)


def test_keywords_use_idf() -> None:
    weights = idf.trained([{"dengu": 1}, {"mosquito": 1, "rash": 1}, {"rash": 1}, {"rash": 1}])
    score = judge("keywords", weights=weights, topic=Topic("x", (Keyword("dengue", 1.0),)))(page("dengue rash"))
    assert score == pytest.approx(log(4) / sqrt(log(4) ** 2 + log(4 / 3) ** 2))


def test_examples_by_hand() -> None:
    made = judge("examples", page("dengue rash"), page("museum painting painting"))
    assert made(page("painting")) == pytest.approx(2 / sqrt(5))
    assert made(page("dengue dengue rash rash")) == pytest.approx(1.0)
    assert made(page("ticket")) == 0.0


def test_topic_vector_by_hand() -> None:
    text = "Dengue fever: the mosquito and the fever."  # the phrase once, one mosquito, four words
    assert judge("topic-vector")(page(text)) == pytest.approx(1 / 4 * 0.75 + 1 / 4 * 0.25)
    assert judge("topic-vector", scale=2.0)(page(text)) == pytest.approx(0.5)
    assert judge("topic-vector", scale=100.0)(page(text)) == 1.0


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_topic_vector_refuses_a_scale_that_is_none(scale: float) -> None:
    with pytest.raises(ConfigError):
        registry.judge.build("topic-vector", {"scale": scale})


def test_strongest_terms() -> None:
    found = page("dengue dengue dengue fever fever mosquito rash")
    assert [term for term, _ in judge("keywords").strongest(found, 2)] == ["dengu", "fever"]
    assert [term for term, _ in judge("topic-vector").strongest(found, 2)] == ["dengu fever", "mosquito"]
    near = judge("examples", page("fever rash rash rash rash"), page("museum"))
    assert [term for term, _ in near.strongest(found, 9)] == ["rash", "fever"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "auto"])  # which adds up log odds: test_auto.py
def test_what_is_strongest_adds_up_to_the_score(name: str) -> None:
    made = judge(name, page("dengue fever rash"), weights=idf.background("en"))
    found = page("dengue fever and mosquito nets, a rash")
    assert sum(part for _, part in made.strongest(found, 100)) == pytest.approx(made(found))


@pytest.mark.parametrize(("name", "topic"), [("examples", TOPIC), ("keywords", Topic("")), ("topic-vector", Topic("")),
                                             ("auto", Topic("x", (Keyword("the", 1.0),)))])  # fmt: skip
def test_too_little_to_judge_by_is_said_at_once(name: str, topic: Topic) -> None:
    with pytest.raises(ConfigError, match="keywords"):
        judge(name, topic=topic)


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)
@given(text=st.text(), language=st.sampled_from(["en", "ru", "zh", "ar", "xx", ""]))
def test_any_page_in_any_language(name: str, text: str, language: str) -> None:
    made = judge(name, page("dengue fever"), weights=idf.background("en"))
    found = page(text, language)
    assert 0.0 <= made(found) <= 1.0
    assert all(part > 0 or name == "auto" for _, part in made.strongest(found, 5))  # which says what speaks against


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_page(name: str) -> None:
    made = judge(name, page("dengue fever"))
    assert made(Page("http://empty/")) == 0.0
    assert made.strongest(Page("http://empty/"), 5) == []

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from scenthound import registry
from scenthound.model import Keyword, Link, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.analysis import analyzer
from tests.conformance.strategies import make_context


def ranked(text: str, *anchors: str, depth: int = 1, **params: object) -> list[Ranked]:
    strategy = registry.strategy.build("two-thresholds", params)
    strategy.begin(make_context())
    links = tuple(Link(f"http://a.example/{n}", "http://p.example/", anchor) for n, anchor in enumerate(anchors))
    page = Page("http://p.example/", text=text, terms=analyzer("en").counts(text), links=links)
    return list(strategy.rank(Visit(Link(page.url), page, 0.0, False, depth)))


def test_what_is_below_a_threshold_is_dismissed() -> None:
    found = ranked("dengue fever", "dengue fever", "museum", "mosquito nets")
    assert [one.link.anchor for one in found] == ["dengue fever", "mosquito nets"]
    assert found[0].priority > found[1].priority > 0.05
    assert ranked("museum", "dengue fever") == [], "the page is below T1"


def test_a_threshold_of_nothing_dismisses_nothing() -> None:
    assert len(ranked("museum", "dengue", "museum", page=0.0, anchor=0.0)) == 2


def test_as_published_the_queue_is_first_in_first_out_and_seeds_are_not_spared() -> None:
    found = ranked("dengue fever", "mosquito", "dengue fever", published=True)
    assert [(one.link.anchor, one.priority) for one in found] == [("mosquito", 0.0), ("dengue fever", 0.0)]
    assert len(ranked("museum", "dengue", depth=0)) == 1
    assert ranked("museum", "dengue", depth=0, published=True) == []


def test_thresholds_are_cosines() -> None:
    with pytest.raises(Exception, match="anchor must be between 0 and 1"):
        ranked("dengue", "dengue", anchor=3)


def test_what_is_just_at_a_threshold_is_kept() -> None:
    """The document dismisses what is *below* T1 or T2. The query is (dengue, fever, mosquito), each alike: one of the
    words has a cosine of 1 / sqrt 3 with it, two of them 2 / sqrt 6, and one among two strangers 1 / 3."""
    strategy = registry.strategy.build("two-thresholds", {"published": True})
    topic = Topic("x", tuple(Keyword(word, 1 / 3) for word in ("dengue", "fever", "mosquito")))
    strategy.begin(Context(topic, idf.none(), Random(1)))
    anchors = ("dengue", "dengue fever", "fever in town")
    links = tuple(Link(f"http://a/{n}", anchor=text) for n, text in enumerate(anchors))
    page = Page("http://p/", terms=analyzer("en").counts("dengue museum town"), links=links)

    def taken(page_threshold: float, anchor: float) -> list[str]:
        strategy.page, strategy.anchor = page_threshold, anchor
        return [one.link.anchor for one in strategy.rank(Visit(Link(page.url), page, 0.0, False, 1))]

    below = 1e-12
    assert taken(1 / 3 - below, 1 / sqrt(3) - below) == ["dengue", "dengue fever"]
    assert taken(1 / 3 - below, 1 / sqrt(3) + below) == ["dengue fever"]
    assert taken(1 / 3 - below, 2 / sqrt(6) + below) == []
    assert taken(1 / 3 + below, 0.0) == []

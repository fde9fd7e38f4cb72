"""Meaning beside words: what it is without meaning, by hand, learned from examples, and with a packaged model."""

from __future__ import annotations

import sys
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.pages import packaged_vectors
from scenthound.learn.pages.packaged_vectors import PackagedVectors
from scenthound.learn.pages.term_vectors import TermVectors, unit
from scenthound.model import Keyword, Link, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.best_first import BestFirst
from scenthound.strategies.embedding import Embedding
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TOPIC = Topic("birds", (Keyword("bird", 1.0),))


def page(text: str, *anchors: str, url: str = "http://a/") -> Page:
    links = tuple(Link(f"{url}{n}", url, anchor, context=anchor) for n, anchor in enumerate(anchors))
    return Page(url, text=text, terms=analyzer("en").counts(text), links=links)


def context(examples: tuple[Page, ...] = (), others: tuple[Page, ...] = ()) -> Context:
    return Context(TOPIC, idf.none(), Random(1), examples, others)


def begun(where: Context, **params: Any) -> Embedding:
    made: Embedding = registry.strategy.build("embedding", params)
    made.begin(where)
    return made


def step(strategy: Embedding, here: Page) -> list[float]:
    visit = Visit(Link(here.url), here, 0.5, True, 1)
    strategy.learn(visit)
    return [one.priority for one in strategy.rank(visit)]


def best_first(here: Page) -> list[float]:
    plain = BestFirst()
    plain.begin(context())
    return [one.priority for one in plain.rank(Visit(Link(here.url), here, 0.5, True, 1))]


BIRDS = tuple(page(f"bird owl crow wing nest feather w{n}") for n in range(5))
CARS = tuple(page(f"engine gear wheel brake fuel x{n}") for n in range(5))
HERE = page("a page of links", "owl", "gear", "bird", "unheard of", "")


def test_without_meaning_it_is_best_first() -> None:
    assert step(begun(context(BIRDS, CARS), share=0.0), HERE) == best_first(HERE)


def test_before_anything_was_read_it_is_best_first() -> None:
    """The first page is all there is, so it has nothing of its own."""
    assert step(begun(context()), HERE) == pytest.approx([0.5 * score for score in best_first(HERE)])


def test_an_anchor_without_a_keyword_is_seen_to_be_on_the_topic() -> None:
    owl, gear, bird, unheard, silent = step(begun(context(BIRDS, CARS)), HERE)
    assert bird > owl > gear
    assert gear == pytest.approx(unheard) == pytest.approx(silent), "what is unlike the topic is no worse than nothing"


def test_worked_by_hand() -> None:
    """Vectors laid down by hand: owl at 45 degrees to the topic, the page at a right angle to it."""
    strategy = begun(context(), share=0.4, context=0.25)
    vectors = strategy.vectors_
    assert isinstance(vectors, TermVectors)
    axes = np.eye(64, dtype=np.float32)
    vectors._vectors[vectors.place["bird"]] = 5 * axes[0]
    vectors._vectors[vectors.place["owl"]] = axes[0] + axes[1]
    vectors._vectors[vectors.place["gear"]] = -axes[0]
    link = Link("http://b/", "http://a/", "owl", context="bird gear")  # its surroundings: bird and gear even out
    here = Page("http://a/", links=(link,), terms={"bird": 1, "gear": 1})
    strategy.read_ = here.url, axes[2]
    (ranked,) = strategy.rank(Visit(Link(here.url), here, 0.5, True, 1))
    lexical = (1 / sqrt(2) + 0) / 2
    meaning = (0 + 0.75 / sqrt(2) + 0.25 * 0) / 2
    assert ranked.priority == pytest.approx(0.6 * lexical + 0.4 * meaning)


def test_examples_are_half_of_the_topic() -> None:
    strategy = begun(context(BIRDS, CARS))
    keywords = strategy.vectors_.of_terms(strategy.query_.vector)
    examples = strategy.vectors_.away_from_the_mean(strategy.examples_)
    assert strategy._topic() == pytest.approx(unit(keywords + examples), abs=1e-6)
    alone = begun(context((), BIRDS))
    assert alone._topic() == pytest.approx(alone.vectors_.of_terms(alone.query_.vector))


def test_links_without_a_page_are_ranked_all_the_same() -> None:
    """A feed is ranked and not learned."""
    ranked = begun(context(BIRDS, CARS)).rank(Visit(Link("http://feed/"), HERE, 0.0, False, 1))
    assert all(type(one) is Ranked for one in ranked)


def test_a_new_topic_changes_the_keywords_and_not_what_words_mean() -> None:
    strategy = begun(context(BIRDS, CARS))
    vectors = strategy.vectors_
    strategy.retopic(Context(Topic("cars", (Keyword("engine", 1.0),)), idf.none(), Random(1)))
    assert strategy.vectors_ is vectors
    assert strategy.query_.vector == {"engin": 1.0}


class Model:
    """Embeds a text by its first letter."""

    def embed(self, texts: list[str]) -> Any:
        return np.array([[text.strip().startswith(letter) for letter in "obg"] for text in texts], np.float32)


def test_a_packaged_model_answers_the_same_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged_vectors, "_loaded", Model)
    monkeypatch.setattr(packaged_vectors, "REMEMBERED", 3)
    strategy = begun(context((page("owls"), page("birds")), (page("gears"),)), model="wordllama")
    assert isinstance(strategy.vectors_, PackagedVectors)
    owl, gear, *_ = step(strategy, HERE)
    assert owl > gear
    assert strategy.vectors_.likeness([], strategy._topic()).tolist() == []
    assert len(strategy.vectors_._texts) <= 3


def test_a_model_that_is_not_installed_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(ConfigError, match="pip install wordllama"):
        begun(context(), model="wordllama")


def test_the_real_model_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordllama")
    import socket

    def refused(*args: object, **kwargs: object) -> None:
        raise AssertionError("nothing is downloaded")

    monkeypatch.setattr(socket, "create_connection", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    vectors = PackagedVectors()
    bird = vectors.of_terms({"bird": 1.0})
    owl, tax = vectors.likeness(["a barn owl", "income tax"], bird)
    assert owl > tax


@pytest.mark.parametrize("params", [{"share": 2}, {"context": -1}, {"dimensions": 2}, {"model": "word2vec"}])
def test_bad_parameters(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        registry.strategy.build("embedding", params)

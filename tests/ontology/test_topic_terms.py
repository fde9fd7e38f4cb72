from __future__ import annotations

from collections.abc import Callable
from math import exp, tanh
from pathlib import Path
from random import Random

import pytest

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Topic
from scenthound.ontology import topic_terms
from scenthound.ontology.topic_terms import TopicTerms, of_link
from scenthound.protocols.crawl import Context
from scenthound.text import idf

TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <urn:x:> .
:insect skos:prefLabel "insect"@en .
:mosquito skos:prefLabel "mosquito"@en ; skos:altLabel "skeeter"@en ; skos:broader :insect .
:louse skos:prefLabel "louse"@en ; skos:broader :insect .
"""
TOPIC = Topic("x", (Keyword("mosquito", 0.5), Keyword("mosquito bite", 0.25), Keyword("nets", 0.25)))


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "x.ttl").write_text(TURTLE)
    return str(tmp_path / "x.ttl")


def context(topic: Topic = TOPIC, ontology: str = "") -> Context:
    return Context(topic=topic, idf=idf.none(), random=Random(1), ontology=ontology)


def alike(question: TopicTerms, word: str) -> tuple[float, ...]:
    (term,) = question.vocabulary.counts(word)
    return question.alike(term)


def test_terms_and_weights(file: str) -> None:
    question = TopicTerms(context(), file)
    assert [term.words for term in question.terms] == ["mosquito", "bite", "nets"]
    assert question.weights == [1.0, pytest.approx(1 / 3), pytest.approx(1 / 3)]


def test_similarity_of_terms_by_hand(file: str) -> None:
    li = TopicTerms(context(), file, "li")
    assert alike(li, "Mosquitoes") == (1.0, 0.0, 0.0), "identical by stem"
    assert alike(li, "net") == (0.0, 0.0, 1.0), "identical though in no ontology"
    assert alike(li, "skeeter") == (pytest.approx(tanh(1.2)), 0.0, 0.0), "a synonym: no edge, depth 2"
    assert alike(li, "louse") == (pytest.approx(exp(-0.4) * tanh(0.6)), 0.0, 0.0)
    ehrig = TopicTerms(context(), file, "ehrig")
    assert alike(ehrig, "skeeter") == (1.0, 0.0, 0.0)
    assert alike(ehrig, "louse") == (0.25, 0.0, 0.0)
    assert alike(ehrig, "unheard") == (0.0, 0.0, 0.0)


def test_the_ontology_of_the_topic_is_the_default_and_of_several_the_best_counts(file: str) -> None:
    assert alike(TopicTerms(context(ontology=file), measure="ehrig"), "louse")[0] == 0.25
    wordnet = alike(TopicTerms(context(), measure="ehrig"), "louse")[0]
    assert 0.0 < wordnet < 0.25
    assert alike(TopicTerms(context(), f"{file} + wordnet", "ehrig"), "louse")[0] == 0.25
    assert alike(TopicTerms(context(), f"{file} + wordnet", "ehrig"), "gnat")[0] == 0.5


def test_mistakes(file: str) -> None:
    with pytest.raises(ConfigError, match="one of: ehrig, ehrig-a, ehrig-b, li"):
        TopicTerms(context(), file, "lee")
    with pytest.raises(ConfigError, match="no keywords that say anything"):
        TopicTerms(context(Topic("x", (Keyword("the", 1.0),))), file)


def test_scores_of_anchors_are_remembered_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_terms, "REMEMBERED", 2)
    asked: list[str] = []

    def score(text: str) -> float:
        asked.append(text)
        return float(len(text))

    remembered: Callable[[Link], float] = of_link(score)
    links = [Link("urn:1", anchor="a"), Link("urn:2", title="bb"), Link("urn:3", anchor="a", title="c"), Link("urn:4")]
    assert [remembered(link) for link in links] == [1.0, 2.0, 1.0, 0.0]
    assert asked == ["a", "bb", ""]
    remembered(links[0])
    assert asked == ["a", "bb", "", "a"]


def test_similarities_are_forgotten_when_there_are_too_many(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic_terms, "REMEMBERED", 1)
    question = TopicTerms(context(), file, "ehrig")
    assert [alike(question, word)[0] for word in ("louse", "skeeter", "louse")] == [0.25, 1.0, 0.25]

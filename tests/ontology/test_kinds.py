"""Kinds of what a topic is about, worked out by hand on a thesaurus of a few concepts, and asked of WordNet."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random
from weakref import WeakValueDictionary

import pytest

from scenthound.errors import OntologyError
from scenthound.model import Keyword, Page, Topic
from scenthound.ontology import kinds, wordnet
from scenthound.ontology.kinds import Kinds, kinds_of
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <urn:x:> .
:animal skos:prefLabel "animal"@en .
:bird skos:prefLabel "bird"@en ; skos:broader :animal .
:tern skos:prefLabel "tern"@en ; skos:altLabel "sea swallow"@en ; skos:broader :bird .
:arctic skos:prefLabel "arctic tern"@en ; skos:broader :tern .
:crane skos:prefLabel "crane"@en ; skos:broader :bird .
:wolf skos:prefLabel "wolf"@en ; skos:broader :animal .
"""


def context(*keywords: str, ontology: str = "", language: str = "en", **pages: tuple[Page, ...]) -> Context:
    topic = Topic("x", tuple(Keyword(each, 1.0) for each in keywords), language)
    return Context(topic=topic, idf=idf.none(), random=Random(1), ontology=ontology, **pages)  # type: ignore[arg-type]


def kind(known: Kinds, text: str, language: str = "en") -> float:
    return known(analyzer(language).distinct(text))


def titled(*titles: str) -> tuple[Page, ...]:
    return tuple(Page(f"http://a.test/{title}", title=title) for title in titles)


@pytest.fixture
def birds(tmp_path: Path) -> str:
    (tmp_path / "birds.ttl").write_text(TURTLE)
    return str(tmp_path / "birds.ttl")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("terns", 1.0),
        ("The Sea Swallow", 1.0),
        ("Arctic tern", 1.0),
        ("A tern of the northern seas", 1 / 3),  # tern, northern, seas
        ("wolf", 0.0),
        ("animal", 0.0),
        ("bird", 0.0),  # the keyword counts for itself, elsewhere
        ("", 0.0),
    ],
)
def test_what_is_below_a_keyword_is_of_its_kind_as_far_as_a_text_says_nothing_else(
    birds: str, text: str, expected: float
) -> None:
    assert kind(kinds_of(context("bird", ontology=birds)), text) == pytest.approx(expected)


def test_of_several_meanings_the_usual_ones_count_and_the_first_most() -> None:
    known = kinds_of(context("bird"))
    assert kind(known, "Arctic Tern") == kind(known, "White-tailed Eagle") == 1.0
    assert kind(known, "Turkey") == 0.5  # a country first
    assert kind(known, "swifts") == 0.0  # a writer, then a bird after another
    assert kind(known, "London") == 0.0


def test_words_given_one_by_one_make_phrases_together() -> None:
    together = kinds_of(context("chemical", "element"))
    assert kind(together, "Cadmium") == 1.0
    assert kind(kinds_of(context("chemical")), "Cadmium") < 1.0


def test_a_concept_with_very_much_below_it_tells_nothing(birds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kind(kinds_of(context("group")), "department") == 0.0
    monkeypatch.setattr(kinds, "LARGEST", 3)
    known = kinds_of(context("bird", "tern", ontology=birds))
    assert (kind(known, "crane"), kind(known, "sea swallow")) == (0.0, 1.0)


def test_what_is_above_many_examples_and_no_counterexample_is_wanted(birds: str) -> None:
    shown = titled("Tern", "Arctic tern", "Sea swallow", "Something else")
    known = kinds_of(context("feathers", ontology=birds, examples=shown, counterexamples=titled("Wolf")))
    assert (kind(known, "crane"), kind(known, "wolf"), kind(known, "animal")) == (1.0, 0.0, 0.0)
    everything = kinds_of(context("feathers", ontology=birds, examples=shown))
    assert kind(everything, "wolf") == 1.0  # nobody said that animals are not wanted
    few = kinds_of(context("feathers", ontology=birds, examples=shown[:2]))
    assert kind(few, "crane") == 0.0


def test_a_share_of_many_examples_is_asked_for(birds: str) -> None:
    others = titled(*(f"Nothing {number}" for number in range(10)))
    known = kinds_of(context("feathers", ontology=birds, examples=(*titled("Tern", "Crane", "Tern"), *others)))
    assert kind(known, "crane") == 0.0


def test_without_an_ontology_of_the_language_there_are_no_kinds_and_a_wrong_name_is_refused(birds: str) -> None:
    assert kind(kinds_of(context("Vogel", language="de")), "Seeschwalbe", "de") == 0.0
    with pytest.raises(OntologyError, match=r"no ontology file nowhere\.ttl"):
        kinds_of(context("bird", ontology="nowhere.ttl"))


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        (["professor", "research"], True),
        (["graduate students"], True),
        (["nobel prize winners"], True),  # what the keyword ends with is meant
        (["research", "professor"], False),  # the first one says what is wanted
        (["fossil record"], False),
        (["star", "galaxy"], False),  # usually in the sky
        ([], False),
    ],
)
def test_a_topic_is_about_people_if_its_first_keyword_is_usually_a_kind_of_person(
    keywords: list[str], expected: bool
) -> None:
    assert kinds_of(context(*keywords)).of_people is expected


def test_an_ontology_that_knows_no_person_speaks_of_none(birds: str) -> None:
    assert not kinds_of(context("tern", ontology=birds)).of_people


def test_wordnet_is_let_go_when_the_kinds_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "_open", WeakValueDictionary())  # others may use theirs
    gc.disable()  # nobody looks for garbage: what is left then was held by somebody
    try:
        known = kinds_of(context("bird", examples=titled("Tern", "Gull", "Crane")))
        assert len(wordnet._open) == 0
        assert kind(known, "eagles") == 1.0
    finally:
        gc.enable()

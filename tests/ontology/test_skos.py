from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.errors import OntologyError
from scenthound.ontology import skos
from scenthound.ontology.similarity import ConceptSimilarity, ehrig
from scenthound.ontology.thesaurus import Thesaurus
from tests.counting import calls_of

HEALTH = Path(__file__).parent / "data" / "health.ttl"
PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix : <http://example.org/x#> .
"""


def thesaurus(folder: Path, text: str, language: str = "en") -> Thesaurus:
    (folder / "x.ttl").write_text(PREFIXES + text)
    return skos.read(folder / "x.ttl", language)


def only(made: Thesaurus, *words: str) -> int:
    (concept,) = made.senses(words)
    return concept


def test_skos(tmp_path: Path) -> None:
    made = thesaurus(
        tmp_path,
        """
        :scheme a skos:ConceptScheme ; skos:prefLabel "All of it"@en ; skos:hasTopConcept :disease .
        :disease a skos:Concept ; skos:prefLabel "disease"@en ; skos:narrower :dengue .
        :dengue skos:altLabel "breakbone  fever"@en ; skos:prefLabel "Dengue"@en, "Denguefieber"@de ;
            skos:hiddenLabel "dengy"@en-GB ; skos:related :mosquito ; skos:notation "A97" .
        :mosquito skos:prefLabel "mosquito" ; skos:broader :insect .
        :old skos:prefLabel "ague"@en ; owl:deprecated true ; skos:broader :disease .
        """,
    )
    assert made.name == "x.ttl"
    assert len(made) == 4, "neither the scheme nor what is deprecated"
    dengue, disease, mosquito = only(made, "dengue"), only(made, "diseases"), only(made, "mosquitoes")
    assert made.labels(dengue) == ("Dengue", "breakbone fever", "dengy")
    assert made.broader(dengue) == (disease,)
    assert made.narrower(disease) == (dengue,)
    assert made.related(mosquito) == (dengue,)
    assert [made.depth(concept) for concept in (disease, dengue, mosquito)] == [1, 2, 2]
    assert [made.labels(concept) for concept in made.broader(mosquito)] == [("insect",)], "named by its IRI"
    assert not made.senses(["ague"])
    assert not made.senses(["denguefieber"])


def test_languages(tmp_path: Path) -> None:
    text = ':a skos:prefLabel "dengue"@en, "Denguefieber"@de-AT, "dengue-x" . '
    text += ':b skos:prefLabel "fièvre"@fr ; skos:broader :a .'
    assert thesaurus(tmp_path, text, "de").labels(0) == ("Denguefieber", "dengue-x")
    assert thesaurus(tmp_path, text, "de").labels(1) == (), "still part of the graph"
    assert set(thesaurus(tmp_path, text, "*").labels(0)) == {"dengue", "Denguefieber", "dengue-x"}
    with pytest.raises(OntologyError, match=r"no labels in the language 'ja'; it has: en, fr"):
        thesaurus(tmp_path, ':a skos:prefLabel "a"@en, "b"@fr .', "ja")


def test_labels_of_skos_xl(tmp_path: Path) -> None:
    made = thesaurus(
        tmp_path, ':a xl:prefLabel :l ; xl:altLabel [ xl:literalForm "b"@en ] . :l xl:literalForm "a1"@en .'
    )
    assert made.labels(0) == ("a1", "b")


def test_owl(tmp_path: Path) -> None:
    made = thesaurus(
        tmp_path,
        """
        :Illness a owl:Class ; rdfs:label "illness" ; rdfs:subClassOf owl:Thing .
        :DengueFever a owl:Class ; rdfs:subClassOf :Illness , [ a owl:Restriction ; owl:onProperty :carriedBy ] .
        :D001 rdfs:subClassOf :Illness ; rdfs:label "malaria"@en ; obo:hasExactSynonym "paludism"@en .
        :carriedBy a owl:ObjectProperty ; rdfs:label "carried by" .
        owl:Thing a owl:Class .
        :X99 a owl:Class .
        """,
    )
    assert made.labels(only(made, "dengue", "fever")) == ("dengue fever",)
    assert made.labels(only(made, "paludism")) == ("malaria", "paludism")
    assert made.depth(only(made, "illness")) == 1
    assert made.depth(only(made, "malaria")) == 2
    assert made.depth(only(made, "thing")) == 0
    assert not made.senses(["carried", "by"])
    assert len(made) == 5, "a class without a name to speak of is one, too"
    assert ConceptSimilarity(made).best(made.senses(["malaria"]), made.senses(["dengue", "fever"]), ehrig) == 0.25


@pytest.mark.parametrize("text", ["", ":a :b :c .", ':p a owl:ObjectProperty ; rdfs:label "p" .'])
def test_no_concepts(tmp_path: Path, text: str) -> None:
    with pytest.raises(OntologyError, match="has no concepts"):
        thesaurus(tmp_path, text)


def test_the_thesaurus_of_the_lab() -> None:
    made = skos.read(HEALTH)
    assert len(made) == 118
    assert made.labels(only(made, "flu"))[0] == "influenza"
    assert ConceptSimilarity(made).best(made.senses(["malaria"]), made.senses(["disease"]), ehrig) == 0.125
    assert skos.read(HEALTH, "fr").senses(["maladie"])


def concepts(number: int) -> str:
    return "".join(
        f':c{n} a skos:Concept ; skos:prefLabel "word{n} thing"@en, "Wort{n}"@de ; skos:altLabel "other{n}"@en ; '
        f"skos:broader :c{n // 7} ; skos:related :c{n * 31 % number} .\n"
        for n in range(1, number)
    )


def test_a_large_thesaurus_costs_as_much_more_as_it_is_larger(tmp_path: Path) -> None:
    made = thesaurus(tmp_path, concepts(10_000))
    assert len(made) == 10_000
    assert only(made, "word4711", "things") == only(made, "other4711")
    few, many = concepts(500), concepts(2_000)
    small, large = calls_of(lambda: thesaurus(tmp_path, few)), calls_of(lambda: thesaurus(tmp_path, many))
    assert large < 4.4 * small
    assert large < 400 * 2_000

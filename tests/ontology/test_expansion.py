from __future__ import annotations

from pathlib import Path

from scenthound.model import Keyword
from scenthound.ontology import skos
from scenthound.ontology.expansion import Addition, expand, lineage
from scenthound.ontology.thesaurus import Thesaurus
from scenthound.ontology.vocabulary import Vocabulary
from scenthound.ontology.wordnet import wordnet

NAMES = [["illness", "disease"], ["fever"], ["dengue fever", "breakbone fever"], ["mosquito"], ["Aedes"], ["rash"]]
TREE = Thesaurus("tree", NAMES, [(1, 0), (2, 1), (4, 3), (5, 0)], [(2, 3)])


def found(text: str, distance: int, weight: float = 1.0) -> list[tuple[str, float, str, int]]:
    additions = expand([Keyword(text, weight)], Vocabulary([TREE], "en"), distance)
    return [(each.term, each.weight, each.relation, each.distance) for each in additions]


def test_synonyms_weigh_as_much_as_the_keyword() -> None:
    assert found("dengue fever", 0, 0.4) == [("breakbone fever", 0.4, "synonym", 0)]
    assert found("illness", 0) == [("disease", 1.0, "synonym", 0)]
    assert found("mosquito", 0) == []
    assert found("unheard of", 3) == []


def test_every_edge_halves_the_weight() -> None:
    assert found("dengue fever", 1) == [
        ("breakbone fever", 1.0, "synonym", 0),
        ("fever", 0.5, "broader", 1),
        ("mosquito", 0.5, "related", 1),
    ]
    assert set(found("dengue fever", 2)) - set(found("dengue fever", 1)) == {
        ("illness", 0.25, "broader", 2),
        ("disease", 0.25, "broader", 2),
        ("Aedes", 0.25, "related", 2),
    }
    assert "rash" not in {term for term, *_ in found("dengue fever", 3)}, "what is under something broader is no kin"


def test_a_word_reached_twice_has_its_best_weight_and_keywords_are_not_added() -> None:
    keywords = [Keyword("fever", 0.6), Keyword("illnesses", 0.4)]
    additions = expand(keywords, Vocabulary([TREE], "en"), 1)
    assert {each.term: each.weight for each in additions} == {
        "dengue fever": 0.3,
        "breakbone fever": 0.3,
        "disease": 0.4,
        "rash": 0.2,
    }


def test_each_says_where_it_comes_from() -> None:
    (addition,) = expand([Keyword("dengue fever", 1.0)], Vocabulary([TREE], "en"), 0)
    assert addition == Addition(
        "breakbone fever", 1.0, "dengue fever", "synonym", 0, "illness > fever > dengue fever", "tree"
    )
    assert lineage(TREE, 0) == "illness"
    assert lineage(Thesaurus("x", [[], ["a"]], [(1, 0)]), 1) == "? > a"


def test_wordnet_and_a_file() -> None:
    terms = {each.term for each in expand([Keyword("dengue fever", 1.0)], Vocabulary([wordnet()], "en"), 0)}
    assert terms == {"dengue", "dandy fever", "breakbone fever"}
    health = skos.read(Path(__file__).parent / "data" / "health.ttl")
    additions = expand([Keyword("flu", 1.0)], Vocabulary([health, wordnet()], "en"), 1)
    assert {("influenza", "health.ttl"), ("grippe", "WordNet 3.0")} <= {(a.term, a.ontology) for a in additions}

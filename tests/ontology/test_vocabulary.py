from __future__ import annotations

from scenthound.ontology.thesaurus import Thesaurus
from scenthound.ontology.vocabulary import Vocabulary

FEVERS = Thesaurus(
    "fevers", [["dengue fever", "dengue"], ["fever"], ["history of medicine"], ["yellow fever mosquito"]]
)
PLACES = Thesaurus("places", [["fever"]])


def words(terms: object) -> dict[str, int]:
    return {term.words: count for term, count in terms.items()}  # type: ignore[attr-defined]


def test_words_and_phrases() -> None:
    vocabulary = Vocabulary([FEVERS], "en")
    assert words(vocabulary.counts("Dengue fever in the children")) == {
        "dengue": 1,
        "fever": 1,
        "children": 1,
        "dengue fever": 1,
    }
    assert words(vocabulary.named("Dengue fever in the children")) == {"children": 1, "dengue fever": 1}
    assert words(vocabulary.counts("a History of Medicine")) == {"history": 1, "medicine": 1, "history of medicine": 1}
    assert words(vocabulary.counts("fever, fever")) == {"fever": 2}
    assert words(vocabulary.counts("the of 蚊")) in ({}, {"蚊": 1})
    assert words(vocabulary.counts("")) == {}


def test_the_longest_phrase_counts_and_phrases_do_not_overlap() -> None:
    vocabulary = Vocabulary([FEVERS], "en")
    found = words(vocabulary.named("yellow fever mosquitoes fever dengue fever"))
    assert found == {"yellow fever mosquitoes": 1, "fever": 1, "dengue fever": 1}


def test_terms_know_what_they_may_stand_for_in_each_ontology() -> None:
    vocabulary = Vocabulary([FEVERS, PLACES], "en")
    by_words = {term.words: term for term in vocabulary.counts("fevers of dengue fever")}
    assert by_words["fevers"].senses == ((1,), (0,))
    assert by_words["fevers"].stems == by_words["fever"].stems == ("fever",)
    assert by_words["dengue fever"].senses == ((0,), ())
    assert by_words["dengue"].senses == ((0,), ())
    again = {term.words: term for term in vocabulary.counts("fevers")}
    assert again["fevers"] is by_words["fevers"]


def test_a_phrase_is_as_rare_as_its_rarest_word() -> None:
    (term,) = (term for term in Vocabulary([FEVERS], "en").named("dengue fever"))
    assert term.idf({"dengu": 5.0, "fever": 2.0}.__getitem__) == 5.0
    assert term.length == 2


def test_without_ontologies_there_are_words() -> None:
    assert words(Vocabulary([], "en").counts("dengue fever")) == {"dengue": 1, "fever": 1}

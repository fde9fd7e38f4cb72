"""What an ontology adds to a topic: synonyms of its keywords, and words that are near them in meaning.

    weight of a word that is L edges away = weight of the keyword * 0.5 ** L

after Ehrig: a synonym weighs as much as the keyword, a narrower or broader word half of that. A word that is reached
in several ways has the greatest of its weights. Which sense of a keyword is meant nobody can tell by the word alone:
all of them are followed, each says so, and a person can strike out what belongs to another one. Where the ontology
knows a phrase, the words in it are not followed by themselves: "dengue fever" is not any fever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from scenthound.model import Keyword
from scenthound.ontology.ontology_protocol import Ontology
from scenthound.ontology.similarity import DECREASE
from scenthound.ontology.vocabulary import Vocabulary

Relation = Literal["synonym", "narrower", "broader", "related"]


class Addition(Struct, frozen=True):
    """A word or phrase that is not among the keywords."""

    term: str
    weight: float
    keyword: str  # the word or phrase it comes from
    relation: Relation  # of it to that word; the first step, where there are several
    distance: int  # edges
    meaning: str  # of the keyword: the concepts from general to special, the sense in which it was taken
    ontology: str


def expand(keywords: Sequence[Keyword], vocabulary: Vocabulary, distance: int = 1) -> list[Addition]:
    """The words within the distance of the keywords, heaviest first; 0 for synonyms alone."""
    stems = vocabulary.analyzer.terms
    best: dict[tuple[str, ...], Addition] = {}
    asked = {tuple(stems(keyword.term)) for keyword in keywords}
    for keyword in keywords:
        for term in vocabulary.named(keyword.term):
            asked.add(term.stems)
            for ontology, senses in zip(vocabulary.ontologies, term.senses, strict=True):
                for found in _around(ontology, senses, term.words, keyword.weight, distance):
                    name = tuple(stems(found.term))
                    if name and (name not in best or found.weight > best[name].weight):
                        best[name] = found
    return sorted((found for name, found in best.items() if name not in asked), key=lambda found: -found.weight)


def _around(ontology: Ontology, senses: Sequence[int], word: str, weight: float, distance: int) -> Iterator[Addition]:
    for sense in senses:
        meaning = lineage(ontology, sense)
        for concept, (steps, relation) in _near(ontology, sense, distance).items():
            for label in ontology.labels(concept):
                share = weight * DECREASE**steps
                yield Addition(label, share, word, relation, steps, meaning, ontology.name)


def _near(ontology: Ontology, sense: int, distance: int) -> dict[int, tuple[int, Relation]]:
    """Concepts within the distance. A way goes on in its direction: the narrower of the broader are cousins."""
    near: dict[int, tuple[int, Relation]] = {sense: (0, "synonym")}
    steps: list[tuple[Relation, tuple[int, ...]]] = [
        ("narrower", tuple(ontology.narrower(sense))),
        ("broader", tuple(ontology.broader(sense))),
        ("related", tuple(ontology.related(sense))),
    ]
    for step in range(1, distance + 1):
        further: list[tuple[Relation, tuple[int, ...]]] = []
        for relation, concepts in steps:
            new = [concept for concept in concepts if concept not in near]
            near.update((concept, (step, relation)) for concept in new)
            onward = ontology.broader if relation == "broader" else ontology.narrower
            further.append((relation, tuple(after for concept in new for after in onward(concept))))
        steps = further
    return near


def lineage(ontology: Ontology, concept: int, generations: int = 2) -> str:
    """`disease > fever > dengue`: the concept and what is above it, as far as that tells senses apart."""
    names: list[str] = []
    at: int | None = concept
    while at is not None and len(names) <= generations:
        names.append(next(iter(ontology.labels(at)), "?"))
        at = next(iter(ontology.broader(at)), None)
    return " > ".join(reversed(names))

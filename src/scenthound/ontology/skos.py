"""SKOS and OWL files, as far as they are thesauri and class trees.

| what it becomes | SKOS | OWL, RDFS |
|---|---|---|
| concept | `Concept`, and whatever has a label or an edge of SKOS | `Class`, and both ends of a `subClassOf` |
| its usual name | `prefLabel` | `rdfs:label`; without any label, what its IRI ends in: "DengueFever" |
| its other names | `altLabel`, `hiddenLabel` | `hasExactSynonym`, as biomedical ontologies have it |
| broader, narrower | `broader`, `narrower`, either direction is enough | `subClassOf`, between named classes |
| related | `related` | - |

Labels of SKOS-XL count as those of SKOS. Labels count that are in the topic's language or in none; a concept without
one is still part of the graph. What is marked as deprecated is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

from scenthound.errors import OntologyError
from scenthound.ontology import triples
from scenthound.ontology.thesaurus import EVERY_LANGUAGE, Thesaurus
from scenthound.text.languages import code

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XL = "http://www.w3.org/2008/05/skos-xl#"
OBO = "http://www.geneontology.org/formats/oboInOwl#"

TYPE, THING, DEPRECATED = RDF + "type", OWL + "Thing", OWL + "deprecated"
BROADER = frozenset({SKOS + "broader", RDFS + "subClassOf"})
NARROWER, RELATED = SKOS + "narrower", SKOS + "related"
CLASSES = frozenset({SKOS + "Concept", OWL + "Class", RDFS + "Class"})
SCHEMES = frozenset({SKOS + "ConceptScheme", SKOS + "Collection", SKOS + "OrderedCollection"})
PREFERRED, NAMED, OTHER, HIDDEN = range(4)  # how good a label is
LABELS = {
    SKOS + "prefLabel": PREFERRED,
    RDFS + "label": NAMED,
    SKOS + "altLabel": OTHER,
    OBO + "hasExactSynonym": OTHER,
    SKOS + "hiddenLabel": HIDDEN,
}
XL_TEXT = XL + "literalForm"
XL_LABELS = {XL + "prefLabel": PREFERRED, XL + "altLabel": OTHER, XL + "hiddenLabel": HIDDEN}

Label = tuple[int, str, str]  # how good it is, language, text

_joints = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-+\s]+").split


def read(path: Path, language: str = "en") -> Thesaurus:
    """What a file holds for texts of a language; `*` takes the labels of all languages."""
    gathered = ThesaurusBuilder()
    triples.read(path, gathered.tell)
    return gathered.thesaurus(path, language)


class ThesaurusBuilder:
    """Takes triples as they come, and makes a thesaurus of those it understands."""

    def __init__(self) -> None:
        self.concepts: dict[str, None] = {}
        self.labels: dict[str, list[Label]] = {}
        self.broader: list[tuple[str, str]] = []
        self.related: list[tuple[str, str]] = []
        self.schemes: set[str] = set()  # have labels as concepts do, and are none
        self.deprecated: set[str] = set()
        self.label_nodes: list[tuple[str, int, str]] = []  # of SKOS-XL: concept, how good, node that has the text
        self.label_texts: dict[str, tuple[str, str]] = {}

    def tell(self, subject: str, predicate: str, value: str, language: str | None) -> None:
        if language is not None:
            self._text(subject, predicate, value, language)
        elif predicate == TYPE:
            if value in CLASSES and not subject.startswith("_:"):
                self.concepts[subject] = None
            elif value in SCHEMES:
                self.schemes.add(subject)
        elif predicate in BROADER:
            self._edge(self.broader, subject, value)
        elif predicate == NARROWER:
            self._edge(self.broader, value, subject)
        elif predicate == RELATED:
            self._edge(self.related, subject, value)
        elif predicate in XL_LABELS:
            self.concepts[subject] = None
            self.label_nodes.append((subject, XL_LABELS[predicate], value))

    def _text(self, subject: str, predicate: str, text: str, language: str) -> None:
        if (quality := LABELS.get(predicate)) is not None:
            if text.strip():
                self.labels.setdefault(subject, []).append((quality, language, " ".join(text.split())))
            if quality == PREFERRED:
                self.concepts[subject] = None
        elif predicate == XL_TEXT:
            self.label_texts[subject] = language, " ".join(text.split())
        elif predicate == DEPRECATED and text.strip().lower() in ("true", "1"):
            self.deprecated.add(subject)

    def _edge(self, edges: list[tuple[str, str]], one: str, other: str) -> None:
        """Between named things; what OWL says of nameless ones (restrictions) is no edge here."""
        if not one.startswith("_:") and not other.startswith("_:"):
            edges.append((one, other))
            self.concepts[one] = self.concepts[other] = None

    def thesaurus(self, path: Path, language: str) -> Thesaurus:
        left_out = self.deprecated | self.schemes
        kept = [concept for concept in self.concepts if concept not in left_out]
        if not kept:
            raise OntologyError(
                f"{path} has no concepts: no skos:Concept, owl:Class or rdfs:Class in it, and no edges among such."
            )
        for concept, quality, node in self.label_nodes:
            if node in self.label_texts:
                self.labels.setdefault(concept, []).append((quality, *self.label_texts[node]))
        number = {concept: place for place, concept in enumerate(kept)}
        labels = [self._names(concept, language) for concept in kept]
        if not any(labels):
            raise OntologyError(self._without_labels(path, language))
        return Thesaurus(
            path.name,
            labels,
            [(number[a], number[b]) for a, b in self.broader if a in number and b in number],
            [(number[a], number[b]) for a, b in self.related if a in number and b in number],
            language,
            number.get(THING),
        )

    def _names(self, concept: str, language: str) -> list[str]:
        """Its labels in the language, the best first; its IRI speaks for it only where nothing else does."""
        given = self.labels.get(concept)
        if given is None:
            spoken = _spoken(concept)
            return [spoken] if spoken else []
        taken = [label for label in given if _fits(label[1], language)]
        return [text for _, _, text in sorted(taken, key=lambda label: label[0])]

    def _without_labels(self, path: Path, language: str) -> str:
        there = Counter(spoken for labels in self.labels.values() for _, spoken, _ in labels)
        known = ", ".join(name for name, _ in there.most_common(10))
        return f"{path} has no labels in the language {language!r}" + (f"; it has: {known}." if known else ".")


def _fits(spoken: str, language: str) -> bool:
    return not spoken or language == EVERY_LANGUAGE or code(spoken) == code(language)


def _spoken(iri: str) -> str:
    """`http://example.org/x#DengueFever` -> `dengue fever`; nothing for a number."""
    last = unquote(re.split(r"[#/:]", iri)[-1])
    words = [word for word in _joints(last) if word]
    return "" if any(any(map(str.isdigit, word)) for word in words) else " ".join(words).lower()

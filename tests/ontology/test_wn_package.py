"""Wordnets of the package `wn`, which is stood in for by one that has three synsets."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from scenthound.errors import OntologyError
from scenthound.ontology.open_ontology import ontologies
from scenthound.ontology.similarity import ConceptSimilarity, ehrig
from scenthound.ontology.wn_package import InstalledWordnet

LEMMAS = {"s1": ["Tier"], "s2": ["Hund", "Köter"], "s3": ["Dackel"], "s4": ["Ei"], "s5": ["Henne"]}
ABOVE = {"s2": ["s1"], "s3": ["s2"], "s4": ["s5"], "s5": ["s4"]}


class Synset:
    def __init__(self, name: str) -> None:
        self.id = name

    def lemmas(self) -> list[str]:
        return LEMMAS[self.id]

    def get_related(self, *relations: str) -> list[Synset]:
        if "hypernym" in relations:
            return [Synset(name) for name in ABOVE.get(self.id, [])]
        return [Synset(name) for name, above in ABOVE.items() if self.id in above]


class Wordnet:
    def __init__(self, name: str, expand: str) -> None:
        if name != "odenet":
            raise sys.modules["wn"].Error(f"no lexicon found with lang=None and lexicon={name!r}")

    def synsets(self, form: str) -> list[Synset]:
        return [Synset(name) for name, lemmas in LEMMAS.items() if form in map(str.lower, lemmas)]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> InstalledWordnet:
    module: Any = ModuleType("wn")
    module.Wordnet, module.Error = Wordnet, RuntimeError
    monkeypatch.setitem(sys.modules, "wn", module)
    (made,) = ontologies("wn:odenet", "de")
    assert isinstance(made, InstalledWordnet)
    return made


def test_it_is_an_ontology_like_others(installed: InstalledWordnet) -> None:
    (dog,), (dachshund,), (animal,) = (installed.senses([word]) for word in ("köter", "dackel", "tier"))
    assert installed.name == "wn:odenet"
    assert installed.labels(dog) == ("Hund", "Köter")
    assert installed.broader(dachshund) == (dog,)
    assert installed.narrower(animal) == (dog,)
    assert installed.related(dog) == ()
    assert [installed.depth(one) for one in (animal, dog, dachshund)] == [1, 2, 3]
    assert ConceptSimilarity(installed).best([dachshund], [animal], ehrig) == 0.25
    assert installed.senses(["katze"]) == ()
    (egg,) = installed.senses(["ei"])
    assert installed.depth(egg) == 1, "a cycle without a top"


def test_one_that_is_not_there(installed: InstalledWordnet, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OntologyError, match="python -m wn download omw-xx"):
        ontologies("wn:omw-xx", "de")
    monkeypatch.setitem(sys.modules, "wn", None)
    with pytest.raises(OntologyError, match="pip install wn"):
        ontologies("wn:odenet", "de")

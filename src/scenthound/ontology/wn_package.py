"""Wordnets of other languages, where the user has the package `wn` and has downloaded one with it.

    pip install wn
    python -m wn download odenet
    ontology = "wn:odenet"

A name is a lexicon as `wn` knows it, `odenet` or with a version, `odenet:1.4`. Synsets are asked for as they are
needed, from the database of `wn`, and remembered; they get numbers in the order in which they turn up.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from scenthound.errors import OntologyError

LONGEST_PHRASE = 4
REMEMBERED = 50_000


class InstalledWordnet:
    """An `Ontology`; see `ontology_protocol.py`. Every synset without a broader one is a top of depth 1."""

    longest = LONGEST_PHRASE

    def __init__(self, name: str, lexicon: Any) -> None:
        self.name = name
        self._lexicon = lexicon
        self._number: dict[str, int] = {}
        self._synsets: list[Any] = []
        self.senses_of = lru_cache(REMEMBERED)(self._senses_of)
        self._neighbours = lru_cache(REMEMBERED)(self._find_neighbours)
        self.depth = lru_cache(REMEMBERED)(self._depth)

    @classmethod
    def named(cls, name: str) -> InstalledWordnet:
        try:
            wn = importlib.import_module("wn")
        except ImportError:
            raise OntologyError(f"wn:{name} needs the package wn: pip install wn") from None
        try:
            return cls(f"wn:{name}", wn.Wordnet(name, expand=""))
        except wn.Error as error:
            raise OntologyError(
                f"The package wn has no wordnet {name!r} ({error}). Get it with: python -m wn download {name}"
            ) from error

    def senses(self, words: Sequence[str]) -> Sequence[int]:
        return self.senses_of(" ".join(words))

    def labels(self, concept: int) -> Sequence[str]:
        return tuple(self._synsets[concept].lemmas())

    def broader(self, concept: int) -> Sequence[int]:
        return self._neighbours(concept, "hypernym", "instance_hypernym")

    def narrower(self, concept: int) -> Sequence[int]:
        return self._neighbours(concept, "hyponym", "instance_hyponym")

    def related(self, concept: int) -> Sequence[int]:
        return ()

    def _senses_of(self, form: str) -> tuple[int, ...]:
        return tuple(map(self._numbered, self._lexicon.synsets(form)))

    def _find_neighbours(self, concept: int, *relations: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(map(self._numbered, self._synsets[concept].get_related(*relations))))

    def _numbered(self, synset: Any) -> int:
        number = self._number.setdefault(synset.id, len(self._synsets))
        if number == len(self._synsets):
            self._synsets.append(synset)
        return number

    def _depth(self, concept: int) -> int:
        steps = {concept: 1}
        queue = deque([concept])
        while queue:
            below = queue.popleft()
            above = self.broader(below)
            if not above:
                return steps[below]
            for one in above:
                if one not in steps:
                    steps[one] = steps[below] + 1
                    queue.append(one)
        return 1  # a cycle with nothing above it

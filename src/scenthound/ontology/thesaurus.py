"""A thesaurus or class tree of the user's: labels and edges, found by words. `skos.py` makes one from a file.

Labels are found by their stems, so that a text may inflect every word of them. "Mercury (planet)" is found by
"mercury", too. Cycles do no harm: depths are counted along shortest ways, and a cycle with nothing above it begins at
its first concept.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence

from scenthound.text.analysis import analyzer

LONGEST_PHRASE = 6
EVERY_LANGUAGE = "*"

_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


class Thesaurus:
    """An `Ontology`; see `ontology_protocol.py`. Edges are pairs of concepts: (narrower, broader), and (one, other)."""

    def __init__(
        self,
        name: str,
        labels: Sequence[Sequence[str]],
        broader: Iterable[tuple[int, int]] = (),
        related: Iterable[tuple[int, int]] = (),
        language: str = "en",
        anything: int | None = None,
    ) -> None:
        self.name = name
        self._labels = [tuple(dict.fromkeys(each)) for each in labels]
        self._broader, self._narrower = _neighbours(len(labels), broader)
        self._related = [tuple(dict.fromkeys(a + b)) for a, b in zip(*_neighbours(len(labels), related), strict=True)]
        self._depths = _depths(self._broader, self._narrower, anything)
        self._analyzer = analyzer("" if language == EVERY_LANGUAGE else language)
        self._index, self.longest = self._indexed()

    def __len__(self) -> int:
        return len(self._labels)

    def senses(self, words: Sequence[str]) -> Sequence[int]:
        return self._index.get(self._key(words), ())

    def labels(self, concept: int) -> Sequence[str]:
        return self._labels[concept]

    def broader(self, concept: int) -> Sequence[int]:
        return self._broader[concept]

    def narrower(self, concept: int) -> Sequence[int]:
        return self._narrower[concept]

    def related(self, concept: int) -> Sequence[int]:
        return self._related[concept]

    def depth(self, concept: int) -> int:
        return self._depths[concept]

    def _key(self, words: Iterable[str]) -> str:
        term = self._analyzer.term
        return " ".join([term(word) or word for word in words])

    def _indexed(self) -> tuple[dict[str, tuple[int, ...]], int]:
        index: dict[str, dict[int, None]] = {}
        longest = 1
        for concept, labels in enumerate(self._labels):
            for label in labels:
                for form in {label, _QUALIFIER.sub("", label)}:
                    words = self._analyzer.words(form)
                    if words:
                        longest = max(longest, len(words))
                        index.setdefault(self._key(words), {})[concept] = None
        return {words: tuple(concepts) for words, concepts in index.items()}, min(longest, LONGEST_PHRASE)


def _neighbours(size: int, edges: Iterable[tuple[int, int]]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Of each node, where its edges lead to, and where edges to it come from. An edge to itself is none."""
    out: list[dict[int, None]] = [{} for _ in range(size)]
    back: list[dict[int, None]] = [{} for _ in range(size)]
    for source, target in edges:
        if source != target:
            out[source][target] = None
            back[target][source] = None
    return [tuple(each) for each in out], [tuple(each) for each in back]


def _depths(
    broader: Sequence[Sequence[int]], narrower: Sequence[Sequence[int]], anything: int | None = None
) -> list[int]:
    """Steps from the nearest top by shortest ways; a top has depth 1, and the one that means anything depth 0."""
    depths = [0] * len(broader)
    found = [False] * len(broader)
    tops = [concept for concept, above in enumerate(broader) if not above]
    tops.sort(key=lambda concept: concept != anything)
    for start in (tops, *([concept] for concept in range(len(broader)))):
        queue = deque(concept for concept in start if not found[concept])
        for concept in queue:
            found[concept], depths[concept] = True, 0 if concept == anything else 1
        while queue:
            concept = queue.popleft()
            for under in narrower[concept]:
                if not found[under]:
                    found[under], depths[under] = True, depths[concept] + 1
                    queue.append(under)
    return depths

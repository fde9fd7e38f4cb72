"""How alike two concepts are, by the way between them (Batsakis 2.4, eq. 3 and 4).

    ehrig      = 0.5 ** L                          decrease by half with every edge
    ehrig-a    = 1 where L <= 1, else 0            directly connected, in whatever way
    ehrig-b    = 1 where L <= 2, else 0            close, by ways of kind and kind of kind alone
    li         = exp(-0.2 * L) * tanh(0.6 * H)     short ways count, and the more, the deeper the two meet
    li-printed = exp(-0.2 * L * tanh(0.6 * H))     the same as the document's typesetting has it

| symbol | meaning |
|---|---|
| L | edges on the shortest way: up from the one, and down to the other. 0 inside a concept |
| H | depth of the most specific concept above both; what depth means is told in `ontology_protocol.py` |

A way goes through a concept above both ends (or through one of the ends), as is usual with WordNet; not down and up
again, so that two things are not alike because something is both. Where an ontology has related concepts, a way may
cross from one to the other, once, at its top; that is one more edge, and H is then the lesser depth of the two. Where
there is no way the similarity is 0. L and H need not be of the same concept above; each is the best there is.

The documents speak of the shortest path in the graph, whichever way its edges go. That is the path `graph`, and it
differs from `tree`, the one above, in about four of ten pairs of WordNet's nouns (a test counts them). `is-a` is the
same without what is merely related.

The document's typesetting puts tanh into the exponent; Li et al. multiply, and so do we. Where nothing is above both
ends of a way in the graph, H is 0: the product is 0, and what is typeset is taken for 0 as well, where it would say 1.

Words have several meanings: all of both count, and the best pair decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import exp, tanh
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from scenthound.ontology.ontology_protocol import Ontology

DECREASE = 0.5
ALPHA, BETA = 0.2, 0.6
REMEMBERED = 20_000  # concepts, about 15 MB

Measure = Callable[[int, int], float]
Path = Literal["tree", "graph", "is-a"]
PATHS: tuple[Path, ...] = get_args(Path)
GRAPHS = 256  # concepts whose ways to all others are remembered, half a megabyte each


def ehrig(length: int, depth: int) -> float:
    """`0.5 ** L`, whatever the depth."""
    return float(DECREASE**length)


def li(length: int, depth: int) -> float:
    return exp(-ALPHA * length) * tanh(BETA * depth)


MEASURES: dict[str, Measure] = {
    "ehrig": ehrig,
    "ehrig-a": lambda length, depth: float(length <= 1),
    "ehrig-b": lambda length, depth: float(length <= 2),
    "li": li,
    "li-printed": lambda length, depth: exp(-ALPHA * length * tanh(BETA * depth)) if depth else 0.0,
}


class ConceptSimilarity:
    """Ways among the concepts of one ontology. What is above a concept is remembered."""

    def __init__(self, ontology: Ontology, path: Path = "tree") -> None:
        self.ontology, self.path = ontology, path
        self.graph = lru_cache(GRAPHS)(self._graph)
        self.above = lru_cache(REMEMBERED)(self._above)
        self.across = lru_cache(REMEMBERED)(self._across)

    def best(self, some: Sequence[int], others: Sequence[int], measure: Measure) -> float:
        """Of the most similar pair; 0 where no pair is connected."""
        return max((measure(*way) for a in some for b in others for way in self.ways(a, b)), default=0.0)

    def ways(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """L and H of the way through what is above both, and of the ways across; each where there is one."""
        up, down = self.above(a), self.above(b)
        common = up.keys() & down.keys()
        if self.path != "tree":
            concepts, steps = self.graph(b)
            place = int(np.searchsorted(concepts, a))
            if place < len(concepts) and concepts[place] == a:
                yield int(steps[place]), max(map(self.ontology.depth, common), default=0)
            return
        if common:
            yield min(up[top] + down[top] for top in common), max(map(self.ontology.depth, common))
        across = self.across(a)
        if across:
            crossings = across.keys() & down.keys()
            yield from ((steps + down[top], depth) for top in crossings for steps, depth in across[top])

    def _graph(self, concept: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Every concept that edges lead to from here, in order of their numbers, and the fewest steps to each."""
        steps, queue = {concept: 0}, deque([concept])
        ontology, related = self.ontology, self.path == "graph"
        while queue:
            here = queue.popleft()
            beside = ontology.related(here) if related else ()
            for there in chain(ontology.broader(here), ontology.narrower(here), beside):
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        found = np.array(sorted(steps.items()), dtype=np.int64)
        return found[:, 0], found[:, 1]

    def _above(self, concept: int) -> dict[int, int]:
        """The concept and all above it, with the fewest steps to each."""
        steps = {concept: 0}
        queue = deque([concept])
        while queue:
            below = queue.popleft()
            for above in self.ontology.broader(below):
                if above not in steps:
                    steps[above] = steps[below] + 1
                    queue.append(above)
        return steps

    def _across(self, concept: int) -> dict[int, list[tuple[int, int]]]:
        """What is related to something above: steps to there, and the lesser depth of the two it connects.

        Of two ways to one concept the longer is kept where it is the deeper: which is better, a measure decides.
        """
        reached: dict[int, list[tuple[int, int]]] = {}
        depth = self.ontology.depth
        for top, steps in self.above(concept).items():  # the nearest first
            for other in self.ontology.related(top):
                ways, deep = reached.setdefault(other, []), min(depth(top), depth(other))
                if not ways or deep > ways[-1][1]:
                    ways.append((steps + 1, deep))
        return reached

"""How alike two concepts are, by the way between them (Batsakis 2.4, eq. 3 and 4).

    ehrig = 0.5 ** L                          decrease by half with every edge
    li    = exp(-0.2 * L) * tanh(0.6 * H)     short ways count, and the more, the deeper the two meet

| symbol | meaning |
|---|---|
| L | edges on the shortest way: up from the one, and down to the other. 0 inside a concept |
| H | depth of the most specific concept above both; what depth means is told in `ontology_protocol.py` |

A way goes through a concept above both ends (or through one of the ends), as is usual with WordNet; not down and up
again, so that two things are not alike because something is both. Where an ontology has related concepts, a way may
cross from one to the other, once, at its top; that is one more edge, and H is then the lesser depth of the two. Where
there is no way the similarity is 0. L and H need not be of the same concept above; each is the best there is.

The document's typesetting puts tanh into the exponent; Li et al. multiply, and so do we.

Words have several meanings: all of both count, and the best pair decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import exp, tanh

from scenthound.ontology.ontology_protocol import Ontology

DECREASE = 0.5
ALPHA, BETA = 0.2, 0.6
REMEMBERED = 20_000  # concepts, about 15 MB

Measure = Callable[[int, int], float]


def ehrig(length: int, depth: int) -> float:
    """`0.5 ** L`, whatever the depth."""
    return float(DECREASE**length)


def li(length: int, depth: int) -> float:
    return exp(-ALPHA * length) * tanh(BETA * depth)


MEASURES: dict[str, Measure] = {"ehrig": ehrig, "li": li}


class ConceptSimilarity:
    """Ways among the concepts of one ontology. What is above a concept is remembered."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.above = lru_cache(REMEMBERED)(self._above)
        self.across = lru_cache(REMEMBERED)(self._across)

    def best(self, some: Sequence[int], others: Sequence[int], measure: Measure) -> float:
        """Of the most similar pair; 0 where no pair is connected."""
        return max((measure(*way) for a in some for b in others for way in self.ways(a, b)), default=0.0)

    def ways(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """L and H of the way through what is above both, and of the ways across; each where there is one."""
        up, down = self.above(a), self.above(b)
        common = up.keys() & down.keys()
        if common:
            yield min(up[top] + down[top] for top in common), max(map(self.ontology.depth, common))
        across = self.across(a)
        if across:
            crossings = across.keys() & down.keys()
            yield from ((steps + down[top], depth) for top in crossings for steps, depth in across[top])

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

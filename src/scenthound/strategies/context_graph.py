from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from scenthound.learn.chains.labels import STATES, Ints, lessons_of, untrained
from scenthound.learn.chains.layer_bayes import LayerBayes, train
from scenthound.model import Lessons, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy


@strategy("context-graph")
@dataclass
class ContextGraph:
    """Pages in layers around the topic, a queue for each (Batsakis 2.5; Liu 1).

    Believes that pages so many links from the topic look alike, on whatever site, and that one should go on where the
    fewest links are left.

        layer    = the l of the greatest P(l | page), naive Bayes, l = 0 .. 4
        priority = P(layer | page) - layer
                 = P(layer | page) - 5          where that is below `confidence`: of no layer, taken when all else is

    | symbol | meaning, parameter |
    |---|---|
    | P(l given page) | learned from training pages l hops from a target; all layers equally likely beforehand |
    | `confidence` | how sure one must be of a layer |

    A layer of lower number empties before the next begins: a priority is above -1 in layer 0, above -2 in layer 1, and
    so on. Training pages from which no target is reached within 4 hops are of no layer, and not used.

    Must be trained: `scenthound train FOLDER --model context-graph`.

    Source: Batsakis 2.5 and Liu 1, on Diligenti, Coetzee, Lawrence, Giles, Gori (2000).
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    confidence: float = 0.4

    model_: LayerBayes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError("confidence must be between 0 and 1")

    def train(self, context: Context) -> None:
        lessons = lessons_of(context, "context-graph")
        used = [(page.terms, state) for page, state in zip(lessons.pages, lessons.states, strict=True)]
        used = [(terms, state) for terms, state in used if 0 <= state < STATES and terms]
        layers = 1 + max((state for _, state in used), default=0)
        self.model_ = train([terms for terms, _ in used], [state for _, state in used], layers, even=True)

    def begin(self, context: Context) -> None:
        if not hasattr(self, "model_"):
            raise untrained("context-graph")

    def states_of(self, lessons: Lessons, context: Context) -> tuple[Ints, Ints]:
        """The layer of each page, whichever way one came."""
        told = [int(self.model_.posterior(page.terms).argmax()) for page in lessons.pages]
        return np.arange(len(told), dtype=np.intp), np.array(told, dtype=np.intp)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        chances = self.model_.posterior(visit.page.terms)
        layer = int(chances.argmax())
        sure = float(chances[layer])
        priority = sure - (layer if sure >= self.confidence else STATES)
        return [Ranked(link, priority) for link in visit.page.links]

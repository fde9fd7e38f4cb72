from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import hypot
from operator import mul
from typing import ClassVar

from scenthound.model import Link, Ranked, Visit
from scenthound.ontology.similarity import Path
from scenthound.ontology.topic_terms import TopicTerms, of_link
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy


@strategy("ssrm")
@dataclass
class Ssrm:
    """Semantic similarity retrieval model on anchors (Batsakis 3.3.2, eq. 9; Varelas et al. 2005).

    Believes that an anchor says what lies behind it, in the topic's words or in words of a similar meaning: a cosine in
    which different terms have something in common, too.

        priority = sum over anchor terms t, query terms k of  similarity(t, k) * w_t * w_k  /  (|w_t| * |w_k|)
        similarity(t, k) = exp(-0.2 * L) * tanh(0.6 * H)      1 if identical; 0 where there is no way

    | symbol | parameter or meaning |
    |---|---|
    | L | edges between the nearest senses of both in the ontology |
    | H | depth of the most specific concept above both |
    | w_t, w_k | tf-idf weights of anchor and query; of a phrase, idf is that of its rarest word |
    | path | `path`: `tree`, up to what is above both and down again; `graph`, the shortest in the graph |
    | ontology | `ontology`: wordnet, a SKOS or OWL file, or several; the topic's where not given |

    It is no cosine any more in that it may exceed 1. The document's typesetting puts tanh into the exponent; Li et al.
    multiply, and so do we; `measure = "li-printed"` is the former, and the published form `as-printed`.
    """

    published: ClassVar[Presets] = {
        "batsakis": {"path": "graph"},
        "as-printed": {"path": "graph", "measure": "li-printed"},
    }

    ontology: str = ""
    path: Path = "tree"
    measure: str = "li"
    question_: TopicTerms = field(init=False, repr=False)
    weights_: list[float] = field(init=False, repr=False)
    score_: Callable[[Link], float] = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        asked = self.question_ = TopicTerms(context, self.ontology, self.measure, self.path)
        weights = [term.idf(context.idf) * weight for term, weight in zip(asked.terms, asked.weights, strict=True)]
        length = hypot(*weights) or 1.0
        self.weights_ = [weight / length for weight in weights]
        self.score_ = of_link(self._score)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link=link, priority=self.score_(link)) for link in visit.page.links]

    def _score(self, text: str) -> float:
        asked = self.question_
        counts = asked.vocabulary.counts(text)
        weights: list[float] = [n * term.idf(asked.idf) for term, n in counts.items()]
        length = hypot(*weights)
        if not length:
            return 0.0
        alike = (sum(map(mul, asked.alike(term), self.weights_)) for term in counts)
        return float(sum(map(mul, weights, alike)) / length)

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import ClassVar

from scenthound.model import Link, Ranked, Visit
from scenthound.ontology.topic_terms import TopicTerms, of_link
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy


@strategy("mihalcea")
@dataclass
class Mihalcea:
    """Anchors that say the same as the topic, term by nearest term (Batsakis 2.3, 3.3; Corley and Mihalcea 2005).

    Believes that an anchor says what lies behind it, and that two texts mean the same if every term of the one has a
    counterpart in the other: only the best one counts, so that many faint similarities do not add up.

        priority = (covered(anchor, query) + covered(query, anchor)) / 2
        covered(a, b) = sum over terms t of a of  idf(t) * max over terms u of b of similarity(t, u)  /  sum of idf(t)

    | symbol | parameter or meaning |
    |---|---|
    | similarity | `measure`: li, `exp(-0.2 * L) * tanh(0.6 * H)`; or ehrig, `0.5 ** L`; 1 if identical |
    | idf(t) | how rare the term is, times how often it stands there; in the query, times its weight |
    | ontology | `ontology`: wordnet, a SKOS or OWL file, or several; the topic's where not given |
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    ontology: str = ""
    measure: str = "li"
    question_: TopicTerms = field(init=False, repr=False)
    weights_: list[float] = field(init=False, repr=False)
    score_: Callable[[Link], float] = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        asked = self.question_ = TopicTerms(context, self.ontology, self.measure)
        weights = [term.idf(context.idf) * weight for term, weight in zip(asked.terms, asked.weights, strict=True)]
        whole = sum(weights) or 1.0
        self.weights_ = [weight / whole for weight in weights]
        self.score_ = of_link(self._score)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link=link, priority=self.score_(link)) for link in visit.page.links]

    def _score(self, text: str) -> float:
        asked = self.question_
        counts = asked.vocabulary.counts(text)
        weights: list[float] = [n * term.idf(asked.idf) for term, n in counts.items()]
        whole = sum(weights)
        if not whole:
            return 0.0
        alike = [asked.alike(term) for term in counts]
        of_anchor = sum(map(mul, weights, map(max, alike))) / whole
        of_query = sum(map(mul, self.weights_, map(max, zip(*alike, strict=True))))
        return float(of_anchor + of_query) / 2

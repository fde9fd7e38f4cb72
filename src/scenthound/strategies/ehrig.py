from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import ClassVar, Literal

from scenthound.model import Link, Ranked, Visit
from scenthound.ontology.similarity import Path
from scenthound.ontology.topic_terms import TopicTerms, of_link
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy


@strategy("ehrig")
@dataclass
class Ehrig:
    """Anchors whose words are close to the topic's in an ontology (Batsakis 3.3.1, eq. 8; Maedche, Ehrig et al. 2002).

    Believes that an anchor says what lies behind it, if not in the topic's words then in words of a similar meaning,
    and that meanings are the more similar, the shorter the way between them.

        priority = sum over anchor terms t, query terms k of  similarity(t, k) * w_t * w_k
        similarity(t, k) = 0.5 ** L      1 if identical; 0 where there is no way

    | symbol | parameter or meaning |
    |---|---|
    | L | edges between the nearest senses of both in the ontology, 0 inside a set of synonyms |
    | w_t | times t stands in the anchor, over the largest such number |
    | w_k | weight of the keywords that hold k, over the largest such weight |
    | path | `path`: `tree`, up to what is above both and down again; `graph`, the shortest in the graph (eq. 3) |
    | variant | `variant`: `c`, as above; `a`, 1 where L <= 1; `b`, 1 where L <= 2 by broader and narrower alone (2.4) |
    | ontology | `ontology`: wordnet, a SKOS or OWL file, or several; the topic's where not given |

    No lengths are divided by, as the document has it, so long anchors win. Beside words count the phrases that the
    ontology knows.
    """

    published: ClassVar[Presets] = {
        "batsakis": {"path": "graph"},
        "variant-a": {"path": "graph", "variant": "a"},
        "variant-b": {"path": "is-a", "variant": "b"},
    }

    ontology: str = ""
    path: Path = "tree"
    variant: Literal["a", "b", "c"] = "c"
    question_: TopicTerms = field(init=False, repr=False)
    score_: Callable[[Link], float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.variant not in ("a", "b", "c"):
            raise ValueError("variant is a, b or c")

    def begin(self, context: Context) -> None:
        measure = "ehrig" if self.variant == "c" else f"ehrig-{self.variant}"
        self.question_ = TopicTerms(context, self.ontology, measure, self.path)
        self.score_ = of_link(self._score)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link=link, priority=self.score_(link)) for link in visit.page.links]

    def _score(self, text: str) -> float:
        asked = self.question_
        counts = asked.vocabulary.counts(text)
        most = max(counts.values(), default=1)
        return sum((n / most * sum(map(mul, asked.alike(term), asked.weights)) for term, n in counts.items()), 0.0)

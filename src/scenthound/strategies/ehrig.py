from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import ClassVar

from scenthound.model import Link, Ranked, Visit
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
    | ontology | `ontology`: wordnet, a SKOS or OWL file, or several; the topic's where not given |

    No lengths are divided by, as the document has it, so long anchors win. Beside words count the phrases that the
    ontology knows.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    ontology: str = ""
    question_: TopicTerms = field(init=False, repr=False)
    score_: Callable[[Link], float] = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.question_ = TopicTerms(context, self.ontology, "ehrig")
        self.score_ = of_link(self._score)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link=link, priority=self.score_(link)) for link in visit.page.links]

    def _score(self, text: str) -> float:
        asked = self.question_
        counts = asked.vocabulary.counts(text)
        most = max(counts.values(), default=1)
        return sum((n / most * sum(map(mul, asked.alike(term), asked.weights)) for term, n in counts.items()), 0.0)

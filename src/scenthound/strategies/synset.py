from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.bounded_cache import Memo
from scenthound.model import Link, Ranked, Visit
from scenthound.ontology.expansion import expand
from scenthound.ontology.open_ontology import ontologies
from scenthound.ontology.topic_terms import of_link
from scenthound.ontology.vocabulary import Term, Vocabulary
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query


@strategy("synset")
@dataclass
class Synset:
    """Best-first on page and anchor, with synonyms added to query and anchor (Batsakis 3.3.3, eq. 10).

    Believes that a page on the topic links to pages on the topic, that an anchor says what lies behind it, and that
    either may use another word for the same thing, but for nothing farther away than that.

        priority = (cosine(page, query+) + cosine(anchor+, query+)) / 2

    | symbol | parameter or meaning |
    |---|---|
    | page | tf-idf vector of the page the link stands on |
    | query+, anchor+ | tf-idf vectors of keywords and anchor with the synonyms of all senses of their words added |
    | share | `share`: what a synonym counts for, as a part of the word it stands for |
    | distance | `distance`: also add to the query what is that many edges away, each edge halving its weight |
    | ontology | `ontology`: wordnet, a SKOS or OWL file, or several; the topic's where not given |

    A synonym of several words is its words. A word that is a synonym in several ways counts once, in the best of them.
    With the defaults it is eq. 10; a distance of 1 makes sense with an ontology of the topic, not with all of English.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    ontology: str = ""
    share: float = 1.0
    distance: int = 0
    query_: Query = field(init=False, repr=False)
    vocabulary_: Vocabulary = field(init=False, repr=False)
    synonyms_: Memo[Term, tuple[str, ...]] = field(init=False, repr=False)
    score_: Callable[[Link], float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise ValueError("share must be between 0 and 1")
        if not 0 <= self.distance <= 5:
            raise ValueError("distance must be from 0 to 5")

    def begin(self, context: Context) -> None:
        topic = context.topic
        self.vocabulary_ = Vocabulary(ontologies(self.ontology or context.ontology, topic.language), topic.language)
        terms = self.vocabulary_.analyzer.terms
        added: dict[str, float] = {}
        for found in expand(topic.keywords, self.vocabulary_, self.distance):
            for stem in terms(found.term):
                added[stem] = max(added.get(stem, 0.0), found.weight * self.share)
        self.query_ = Query.of(context).with_terms(added)
        self.synonyms_ = Memo(self._synonyms, REMEMBERED)
        self.score_ = of_link(self._score)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        page = self.query_.of_counts(visit.page.terms)
        return [Ranked(link=link, priority=(page + self.score_(link)) / 2) for link in visit.page.links]

    def _score(self, text: str) -> float:
        counts: dict[str, float] = dict(self.vocabulary_.analyzer.counts(text))
        added: dict[str, float] = {}
        for term, n in self.vocabulary_.named(text).items():
            for stem in self.synonyms_[term]:
                added[stem] = max(added.get(stem, 0.0), n * self.share)
        return self.query_.of_counts(added | counts)

    def _synonyms(self, term: Term) -> tuple[str, ...]:
        """Stems of the other labels of all that the term may stand for."""
        stems = self.vocabulary_.analyzer.terms
        found: dict[str, None] = {}
        for ontology, senses in zip(self.vocabulary_.ontologies, term.senses, strict=True):
            for sense in senses:
                for label in ontology.labels(sense):
                    found.update(dict.fromkeys(stems(label)))
        return tuple(found)


REMEMBERED = 20_000  # terms

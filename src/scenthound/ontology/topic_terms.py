"""A topic's keywords as terms with a meaning, made to be compared with one anchor after the other."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.bounded_cache import Memo
from scenthound.errors import ConfigError
from scenthound.model import Link
from scenthound.ontology.open_ontology import ontologies
from scenthound.ontology.similarity import MEASURES, PATHS, ConceptSimilarity, Path
from scenthound.ontology.vocabulary import Term, Vocabulary
from scenthound.protocols.crawl import Context

REMEMBERED = 20_000  # anchors, and terms


class TopicTerms:
    """The keywords of a topic, and how alike any term is to each of them.

        weight(k) = sum of the weights of the keywords that hold term k, over the largest such sum

    That is the `tf` of the documents' queries: 1 for every term of a list of plain words. Identical terms (the same
    stems) have similarity 1; others what the best of the ontologies says. Similarities are remembered by term: the
    anchors of a site are made of few words.
    """

    def __init__(self, context: Context, ontology: str = "", measure: str = "li", path: Path = "tree") -> None:
        if measure not in MEASURES:
            raise ConfigError(f"measure = {measure!r} is unknown; it is one of: {', '.join(MEASURES)}.")
        if path not in PATHS:
            raise ConfigError(f"path = {path!r} is unknown; it is one of: {', '.join(PATHS)}.")
        found = ontologies(ontology or context.ontology, context.topic.language)
        self.vocabulary = Vocabulary(found, context.topic.language)
        self.idf = context.idf
        self._similarities = [ConceptSimilarity(one, path) for one in found]
        self._measure = MEASURES[measure]
        sums: dict[Term, float] = {}
        for keyword in context.topic.keywords:
            for term in self.vocabulary.counts(keyword.term):
                sums[term] = sums.get(term, 0.0) + keyword.weight
        if not sums:
            raise ConfigError("The topic has no keywords that say anything. Add keywords = [...] under [topic].")
        largest = max(sums.values())
        self.terms: tuple[Term, ...] = tuple(sums)
        self.weights = [weight / largest for weight in sums.values()]
        self.alike = Memo(self._alike, REMEMBERED).__getitem__

    def _alike(self, term: Term) -> tuple[float, ...]:
        """The term's similarity to each of `terms`."""
        return tuple(self._compare(term, asked) for asked in self.terms)

    def _compare(self, term: Term, asked: Term) -> float:
        if term.stems == asked.stems:
            return 1.0
        pairs = zip(self._similarities, term.senses, asked.senses, strict=True)
        return max(similarities.best(some, others, self._measure) for similarities, some, others in pairs)


def of_link(score: Callable[[str], float]) -> Callable[[Link], float]:
    """The score of what a link says of its target, its anchor or else its title; remembered by that text."""
    known = Memo(score, REMEMBERED)
    return lambda link: known[link.anchor or link.title]

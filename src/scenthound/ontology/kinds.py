"""Words that name a kind of what a topic is about: "tern" where birds are wanted, "Eiffel Tower" where towers are.

A link to a page about a tern seldom says "bird". But an ontology knows that terns are birds, so everything below a
keyword in it, labels of all generations, is looked for in the texts of links:

    kind(text) = max over its phrases p below keywords k of   share(p) / (rank of k's sense * rank of p's)

    share: 1 where the phrase ends the text, as what is meant mostly does ("Arctic Tern"); else words(p) / words(text)

The first sense of a word is its usual one; from the third on none counts. Keywords themselves are no kind of their own:
they count elsewhere. A concept with very much below it, such as "group", tells nothing.

Examples name kinds, too: what is above many of their titles, and above no title of a counterexample, is wanted like a
keyword.

There are more people than any ontology knows. So it is also said whether a topic is about people: whether what its
first keyword ends with ("nobel prize winners") is usually a kind of person. Who knows names may ask for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeVar

from scenthound.errors import OntologyError
from scenthound.model import Keyword
from scenthound.ontology.ontology_protocol import Ontology
from scenthound.ontology.open_ontology import ontologies
from scenthound.ontology.vocabulary import Term, Vocabulary
from scenthound.protocols.crawl import Context
from scenthound.text.analysis import Analyzer

SENSES = 2
"""Of a word, those that are asked about."""

LARGEST = 2_000
"""Concepts below one that still says what is meant: there are 870 birds, 1,500 foods, and 8,400 groups."""

FEWEST, SHARE = 3, 0.25
"""Examples, and share of all of them, whose titles must be of a kind that no keyword names: less is chance."""

Stems = tuple[str, ...]
Key = TypeVar("Key")


class Kinds:
    """How far a text names a kind of the topic, 0..1."""

    def __init__(self, phrases: Mapping[Stems, float], *, of_people: bool = False) -> None:
        self.phrases = phrases
        self.of_people = of_people
        self._firsts = {phrase[0] for phrase in phrases}
        self._longest = max(map(len, phrases), default=0)

    def __call__(self, words: Stems) -> float:
        """Of a text as its stems, in order."""
        if self._firsts.isdisjoint(words):
            return 0.0
        whole = len(words)
        return max(
            self.phrases.get(words[start:end], 0.0) * (1.0 if end == whole else (end - start) / whole)
            for start, first in enumerate(words)
            if first in self._firsts
            for end in range(start + 1, min(start + self._longest, whole) + 1)
        )


def kinds_of(context: Context) -> Kinds:
    """Those of a crawl's topic; none where no ontology speaks its language."""
    topic = context.topic
    try:
        known = ontologies(context.ontology, topic.language)
    except OntologyError:
        if context.ontology:
            raise
        return Kinds({})
    vocabulary, phrases = Vocabulary(known, topic.language), dict[Stems, float]()
    asked = list(_terms(topic.keywords, vocabulary))
    own = {stem for term in asked for stem in term.stems}
    titles, others = (
        [list(vocabulary.named(page.title)) for page in pages] for pages in (context.examples, context.counterexamples)
    )
    for number, ontology in enumerate(known):
        wanted = dict[int, float]()
        for senses in (term.senses[number] for term in asked):
            for rank, sense in enumerate(senses[:SENSES], 1):
                _raise(wanted, _below(ontology, sense), 1 / rank)
        for sense in _shared(ontology, *([_usual(each, number) for each in named] for named in (titles, others))):
            _raise(wanted, _below(ontology, sense), 1.0)
        for stems, worth in _labels(ontology, wanted, vocabulary.analyzer):
            if not own.issuperset(stems):
                _raise(phrases, [stems], worth)
    return Kinds(phrases, of_people=_of_people(topic.keywords, vocabulary))


def _terms(keywords: Sequence[Keyword], vocabulary: Vocabulary) -> Iterator[Term]:
    """Each keyword, and the phrases that words given one by one make together: "chemical element"."""
    texts = [keyword.term for keyword in keywords]
    for text in (*texts, " ".join(texts)):
        yield from vocabulary.named(text)


def _of_people(keywords: Sequence[Keyword], vocabulary: Vocabulary) -> bool:
    """Whether the first keyword is about a kind of person, by the usual meaning of its last word or phrase."""
    named = list(vocabulary.named(keywords[0].term)) if keywords else []
    return any(
        bool(_above(ontology, senses[:1]).intersection(ontology.senses(["person"])[:1]))
        for term in named[-1:]
        for ontology, senses in zip(vocabulary.ontologies, term.senses, strict=True)
    )


def _below(ontology: Ontology, concept: int) -> Iterable[int]:
    """The concept and all that is narrower; nothing where that is too much to mean anything."""
    found, new = {concept}, [concept]
    while new and len(found) <= LARGEST:
        new = [each for known in new for each in ontology.narrower(known) if each not in found]
        found.update(new)
    return found if len(found) <= LARGEST else ()


def _above(ontology: Ontology, concepts: Iterable[int]) -> set[int]:
    """These and all that is broader."""
    found, new = set(concepts), list(concepts)
    while new:
        new = [each for known in new for each in ontology.broader(known) if each not in found]
        found.update(new)
    return found


def _usual(named: Iterable[Term], ontology: int) -> list[int]:
    """What the words of a title usually stand for."""
    return [term.senses[ontology][0] for term in named if term.senses[ontology]]


def _shared(ontology: Ontology, titles: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> list[int]:
    """What is above many titles and none of the others."""
    above = Counter(concept for named in titles for concept in _above(ontology, named))
    fewest = max(FEWEST, SHARE * len(titles))
    excluded = {concept for named in others for concept in _above(ontology, named)}
    return [
        concept
        for concept, number in takewhile(lambda each: each[1] >= fewest, above.most_common())
        if concept not in excluded
    ]


def _labels(ontology: Ontology, wanted: Mapping[int, float], analyzer: Analyzer) -> Iterator[tuple[Stems, float]]:
    """What the concepts are called, and how much that says: a name may usually stand for something else."""
    for concept, worth in wanted.items():
        for label in ontology.labels(concept):
            words = analyzer.words(label)
            senses = list(ontology.senses(words)[:SENSES])
            if concept in senses and (stems := tuple(filter(None, map(analyzer.term, words)))):
                yield stems, worth / (1 + senses.index(concept))


def _raise(values: dict[Key, float], keys: Iterable[Key], least: float) -> None:
    for key in keys:
        values[key] = max(values.get(key, 0.0), least)

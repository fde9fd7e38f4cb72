"""A text as terms that have a meaning: its words, and beside them the phrases that an ontology knows.

"Dengue fever in children" is `dengue`, `fever` and `children`, and `dengue fever`. The documents know single words
only; but the meaning of most phrases is not in their words, and a thesaurus consists of phrases. Words count beside the
phrase, so that a text with half of it still has something in common with it. Of phrases that overlap the first counts,
and at one place the longest. Stop words count only inside phrases.

Terms are looked up as the words stand in the text, because a stem has lost too much to be looked up; two terms are the
same if they have the same stems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress

from scenthound.bounded_cache import Memo
from scenthound.ontology.ontology_protocol import Ontology
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import Analyzer, analyzer

REMEMBERED = 50_000  # words and phrases, about 15 MB


class Term:
    """A word or phrase. `senses` has what it may stand for in each ontology; there is one Term for all mentions."""

    __slots__ = ("senses", "stems", "words")

    def __init__(self, words: str, stems: tuple[str, ...], senses: tuple[tuple[int, ...], ...]) -> None:
        self.words = words
        self.stems = stems
        self.senses = senses

    def __repr__(self) -> str:
        return f"Term({self.words!r})"

    @property
    def length(self) -> int:
        """In words, stop words included."""
        return self.words.count(" ") + 1

    def idf(self, idf: Idf) -> float:
        """A phrase is at least as rare as the rarest of its words."""
        return max(map(idf, self.stems))


class Vocabulary:
    """Reads the texts of one language with the eyes of some ontologies."""

    def __init__(self, ontologies: Sequence[Ontology], language: str) -> None:
        self.ontologies = tuple(ontologies)
        self.analyzer = analyzer(language)
        self._longest = max((ontology.longest for ontology in ontologies), default=1)
        # Of these two, not of `self`: a circle would keep the ontologies until Python looks for garbage.
        self._term = Memo(partial(_made, self.ontologies, self.analyzer), REMEMBERED).__getitem__

    def counts(self, text: str) -> dict[Term, int]:
        """Term -> how often; all words, and beside them the phrases."""
        words = self.analyzer.words(text)
        phrases = [term for _, term in self._phrases(words)]
        return Counter([*filter(None, map(self._term, words)), *phrases])

    def named(self, text: str) -> dict[Term, int]:
        """Term -> how often; the phrases, and the words that stand in none: what the text speaks of."""
        words = self.analyzer.words(text)
        found: list[Term] = []
        left = [True] * len(words)
        for place, term in self._phrases(words):
            found.append(term)
            left[place : place + term.length] = [False] * term.length
        return Counter([*found, *filter(None, map(self._term, compress(words, left)))])

    def _phrases(self, words: Sequence[str]) -> Iterator[tuple[int, Term]]:
        """Phrases that do not overlap, each with its place among the words."""
        place = 0
        while place < len(words) - 1:
            found = self._phrase_at(words, place) if self.analyzer.term(words[place]) else None
            if found is None:
                place += 1
            else:
                yield place, found
                place += found.length

    def _phrase_at(self, words: Sequence[str], place: int) -> Term | None:
        for length in range(min(self._longest, len(words) - place), 1, -1):
            term = self._term(" ".join(words[place : place + length]))
            if term is not None:
                return term
        return None


def _made(ontologies: Sequence[Ontology], analyzer: Analyzer, name: str) -> Term | None:
    """None for a word that is dropped, and for words that are no phrase."""
    words = name.split(" ")
    stems = tuple(filter(None, map(analyzer.term, words)))
    if not stems:
        return None
    senses = tuple(tuple(ontology.senses(words)) for ontology in ontologies)
    return Term(name, stems, senses) if len(words) == 1 or any(senses) else None

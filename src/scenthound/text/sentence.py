"""A topic from a sentence: what somebody says, less how they say it.

    I am looking for pages about coral bleaching and what warm water does to reefs

A sentence falls into clauses. What opens a clause by asking (`request_words`) is left out, and so is what it says is
not meant (`but not aquariums`). Stop words, and words so frequent that no page is told apart by them, cut the rest into
runs; a run of two or three words is a phrase. A keyword weighs what the rarer of its words tells, its background idf.

A short topic, and a list with commas, are no sentences: they are keywords as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from msgspec import Struct

from scenthound.model import Keyword
from scenthound.protocols.crawl import Idf
from scenthound.text import idf
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.text.languages import code
from scenthound.text.request_words import NONE, REQUESTS, RequestWords

SHORT = 5
"""Words of a clause that may be a keyword as it stands."""

WEAK = 1.3  # idf below which a word tells no page apart: people, world, find
TELLING = 2.6  # idf from which a word belongs to a phrase of three: grow, in "farmers grow coffee", does not
PHRASE = 3  # words at most
MOST_KEYWORDS = 20
NAMED = 3  # keywords in a name

_clauses = re.compile(r"[.,;:!?]+(?=\s|$)|[()\"“”„«»\n]+").split
_words = re.compile(r"[^\W_]+(?:-[^\W_]+)*").findall


class SentenceTopic(Struct, frozen=True):
    """What was understood. `not_meant`: words of the sentence that say what is not looked for."""

    name: str
    keywords: tuple[Keyword, ...]  # the heaviest first; weights sum to 1
    not_meant: tuple[str, ...] = ()


class _Word(NamedTuple):
    written: str
    terms: tuple[str, ...]  # none: a stop word
    tells: float  # idf of its rarest term


def is_sentence(text: str, language: str) -> bool:
    """Is this to be understood, rather than taken as keywords?"""
    asks = REQUESTS.get(code(language), NONE)
    for clause in _clauses(text):
        words = [word.lower() for word in _words(clause)]
        if len(words) > SHORT or (words and words[0] in asks.me):
            return True
        if any(_begins(words, i, asks.other) for i in range(len(words))):
            return True
        joint = next((word for word in words if word not in asks.asking), "")
        if joint in asks.about and joint != words[0] and joint != words[-1]:
            return True
    return False


def understood(text: str, language: str) -> SentenceTopic:
    """The topic of a sentence. A sentence of stop words alone is a topic as it stands."""
    rarity = idf.background(language)
    reader, asks = analyzer(language), REQUESTS.get(code(language), NONE)
    keywords: dict[tuple[str, ...], tuple[str, float]] = {}
    not_meant: list[str] = []
    for clause in _clauses(text):
        meant, other = _parted(_words(clause), asks)
        not_meant += [word for word in other if reader.terms(word)]
        words = [_looked_up(word, reader, rarity) for word in meant[_opening(meant, asks, reader) :]]
        for run in _runs(words, asks, code(language)):
            for phrase in _phrases(run):
                _add(keywords, phrase)
    found = _heaviest(_without_repetition(keywords))
    if not found:
        return SentenceTopic(text, (Keyword(text, 1.0),), tuple(not_meant))
    return SentenceTopic(", ".join(keyword.term for keyword in found[:NAMED]), found, tuple(not_meant))


def _parted(words: list[str], asks: RequestWords) -> tuple[list[str], list[str]]:
    """What is meant, and what is said not to be."""
    lower = [word.lower() for word in words]
    for i in range(len(words)):
        if _begins(lower, i, asks.other):
            return words[:i], words[i:]
    return words, []


def _begins(words: Sequence[str], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(tuple(words[at : at + len(phrase)]) == phrase for phrase in phrases)


def _opening(words: list[str], asks: RequestWords, reader: Analyzer) -> int:
    """How many words only ask: the longest beginning of asking words and stop words that ends in one of the latter."""
    end = 0
    for i, word in enumerate(map(str.lower, words)):
        joins = word in asks.about | asks.joints | asks.me or not reader.terms(word)
        if not joins and word not in asks.asking:
            break
        if joins and word not in asks.asking:
            end = i + 1
    return end


def _looked_up(written: str, reader: Analyzer, rarity: Idf) -> _Word:
    terms = tuple(reader.terms(written))
    return _Word(written, terms, max(map(rarity, terms), default=0.0))


def _runs(words: list[_Word], asks: RequestWords, language: str) -> Iterator[list[_Word]]:
    run: list[_Word] = []
    for i, word in enumerate(words):
        weak = word.tells < WEAK and not (language != "de" and _names_something(words, i))
        if not word.terms or weak or word.written.lower() in asks.filling | asks.about | asks.joints:
            yield run
            run = []
        else:
            run.append(word)
    yield run


def _names_something(words: list[_Word], at: int) -> bool:
    """A capital beside another one, as in New York, makes a name of a frequent word."""
    beside = [words[i].written[0].isupper() for i in (at - 1, at + 1) if 0 <= i < len(words)]
    return words[at].written[0].isupper() and any(beside)


def _phrases(run: list[_Word]) -> Iterator[list[_Word]]:
    """A run of two is one phrase; in longer ones words that tell little stand by themselves, unless it is a name."""
    if len(run) <= 2 or (len(run) <= PHRASE and all(word.written[0].isupper() for word in run)):
        if run:
            yield run
        return
    phrase: list[_Word] = []
    for word in run:
        if word.tells < TELLING:
            yield from ([phrase] if phrase else [])
            yield [word]
            phrase = []
        else:
            phrase.append(word)
    yield from (phrase[i : i + PHRASE] for i in range(0, len(phrase), PHRASE))


def _add(keywords: dict[tuple[str, ...], tuple[str, float]], phrase: list[_Word]) -> None:
    """What is said twice weighs twice as much."""
    terms = tuple(term for word in phrase for term in word.terms)
    spelling, weight = keywords.get(terms, (" ".join(word.written for word in phrase), 0.0))
    keywords[terms] = spelling, weight + max(word.tells for word in phrase)


def _without_repetition(keywords: dict[tuple[str, ...], tuple[str, float]]) -> dict[str, float]:
    """Spelling -> weight. A word that also stands in a phrase speaks for the phrase."""
    weights: dict[str, float] = {}
    for terms, (spelling, weight) in keywords.items():
        whole = next((other for other in keywords if len(other) > len(terms) and set(terms) <= set(other)), None)
        name = keywords[whole][0] if whole else spelling
        weights[name] = weights.get(name, 0.0) + weight
    return weights


def _heaviest(weights: dict[str, float]) -> tuple[Keyword, ...]:
    best = nlargest(MOST_KEYWORDS, weights.items(), key=lambda entry: entry[1])
    whole = sum(weight for _, weight in best)
    return tuple(Keyword(term, weight / whole) for term, weight in best)

"""A topic from pages, or from an entry of a directory of the web.

**From pages** (Aastha 2.5.1, "topic keywords generating"): the terms of seed pages, or of pages found relevant, are
counted, their rarity is looked up, and the best N by `tf * idf` become keywords, N below 50, those that many of the
pages share before those of one; weights sum to 1 (Mali 3.1.1). What pages of one site share word for word, menus and
footers, is left out. Two terms that mostly follow each other become one phrase. Keywords are written as people write
them: the most frequent spelling stands for its stem.

**From a directory entry** (Liu 3.2): the words along the path of the category are keywords, the deeper the heavier,
the editors' descriptions give the rest, and the listed pages are targets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Page, Topic
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.text.web_directory import Category
from scenthound.text.weight_table import TermStatistics

MOST_KEYWORDS = 49
OWN = 0.5
"""Of the weight of a topic that is rebuilt from pages, the part of the keywords it had at first."""

PATH_SHARE = 0.5
"""Of the weight of a directory entry's keywords, the part of those from its path."""

OFTEN, MOSTLY, PARTLY = 3, 0.5, 0.25
"""Two terms are a phrase if they follow each other so often, in so large a part of the rarer and the other's places."""

RUN, REPEATED = 4, 3
"""Boilerplate: so many terms in a row that stand in so many pages, and in half of them."""

_words = re.compile(r"[^\W_]+").findall


def from_pages(pages: Iterable[Page], idf: Idf, language: str = "en", n: int = 20) -> tuple[Keyword, ...]:
    """The n keywords that tell most about the pages, weights summing to 1. No text, no keywords."""
    return from_texts([f"{page.title}\n{page.text}" for page in pages], idf, language, n)


def from_texts(texts: Sequence[str], idf: Idf, language: str = "en", n: int = 20) -> tuple[Keyword, ...]:
    if not 1 <= n <= MOST_KEYWORDS:
        raise ConfigError(f"A topic has 1 to {MOST_KEYWORDS} keywords, not {n}.")
    reader, statistics = analyzer(language), TermStatistics(idf)
    followed: Counter[tuple[str, str]] = Counter()
    counts: Counter[str] = Counter()
    for terms in without_boilerplate([reader.terms(text) for text in texts]):
        statistics.add(Counter(terms))
        counts.update(terms)
        followed.update(pairwise(terms))
    # Phrases take the place of two terms each, so twice as many are looked at.
    best = dict(statistics.best(2 * n))
    spelt = _spellings(texts, reader, best)
    weights = _with_phrases(best, _phrases(best, followed, counts))
    chosen = sorted(weights.items(), key=lambda entry: (-entry[1], entry[0]))[:n]
    return _shared([(" ".join(spelt[term] for term in terms), weight) for terms, weight in chosen])


def rebuilt(topic: Topic, texts: Sequence[str], idf: Idf, n: int = 20) -> Topic:
    """The topic with n keywords from the texts beside its own, which keep their share however often this is done."""
    statistics = from_texts(texts, idf, topic.language, max(1, min(n, MOST_KEYWORDS - len(topic.keywords))))
    if not statistics or not topic.keywords:
        return replace(topic, keywords=statistics or topic.keywords)
    own = [(keyword.term, OWN * keyword.weight) for keyword in topic.keywords]
    return replace(topic, keywords=_shared([*own, *((k.term, (1 - OWN) * k.weight) for k in statistics)]))


def from_category(category: Category, idf: Idf, language: str = "en", n: int = 20) -> tuple[Keyword, ...]:
    """Keywords of a directory entry: its path, one keyword a level, then what its descriptions speak of."""
    levels = [level for level in category.levels() if analyzer(language).terms(level)][-n:]
    path = [(level, PATH_SHARE * depth) for depth, level in enumerate(dict.fromkeys(levels), 1)]
    whole = sum(weight for _, weight in path)
    found = {level: PATH_SHARE * weight / whole for level, weight in path}
    if room := n - len(found):
        for keyword in from_texts(category.descriptions(), idf, language, room):
            share = (1 - PATH_SHARE) * keyword.weight
            found[keyword.term] = found.get(keyword.term, 0.0) + share
    return _shared(list(found.items()))


def without_boilerplate(texts: Sequence[list[str]]) -> list[list[str]]:
    """The terms of each text without runs that it shares with at least half of the texts, and with two others."""
    holding: Counter[tuple[str, ...]] = Counter()
    for terms in texts:
        holding.update(set(_runs(terms)))
    enough = max(REPEATED, len(texts) / 2)
    kept = []
    for terms in texts:
        shared = {start + i for start, run in enumerate(_runs(terms)) if holding[run] >= enough for i in range(RUN)}
        kept.append([term for place, term in enumerate(terms) if place not in shared])
    return kept


def _runs(terms: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(terms[i:] for i in range(RUN)), strict=False)


def _phrases(best: Iterable[str], followed: Counter[tuple[str, str]], counts: Counter[str]) -> list[tuple[str, str]]:
    """Pairs of the best terms that belong together, the most frequent first; a term is in one at most."""
    wanted, taken = set(best), set[str]()
    phrases = []
    for (first, second), n in sorted(followed.items(), key=lambda entry: (-entry[1], entry[0])):
        if n < OFTEN:
            break
        rarer, other = sorted((counts[first], counts[second]))
        pair = {first, second}
        together = n >= MOSTLY * rarer and n >= PARTLY * other
        if together and len(pair) == 2 and pair <= wanted and not pair & taken:
            phrases.append((first, second))
            taken |= pair
    return phrases


def _with_phrases(weights: dict[str, float], phrases: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], float]:
    """A phrase weighs what its heavier term does, and stands for both."""
    joined: dict[tuple[str, ...], float] = {pair: max(weights[pair[0]], weights[pair[1]]) for pair in phrases}
    within = {term for pair in phrases for term in pair}
    return joined | {(term,): weight for term, weight in weights.items() if term not in within}


def _spellings(texts: Iterable[str], reader: Analyzer, wanted: Iterable[str]) -> dict[str, str]:
    """The most frequent word of each stem."""
    words: Counter[str] = Counter()
    for text in texts:
        words.update(_words(text.lower()))
    spelt = {term: term for term in wanted}
    found: set[str] = set()
    for word, _ in sorted(words.items(), key=lambda entry: (-entry[1], len(entry[0]), entry[0])):
        terms = reader.terms(word)
        if len(terms) == 1 and terms[0] in spelt and terms[0] not in found:
            spelt[terms[0]] = word
            found.add(terms[0])
    return spelt


def _shared(weighed: Sequence[tuple[str, float]]) -> tuple[Keyword, ...]:
    """As keywords whose weights sum to 1. Two stems that came out as one spelling are one keyword."""
    sums: dict[str, float] = {}
    for term, weight in weighed:
        sums[term] = sums.get(term, 0.0) + weight
    whole = sum(sums.values())
    return tuple(Keyword(term, weight / whole) for term, weight in sums.items()) if whole else ()

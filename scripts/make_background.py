"""Make the tables of word frequencies in src/scenthound/text/data, one a language, from the package wordfreq.

    python scripts/make_background.py [LANGUAGE ...]

wordfreq is needed here only: `pip install wordfreq`. What the files hold is told in scenthound/text/background.py.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from math import log10
from pathlib import Path

import wordfreq

from scenthound.text import background, stopwords
from scenthound.text.analysis import Analyzer, stemmer
from scenthound.text.languages import ALGORITHMS

DATA = Path(__file__).parents[1] / "src" / "scenthound" / "text" / "data"
STEMS = 20_000
ENGLISH_STEMS = 30_000
STOP_FREQUENCY = 2e-3  # lower down, the names of countries and capitals begin to mix with the function words
STOP_WORDS = 120  # at most
NUMBERS = range(10, 2100)  # wordfreq keeps numbers in buckets by length; these are spelled out
THEIR_CODE = {"no": "nb", "sr": "sh"}


def words(language: str) -> Iterator[tuple[str, float]]:
    theirs = THEIR_CODE.get(language, language)
    for word, frequency in wordfreq.get_frequency_dict(theirs, wordlist="best").items():
        if not word.isdecimal():
            yield word, frequency
    for number in NUMBERS:
        yield str(number), wordfreq.word_frequency(str(number), theirs, wordlist="best")


def table(language: str, size: int) -> tuple[list[str], dict[str, float]]:
    """Stop words, and the zipf value of each of the most frequent stems."""
    unstemmed = Analyzer(language, None, frozenset())
    by_word: dict[str, float] = defaultdict(float)
    for word, frequency in words(language):
        for part in unstemmed.terms(word):
            by_word[part] += frequency
    stop = sorted(stopwords.ENGLISH) if language == "en" else most_frequent(by_word)

    stem = Analyzer(language, stemmer(ALGORITHMS[language]), frozenset(stop))
    by_stem: dict[str, float] = defaultdict(float)
    for word, frequency in by_word.items():
        for term in stem.terms(word):
            by_stem[term] += frequency
    kept = sorted(by_stem, key=lambda term: (-by_stem[term], term))[:size]
    return stop, {term: 9 + log10(by_stem[term]) for term in kept if by_stem[term] > 0}


def most_frequent(by_word: dict[str, float]) -> list[str]:
    frequent = [word for word in by_word if by_word[word] >= STOP_FREQUENCY and not word.isdecimal()]
    return sorted(frequent, key=lambda word: (-by_word[word], word))[:STOP_WORDS]


def main(languages: list[str]) -> None:
    DATA.mkdir(exist_ok=True)
    for language in languages or ALGORITHMS:
        if THEIR_CODE.get(language, language) not in wordfreq.available_languages():
            continue
        stop, frequency = table(language, ENGLISH_STEMS if language == "en" else STEMS)
        content = background.packed(stop, frequency)
        (DATA / f"{language}.xz").write_bytes(content)
        print(f"{language}: {len(frequency):,} stems, {len(stop)} stop words, {len(content):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

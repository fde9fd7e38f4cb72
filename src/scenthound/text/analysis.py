"""Text to terms: words, lower case, without stop words, stemmed.

A word is a run of letters, digits and combining marks, in any script. Scripts written without spaces give
overlapping pieces instead: pairs of characters for Chinese, Japanese and Korean, triples for Thai, Lao, Burmese
and Khmer.

What is dropped: stop words, single characters (`c`, `5`; and with them what an apostrophe cuts off), numbers of more
than five digits (they are counters, prices and keys; years, `747` and `27001` stay), and words of more than 40
characters.

Text is cut by bytes: a table makes ASCII letters lower case and all else in ASCII a space, what is not ASCII is seen
to apart, being little, and `split` does the rest, in a third of a regular expression's time; only intricate scripts
need one. Case, width, ligatures and ß are evened out word by word, not text by text: a word is looked at once and then
remembered, so normalising, stop words and stemming are paid for once a word. What is remembered is bounded, and
forgotten as a whole when full: words are spread so unevenly that the useful part is back after a few pages.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby

from Stemmer import Stemmer

from scenthound.bounded_cache import Memo
from scenthound.text import stopwords
from scenthound.text.languages import ALGORITHMS, code

LONGEST_WORD = 40
LONGEST_NUMBER = 5
REMEMBERED = 200_000  # words, about 30 MB at worst
MOST_SEPARATORS = 32  # that are taken out of a text one by one

# Python's \w leaves out combining marks, and would cut every Hindi or Thai word at its vowel signs.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0966-\u0df3"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35-\u0f39\u0f71-\u0fbc"
    "\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u1ab0-\u1ace\u1dc0-\u1dff\u3099\u309a\ufe20-\ufe2f"
)
_PAIRED = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
_TRIPLED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"

_INVISIBLE = "\xad\u200c\u200d\u2060\ufeff"  # soft hyphens and joiners stand inside words

_ASCII = bytes(range(128))
_LOWER_OR_SPACE = bytes(byte if byte > 127 or chr(byte).isalnum() else ord(" ") for byte in range(256)).lower()
_lower_words = re.compile(r"[^\W_]+").findall
_words = re.compile(rf"[\w{_MARKS}]+").findall
_separators = re.compile(r"\W").findall
_intricate = re.compile(f"[{_MARKS}{_PAIRED}{_TRIPLED}{_INVISIBLE}\u0130\uff00-\uffef]").search
_unspaced = re.compile(f"[{_PAIRED}{_TRIPLED}]").search
_runs = re.compile(f"[{_PAIRED}]+|[{_TRIPLED}]+|[^{_PAIRED}{_TRIPLED}]+").findall
_tripled = re.compile(f"[{_TRIPLED}]").match
_without_invisible = str.maketrans("_", " ", _INVISIBLE)


class Analyzer:
    """Cuts, sifts and stems the text of one language. Get one from `analyzer(language)`."""

    def __init__(self, language: str, stem: Callable[[str], str] | None, stop: frozenset[str]) -> None:
        self.language = language
        self._turkish = language == "tr"
        self._stem = stem
        self._stop = stop
        self._term_of = Memo(self._made, REMEMBERED, _short).__getitem__

    def terms(self, text: str) -> list[str]:
        """The terms of the text, in order."""
        return list(filter(None, map(self._term_of, self._cut(text))))

    def counts(self, text: str) -> dict[str, int]:
        """Term -> how often, in order of first occurrence."""
        return dict(Counter(filter(None, map(self._term_of, self._cut(text)))))

    def words(self, text: str) -> list[str]:
        """The words of the text, in order, as they stand: lower case, none dropped, none stemmed."""
        return list(self._cut(text))

    def term(self, word: str) -> str:
        """The term of one of `words`; empty where the word is dropped."""
        return self._term_of(word)

    def _cut(self, text: str) -> Iterable[str]:
        if self._turkish:
            text = text.replace("I", "ı").replace("İ", "i")
        source = text.encode("utf-8", "surrogatepass")
        if len(source) > len(text):
            foreign = source.translate(None, _ASCII).decode("utf-8", "surrogatepass")
            if _intricate(foreign):
                return _intricate_words(text)
            source = _without_separators(text, foreign).encode("utf-8", "surrogatepass")
        return _simple_words(source)

    def _made(self, word: str) -> str:
        if len(word) > LONGEST_WORD:
            return ""
        if not word.isascii():
            # A few characters unfold into several words (½); the longest stands for them.
            word = max(_words(plain(word)), key=len, default="")
        if word in self._stop:
            return ""
        if len(word) < 2:
            return word if _unspaced(word) else ""
        if word.isdecimal():
            return word if len(word) <= LONGEST_NUMBER else ""
        return self._stem(word) if self._stem else word


def _short(word: str) -> bool:
    return len(word) <= LONGEST_WORD


def _simple_words(source: bytes) -> list[str]:
    return source.translate(_LOWER_OR_SPACE).decode("utf-8", "surrogatepass").split()


def _intricate_words(text: str) -> Iterator[str]:
    """The pieces of the whole text made plain; but one name in Chinese must not slow a page in English down.

    Making plain does not reach across white space, so what is ASCII between white space can go the short way.
    """
    for simple, words in groupby(text.split(), str.isascii):
        run = " ".join(words)
        if simple:
            yield from _simple_words(run.encode())
        else:
            yield from _pieces(plain(run))


def _without_separators(text: str, foreign: str) -> str:
    """Spaces for dashes, quotes and the like, and lower case where ASCII's is not enough. `foreign`: all else."""
    separators = set(_separators(foreign))
    if len(separators) > MOST_SEPARATORS:
        return " ".join(_lower_words(text.lower()))
    for separator in separators:
        text = text.replace(separator, " ")
    return text if foreign.lower() == foreign else text.lower()


def plain(text: str) -> str:
    """One spelling for what only looks different: width, ligatures, combining accents, case, ß and ss."""
    text = unicodedata.normalize("NFKC", text.translate(_without_invisible))
    return unicodedata.normalize("NFKC", text.casefold()).replace("i\u0307", "i")


def _pieces(text: str) -> Iterator[str]:
    """Words; pieces of them where a script has no spaces."""
    for word in _words(text):
        if word.isascii() or not _unspaced(word):
            yield word
            continue
        for run in _runs(word):
            size = (3 if _tripled(run) else 2) if _unspaced(run) else len(run)
            yield from (run[i : i + size] for i in range(max(1, len(run) - size + 1)))


def analyzer(language: str) -> Analyzer:
    """The analyzer for a language code as pages and people write it: `en`, `en-GB`, `EN`, `eng`.

    No code means English. A language without a stemmer gets words as they are, without stop words.
    """
    return _analyzer(code(language))


@cache
def _analyzer(language: str) -> Analyzer:
    algorithm = ALGORITHMS.get(language)
    if algorithm is None:
        return Analyzer(language, None, frozenset())
    return Analyzer(language, stemmer(algorithm), stopwords.of(language))


def stemmer(algorithm: str) -> Callable[[str], str]:
    made = Stemmer(algorithm)
    made.maxCacheSize = 0  # we remember words ourselves
    stem: Callable[[str], str] = made.stemWord
    return stem

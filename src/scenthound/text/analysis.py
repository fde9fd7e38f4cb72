"""Text to terms: words, lower case, without stop words, stemmed.

A word is a run of letters, digits and combining marks, in any script. Scripts written without spaces give
overlapping pieces instead: pairs of characters for Chinese, Japanese and Korean, triples for Thai, Lao, Burmese
and Khmer. Pieces are terms as they stand: they are neither looked up nor remembered, for a long text has hundreds of
thousands.

What is dropped: stop words, single characters (`c`, `5`; and with them what an apostrophe cuts off), numbers of more
than five digits (they are counters, prices and keys; years, `747` and `27001` stay), and words of more than 40
characters.

Text is cut by bytes: a table makes ASCII letters lower case and all else in ASCII a space, what is not ASCII is seen
to apart, being little, and `split` does the rest, in a third of a regular expression's time; only intricate scripts
need one. Case, width, ligatures and ß are evened out word by word, not text by text: a word is looked at once and then
remembered, so normalising, stop words and stemming are paid for once a word. What is remembered is bounded, and
forgotten as a whole when full: words are spread so unevenly that the useful part is back after a few pages.

Evening out takes time with the square of the combining marks in a row, of which no script has more than a few. Runs are
cut at 30, as Unicode's stream-safe text is (UAX 15, 13).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, groupby

from Stemmer import Stemmer

from scenthound.bounded_cache import Memo
from scenthound.text import stopwords
from scenthound.text.languages import ALGORITHMS, code

LONGEST_WORD = 40
LONGEST_NUMBER = 5
REMEMBERED = 200_000  # words, about 30 MB at worst
MOST_SEPARATORS = 32  # that are taken out of a text one by one
MARKS_IN_A_ROW = 30

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
# Marks are neither letters nor blanks; nor is punctuation, which does no harm. Two letters turn into marks.
_mark_or_like = r"(?:[^\w\s]|[\uff9e\uff9f])"
_many_marks = re.compile(rf"({_mark_or_like}{{{MARKS_IN_A_ROW}}}){_mark_or_like}+")
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
        return list(self._terms(text))

    def distinct(self, text: str) -> tuple[str, ...]:
        """The terms of the text, each once, in order of first occurrence."""
        return tuple(dict.fromkeys(self._terms(text)))

    def counts(self, text: str) -> dict[str, int]:
        """Term -> how often, in order of first occurrence."""
        return dict(Counter(self._terms(text)))

    def words(self, text: str) -> list[str]:
        """The words of the text, in order, as they stand: lower case, none dropped, none stemmed."""
        text, intricate = self._prepared(text)
        if not intricate:
            return _simple_words(text)
        return list(chain.from_iterable(words for words, _ in _intricate_words(text)))

    def term(self, word: str) -> str:
        """The term of one of `words`; empty where the word is dropped."""
        return self._term_of(word)

    def _terms(self, text: str) -> Iterator[str]:
        text, intricate = self._prepared(text)
        if not intricate:
            return filter(None, map(self._term_of, _simple_words(text)))
        return chain.from_iterable(
            words if pieces else filter(None, map(self._term_of, words)) for words, pieces in _intricate_words(text)
        )

    def _prepared(self, text: str) -> tuple[str, bool]:
        """The text, ready to be cut; and whether that is an intricate matter."""
        if self._turkish:
            text = text.replace("I", "ı").replace("İ", "i")
        if text.isascii():
            return text, False
        foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
        if _intricate(foreign):
            return text, True
        return _without_separators(text, foreign), False

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


def _simple_words(text: str) -> list[str]:
    return text.encode("utf-8", "surrogatepass").translate(_LOWER_OR_SPACE).decode("utf-8", "surrogatepass").split()


def _intricate_words(text: str) -> Iterator[tuple[Iterable[str], bool]]:
    """Words of the whole text made plain, some at a time, and whether they are pieces, which are terms already.

    One name in Chinese must not slow a page in English down: making plain does not reach across white space, so what
    is ASCII between white space can go the short way.
    """
    for simple, words in groupby(text.split(), str.isascii):
        run = " ".join(words)
        if simple:
            yield _simple_words(run), False
        else:
            yield from _words_and_pieces(plain(run))


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
    text = unicodedata.normalize("NFKC", _many_marks.sub(r"\1 ", text).translate(_without_invisible))
    return unicodedata.normalize("NFKC", text.casefold()).replace("i\u0307", "i")


def _words_and_pieces(text: str) -> Iterator[tuple[Iterable[str], bool]]:
    """Words; pieces of them where a script has no spaces."""
    for spaced, words in groupby(_words(text), _is_spaced):
        if spaced:
            yield words, False
            continue
        for run in chain.from_iterable(map(_runs, words)):
            if _unspaced(run) is None:
                yield (run,), False
            else:
                yield _pieces(run, 3 if _tripled(run) else 2), True


def _is_spaced(word: str) -> bool:
    return word.isascii() or _unspaced(word) is None


def _pieces(run: str, size: int) -> Iterable[str]:
    if len(run) <= size:
        return (run,)
    return map("".join, zip(*(run[place:] for place in range(size)), strict=False))


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

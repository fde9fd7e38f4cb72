"""The stretch of a text that answers a query best, with the words that made it an answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from scenthound.protocols.records import Snippet
from scenthound.text.analysis import analyzer

MOST_TEXT = 200_000
"""Characters looked at. What a longer text says later has nearly always been said before."""

WIDTH = 240
LEAD = 60  # characters shown before the first word found

# Vowel signs and accents that Python's \w leaves out, and that would cut words of India or Israel to pieces.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
)
_LETTER = rf"[\w{_MARKS}]"
_word = re.compile(f"{_LETTER}+")


def marks_in(text: str, terms: frozenset[str], words: Iterable[str], language: str) -> list[tuple[int, int, str]]:
    """Where words of the query stand: (start, end, the word as it stands there, in lower case).

    Each distinct word is stemmed once, and the text is then searched for those that fit: a text of 200 KB takes 5 ms.
    """
    terms_of = analyzer(language).terms
    hits = {word for word in set(_word.findall(text)) if len(found := terms_of(word)) == 1 and found[0] in terms}
    # Where words are not set apart by blanks, as in Chinese, only what was typed can be found inside of a run.
    inside = {word for word in words if len(terms_of(word)) > 1}
    if not hits and not inside:
        return []
    whole = f"(?<!{_LETTER})(?:{_any_of(hits)})(?!{_LETTER})" if hits else ""
    pieces = _any_of(inside)
    pattern = re.compile("|".join(filter(None, (whole, pieces))), re.IGNORECASE if pieces else 0)
    return [(match.start(), match.end(), match[0].lower()) for match in pattern.finditer(text)]


def _any_of(words: set[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def snippet(text: str, terms: frozenset[str], words: Iterable[str], language: str, width: int = WIDTH) -> Snippet:
    """The window with the most different words of the query, then with the most; the first of equals."""
    text = " ".join(text[:MOST_TEXT].split())
    marks = marks_in(text, terms, words, language)
    if not marks:
        return Snippet(_cut(text, 0, width)[0])
    start = max(0, _best(marks, width - LEAD) - LEAD)
    shown, start, shift = _cut(text, start, width)
    return Snippet(
        shown,
        tuple(
            (begin - start + shift, end - start + shift)
            for begin, end, _ in marks
            if begin >= start and end - start + shift <= len(shown)
        ),
    )


def _best(marks: list[tuple[int, int, str]], room: int) -> int:
    """Where the best window begins, given that it begins with a mark."""
    starts = [mark[0] for mark in marks]
    best, best_worth = starts[0], (0, 0)
    for index, (start, _, _) in enumerate(marks[:2000]):
        inside = marks[index : bisect_right(starts, start + room)]
        worth = (len({word for _, _, word in inside[:50]}), min(len(inside), 50))
        if worth > best_worth:
            best, best_worth = start, worth
    return best


def _cut(text: str, start: int, width: int) -> tuple[str, int, int]:
    """About `width` characters from `start` on, whole words; where they begin, and what an ellipsis adds in front."""
    if start:
        blank = text.find(" ", start, start + LEAD // 2)
        start = blank + 1 if blank >= 0 else start
    end = start + width
    if end < len(text):
        blank = text.rfind(" ", start + width // 2, end)
        end = blank if blank >= 0 else end
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return f"{before}{text[start:end]}{after}", start, len(before)

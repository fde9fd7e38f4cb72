"""What is new in a text, for people to read: sentences that went and came, and the words that changed in them.

A text is cut into sentences; what both versions begin and end with is set aside; sentences that stand once in both are
anchors (patience diff, Cohen 2010), and the stretches between anchors are compared closely as long as they are
short. Longer ones are taken as replaced: two books in place of each other make one large change, at once, where a close
comparison of them would take minutes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from scenthound.report.markup import Html, el, join, printable

Op = Literal["same", "gone", "new"]

MOST_TEXT = 1_000_000
"""Characters of each version that are compared."""

_CLOSE = 40_000
"""Pairs of sentences up to which a stretch is compared closely."""

_CLOSE_WORDS = 10_000
_LONGEST = 400  # characters of a sentence: lists and tables have no full stops
_ENDS = re.compile(r"(?<=[.!?:;])\s+|\n+")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#~|])")


class Piece(NamedTuple):
    """A stretch of text and what became of it."""

    op: Op
    text: str


def diff(old_text: str, new_text: str) -> list[Piece]:
    """All of both texts, sentence by sentence, in reading order; what went stands before what took its place."""
    return [Piece(op, sentence) for op, part in _compare(sentences(old_text), sentences(new_text)) for sentence in part]


def word_diff(old_text: str, new_text: str) -> list[Piece]:
    """The same, word by word, for two versions of one sentence; words of one fate are joined."""
    old, new = old_text.split(), new_text.split()
    if len(old) * len(new) > _CLOSE_WORDS:
        return [Piece("gone", old_text), Piece("new", new_text)]
    return [Piece(op, " ".join(part)) for op, part in _compare(old, new)]


def sentences(text: str) -> list[str]:
    found: list[str] = []
    for sentence in _ENDS.split(text[:MOST_TEXT]):
        found += _cut(" ".join(sentence.split()))
    return [sentence for sentence in found if sentence]


def _cut(sentence: str) -> list[str]:
    """At spaces, where it is too long."""
    parts = []
    while len(sentence) > _LONGEST:
        end = sentence.rfind(" ", 0, _LONGEST)
        end = end if end > 0 else _LONGEST
        parts.append(sentence[:end])
        sentence = sentence[end:].lstrip()
    return [*parts, sentence]


def _compare(old: Sequence[str], new: Sequence[str]) -> list[tuple[Op, Sequence[str]]]:
    """Stretches of one fate, none of them empty."""
    start, end = 0, 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = _between(old[start : len(old) - end], new[start : len(new) - end])
    parts: list[tuple[Op, Sequence[str]]] = [("same", old[:start]), *middle, ("same", old[len(old) - end :])]
    return [(op, part) for op, part in parts if part]


def _between(old: Sequence[str], new: Sequence[str]) -> list[tuple[Op, Sequence[str]]]:
    if not old or not new or len(old) * len(new) <= _CLOSE:
        return _closely(old, new)
    parts: list[tuple[Op, Sequence[str]]] = []
    here, there = 0, 0
    for mine, yours in [*_anchors(old, new), (len(old), len(new))]:
        gap_old, gap_new = old[here:mine], new[there:yours]
        if len(gap_old) * len(gap_new) <= _CLOSE:
            parts += _closely(gap_old, gap_new)
        else:
            parts += [("gone", gap_old), ("new", gap_new)]
        if mine < len(old):
            parts.append(("same", old[mine : mine + 1]))
        here, there = mine + 1, yours + 1
    return parts


def _closely(old: Sequence[str], new: Sequence[str]) -> list[tuple[Op, Sequence[str]]]:
    if len(set(old)) * 8 < len(old) and len(old) * len(new) > 1_000:
        return [("gone", old), ("new", new)]  # the same sentence over and over: the matcher's worst case
    parts: list[tuple[Op, Sequence[str]]] = []
    for tag, from_old, to_old, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(("same", old[from_old:to_old]))
        else:
            parts += [("gone", old[from_old:to_old]), ("new", new[from_new:to_new])]
    return parts


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Sentences that stand once in each version, as many as are in the same order in both."""
    once_old = {text for text, count in Counter(old).items() if count == 1}
    place_new = {text: place for place, text in enumerate(new) if text in once_old}
    once_new = {text for text, count in Counter(new).items() if count == 1}
    pairs = [(mine, place_new[text]) for mine, text in enumerate(old) if text in once_old and text in once_new]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of pairs in rising order of the first, the longest run in which the second rises too."""
    ends: list[int] = []  # the smallest second with which a run of each length can end
    owners: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(owners[length - 1] if length else -1)
        if length == len(ends):
            ends.append(place)
            owners.append(index)
        else:
            ends[length], owners[length] = place, index
    run: list[tuple[int, int]] = []
    index = owners[-1] if owners else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]


def hunks(pieces: Sequence[Piece], context: int = 1) -> list[list[Piece]]:
    """Only what changed, with so many sentences around it; a list for each place."""
    near: set[int] = set()
    for index, piece in enumerate(pieces):
        if piece.op != "same":
            near.update(range(max(0, index - context), min(len(pieces), index + context + 1)))
    groups: list[list[Piece]] = []
    last = -2
    for index in sorted(near):
        if index != last + 1:
            groups.append([])
        groups[-1].append(pieces[index])
        last = index
    return groups


def summary(pieces: Sequence[Piece]) -> str:
    """`12 words new, 3 gone`."""
    words = Counter[str]()
    for piece in pieces:
        words[piece.op] += len(piece.text.split())
    parts = [f"{words[op]:,} {op}" for op in ("new", "gone") if words[op]]
    return f"{parts[0].replace(' ', ' words ', 1)}{', ' + parts[1] if len(parts) > 1 else ''}" if parts else "no words"


def to_text(pieces: Sequence[Piece], context: int = 1) -> str:
    """For a terminal: a line a sentence, `+` before what is new, `-` before what is gone. No control characters."""
    sign = {"same": " ", "gone": "-", "new": "+"}
    return "\n…\n".join(
        "\n".join(f"{sign[piece.op]} {printable(piece.text)}" for piece in hunk) for hunk in hunks(pieces, context)
    )


def to_markdown(pieces: Sequence[Piece], context: int = 0) -> str:
    """For a digest: what is new in bold, what is gone struck through; nothing in it is taken for markup."""
    marks = {"same": "", "gone": "~~", "new": "**"}
    return "\n\n".join(
        "\n".join(f"- {marks[piece.op]}{_escaped(piece.text)}{marks[piece.op]}" for piece in hunk)
        for hunk in hunks(pieces, context)
    )


def to_html(pieces: Sequence[Piece], context: int = 1) -> Html:
    """For a feed or a page: `<ins>` and `<del>`, everything escaped."""
    return join(*(el("p", join(*_marked_up(hunk))) for hunk in hunks(pieces, context)))


def _marked_up(hunk: Sequence[Piece]) -> list[Html]:
    names = {"gone": "del", "new": "ins"}
    return [join(el(names[piece.op], piece.text) if piece.op in names else join(piece.text), " ") for piece in hunk]


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", printable(text))

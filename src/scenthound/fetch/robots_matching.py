"""Which rule of a robots.txt a URL meets, in bounded time whatever the file says (RFC 9309 2.2.2 and 2.2.3).

The longest rule that matches decides, Allow before Disallow at equal length. Rules and paths are compared in one
spelling: what percent-coding can say in two ways is written in one.

| rules | how they are found | cost for a URL |
|---|---|---|
| without `*` | in a table of their texts, by the beginnings of the path | the number of different lengths |
| with `*` | by three letters in a row that the path must hold: the rarest in the file | those that hold them |

A rule with `*` is matched by looking for its pieces one after the other, each as far to the left as it goes. That is
exact, because nothing but `*` stands between them, and nothing is ever tried twice. No more than `MOST_PIECES` are
looked for: a path that so many rules do not clear is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import chain

MOST_PIECES = 2_000
"""Pieces of rules with `*` that are looked for in one path: at most a millisecond's work."""

GRAM = 3

_spelled = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9_.~/%=*-]").sub
_is_spelled = re.compile(r"[A-Za-z0-9_.~/=*-]*").fullmatch
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~-=")

Rank = tuple[int, bool]
"""(length of the rule, whether it allows): of the rules that match, the greatest decides."""


class PathRules:
    """Rules as (allows, pattern), and what they say about paths."""

    def __init__(self, rules: Iterable[tuple[bool, str]]) -> None:
        self._beginnings: dict[str, bool] = {}
        self._whole: dict[str, bool] = {}
        starred: dict[tuple[str, bool], None] = {}
        for allows, pattern in spelled_rules(rules):
            if "*" in pattern:
                starred[pattern, allows] = None
            elif pattern.endswith("$"):
                self._whole[pattern[:-1]] = allows or self._whole.get(pattern[:-1], False)
            else:
                self._beginnings[pattern] = allows or self._beginnings.get(pattern, False)
        self._lengths = sorted({len(pattern) for pattern in self._beginnings}, reverse=True)
        self._number = len(self._beginnings) + len(self._whole) + len(starred)
        self._starred = StarredRules([StarredRule(pattern, allows) for pattern, allows in starred])

    def __len__(self) -> int:
        return self._number

    def allow(self, path: str) -> bool:
        """Whether a path with its query, `/a/b?c`, may be asked for."""
        path = spelled_path(path)
        best = self._plain(path)
        decided = self._starred.decide(path, best)
        return best[1] if decided is None else decided

    def _plain(self, path: str) -> Rank:
        """The rank of the best rule without `*` that matches; where there is none, that of no rule at all."""
        if (allows := self._whole.get(path)) is not None:
            whole = len(path) + 1, allows
        else:
            whole = 0, True
        for length in self._lengths:
            if length <= len(path) and (allows := self._beginnings.get(path[:length])) is not None:
                return max(whole, (length, allows))
        return whole


class StarredRule:
    """A pattern with `*`: `/a*b*` is the pieces `/a`, `b` and nothing."""

    __slots__ = ("ends", "pieces", "rank")

    def __init__(self, pattern: str, allows: bool) -> None:
        self.rank: Rank = len(pattern), allows
        self.ends = pattern.endswith("$")
        pieces = pattern.removesuffix("$").split("*")
        # Stars in a row are one; where the path must end with the last piece, it counts also when it is empty.
        self.pieces = [pieces[0], *filter(None, pieces[1:-1]), pieces[-1]]

    def matches(self, path: str) -> bool:
        first, *between, last = self.pieces
        if not path.startswith(first):
            return False
        place = len(first)
        for piece in between:
            place = path.find(piece, place) + len(piece)
            if place < len(piece):
                return False
        if self.ends:
            return path.endswith(last) and len(path) - len(last) >= place
        return path.find(last, place) >= 0

    def grams(self) -> set[str]:
        return {piece[at : at + GRAM] for piece in self.pieces for at in range(len(piece) - GRAM + 1)}


class StarredRules:
    """Rules with `*`, found by the rarest three letters in a row that each of them demands."""

    def __init__(self, rules: list[StarredRule]) -> None:
        rules = sorted(rules, key=_rank, reverse=True)
        demanded = [rule.grams() for rule in rules]
        frequent = Counter(chain.from_iterable(demanded))
        self._by_gram: dict[str, list[StarredRule]] = {}  # each in the order in which they decide
        self._always: list[StarredRule] = []
        for rule, grams in zip(rules, demanded, strict=True):
            if grams:
                rarest = min(grams, key=lambda gram: (frequent[gram], gram))
                self._by_gram.setdefault(rarest, []).append(rule)
            else:
                self._always.append(rule)

    def decide(self, path: str, best: Rank) -> bool | None:
        """What the first of them says that is better than `best`; None where none is."""
        left = MOST_PIECES
        for rule in self.candidates(path):
            if rule.rank <= best:
                break
            left -= len(rule.pieces)
            if left < 0:
                return False
            if rule.matches(path):
                return rule.rank[1]
        return None

    def candidates(self, path: str) -> Iterator[StarredRule]:
        """Those that may match, the first to decide first."""
        lists = [self._always]
        if self._by_gram:
            grams = {path[at : at + GRAM] for at in range(len(path) - GRAM + 1)}
            lists += [self._by_gram[gram] for gram in grams if gram in self._by_gram]
        return merge(*lists, key=_rank, reverse=True) if len(lists) > 1 else iter(self._always)


def _rank(rule: StarredRule) -> Rank:
    return rule.rank


def spelled_rules(rules: Iterable[tuple[bool, str]]) -> Iterable[tuple[bool, str]]:
    """The rules in the one spelling, and what people mean by some of them besides.

    A `$` at the end stands for the end of the path, and may have been meant as a letter: then it is the longer rule.
    Who allows `/index.html` allows `/` as well. A rule written as a whole URL is for paths that hold such a URL.
    """
    for allows, rule in rules:
        pattern = f"/{rule}" if rule.startswith(("http://", "https://")) else rule
        for meant in (pattern, pattern.replace("$", "%24")) if "$" in pattern else (pattern,):
            end = "$" if meant.endswith("$") else ""
            text = _in_one_spelling(meant.removesuffix("$")) + end
            if text:
                yield allows, text
            if allows and text.endswith(("/index.html", "/index.htm")):
                yield True, text[: text.rindex("/") + 1] + "$"


def spelled_path(path: str) -> str:
    return _in_one_spelling(path).replace("*", "%2A")


def _in_one_spelling(text: str) -> str:
    """Escapes of unreserved letters written plainly, all others in capitals, and everything else escaped."""
    return text if _is_spelled(text) else _spelled(_spell, text)


def _spell(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 3:
        code = int(found[1:], 16)
        return chr(code) if code in _PLAIN else found.upper()
    return "".join(f"%{byte:02X}" for byte in found.encode("utf-8", "replace"))

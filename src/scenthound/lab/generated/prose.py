"""English-looking prose from a vocabulary, fast enough to write thousands of pages a second.

    sentence = opener + middle + closer

Clauses are made once per theme: a frame such as "the {a} {n} is {v} by the {n}" whose gaps are filled with
words of the theme, a quarter of them with filler, drawn Zipf-like. A page then picks three clauses a
sentence: some 10^7 sentences a theme, at a microsecond each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from scenthound.lab.generated.vocabulary import FILLER, FOREIGN, THEMES, TOPICS, Theme

Chance = Callable[[], float]  # numbers in [0, 1); Random(x).random is the same in every version of Python

CLAUSES = 240
TABLE = 256

OPENERS = (
    "the {a} {n} is {v} with a {n}",
    "a {n} of this kind needs the {a} {n}",
    "every {n} was {v} by the {n}",
    "most of us have {v} a {a} {n}",
    "in that {f} the {n} and the {n} were {v}",
    "the {n} {n} can be {v} again",
    "a {fa} {n} makes the {n} {a}",
    "after the {n} comes the {a} {n}",
    "no {n} should be {v} without its {n}",
    "our {f} on the {n} was {fv}",
    "the {n}, once {v}, is a {a} {n}",
    "look at the {n} and the {fa} {n}",
)
MIDDLES = (
    "when the {n} is {a}",
    "while the {fa} {f} stays with the {n}",
    "because a {n} was {v} near the {n}",
    "and the {n} is rarely {v}",
    "so that each {n} keeps its {n}",
    "although the {f} was {fv}",
    "before any {n} has been {v}",
    "if the {a} {n} and the {f} allow it",
    "as a {fa} {n} often does",
    "until the {f} of the {n}",
)
CLOSERS = (
    ".",
    ".",
    ", and that is how the {n} is {v}.",
    ", which the {f} has {fv}.",
    "; the {n} is another {f}.",
    ", not the {a} {n}.",
    ", much like a {n}.",
)
TITLES = (
    "{A} {n} and {m}",
    "The {n} and its {m}",
    "{N} and {m} for beginners",
    "Notes on the {a} {n}",
    "Choosing a {n} for the {m}",
    "{N}: how the {m} is {v}",
    "Why the {n} was {v}",
    "A {a} {m} and a {n}",
)
_GAP = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeio]|un(?!a)|up)")


class Bank(NamedTuple):
    openers: Sequence[str]
    middles: Sequence[str]
    closers: Sequence[str]


class Words(NamedTuple):
    """Words of a theme, each as often as it shall be drawn: one byte of chance picks one."""

    nouns: Sequence[str]
    adjectives: Sequence[str]
    verbs: Sequence[str]


def zipf_table(words: Sequence[str]) -> list[str]:
    """256 entries; the k-th word gets a share of about 1/k, and every word at least one."""
    weights = [1 / (k + 3) for k in range(len(words))]
    room = (TABLE - len(words)) / sum(weights)
    table = [word for word, weight in zip(words, weights, strict=True) for _ in range(1 + int(weight * room))]
    return (table + list(words) * TABLE)[:TABLE]


def words_of(theme: Theme) -> Words:
    return Words(zipf_table(theme.nouns), zipf_table(theme.adjectives), zipf_table(theme.verbs))


class Prose:
    """The writer of one generated web."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.words = [words_of(theme) for theme in THEMES]
        self._filler = words_of(FILLER)
        self._banks: dict[int, Bank] = {}

    def bank(self, theme: int) -> Bank:
        """Clauses of a theme; -1 is filler alone."""
        if theme not in self._banks:
            chance = Random(f"{self.seed} clauses {theme}").random
            self._banks[theme] = Bank(
                [_capital(text) for text in self._clauses(OPENERS, theme, chance)],
                self._clauses(MIDDLES, theme, chance),
                self._clauses(CLOSERS, theme, chance),
            )
        return self._banks[theme]

    def title(self, theme: int, bits: int, second: int | None = None) -> str:
        """A title, and thereby the words other pages use for this one. `second`: theme of its second noun."""
        words, other = self.words[theme], self.words[theme if second is None else second]
        noun = words.nouns[bits & 255]
        adjective = words.adjectives[bits >> 8 & 255]
        title = TITLES[bits >> 16 & 7].format(
            n=noun,
            N=noun.capitalize(),
            m=other.nouns[bits >> 24 & 255],
            a=adjective,
            A=adjective.capitalize(),
            v=words.verbs[bits >> 32 & 255],
        )
        return _ARTICLE.sub(r"\1n ", title)

    def _clauses(self, frames: Sequence[str], theme: int, chance: Chance) -> list[str]:
        own = self.words[theme] if theme >= 0 else self._filler
        filler = self._filler

        def word(gap: re.Match[str]) -> str:
            kind = gap[1]
            source = filler if kind[0] == "f" or chance() < 0.25 else own
            table = {"n": source.nouns, "f": source.nouns, "a": source.adjectives, "v": source.verbs}[kind[-1]]
            return table[int(chance() * TABLE)]

        filled = (_GAP.sub(word, frames[int(chance() * len(frames))]) for _ in range(CLAUSES))
        return [_ARTICLE.sub(r"\1n ", text) for text in filled]


def sentence(chance: Chance, banks: Sequence[Bank]) -> str:
    openers, middles, closers = banks[int(chance() * len(banks))]
    return f"{openers[int(chance() * CLAUSES)]} {middles[int(chance() * CLAUSES)]}{closers[int(chance() * CLAUSES)]}"


def paragraph(chance: Chance, banks: Sequence[Bank], least: int = 2, most: int = 5) -> str:
    return " ".join([sentence(chance, banks) for _ in range(least + int(chance() * (most - least + 1)))])


def foreign_paragraph(chance: Chance, language: str) -> str:
    sentences = FOREIGN[language]
    return " ".join([sentences[int(chance() * len(sentences))] for _ in range(3)])


def kin_of(topic: int) -> int:
    """The neighbouring topic."""
    return next(number for number, other in enumerate(TOPICS) if other.name == TOPICS[topic].kin)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]

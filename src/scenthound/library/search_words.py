"""What a person types into a search, as the phrases to look for.

    dengue fever          both words, anywhere
    "dengue fever"        one behind the other
    -vaccine -"yellow fever"   not with these
    title:dengue title:"dengue fever"   in the title

A page is indexed by the stems of its own language, so a query has readings: one by the topic's language, and one that
takes every language the library has pages in: "river", and "otter" or "ott". The second comes after the first,
since a stem that is rare here because it is foreign would else outdo all others. What the topic's language holds for
a stop word is left out; in an index without stop words it could only be missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from scenthound.errors import UsageError, shown
from scenthound.text.analysis import analyzer

_PARTS = re.compile(r'(-?)(title:)?(?:"([^"]*)"?|([^\s"]+))')


TITLE = "title:"

Reading = tuple[str, ...]
"""The terms of a word or phrase, as one language stems them."""


class TitleReading(tuple[str, ...]):
    """A reading that is to stand in the title."""

    __slots__ = ()


class QueryPart(Struct, frozen=True):
    """A word or phrase, wanted or not."""

    text: str
    wanted: bool = True
    in_title: bool = False


class SearchQuery(Struct, frozen=True):
    """A query, ready to be asked. A part is the ways it can be read, a reading the terms that follow one another."""

    sought: tuple[tuple[Reading, ...], ...]  # of each part that is wanted; the topic's own language first
    unwanted: tuple[tuple[Reading, ...], ...]
    words: tuple[str, ...]  # as typed, for highlighting
    terms: frozenset[str]  # stemmed

    @property
    def own(self) -> tuple[tuple[Reading, ...], ...]:
        """What is sought, by the topic's language alone."""
        return tuple(readings[:1] for readings in self.sought)

    @property
    def is_foreign(self) -> bool:
        """Can any part be read in another way, too?"""
        return self.own != self.sought


def parts(arguments: Iterable[str]) -> list[QueryPart]:
    """Arguments of a command line. The shell has eaten the quotes of `"dengue fever"`: its blank tells."""
    found: list[QueryPart] = []
    for argument in arguments:
        if '"' not in argument and " -" not in argument and len(argument.split()) > 1:
            text = argument.removeprefix("-")
            found.append(QueryPart(text.removeprefix(TITLE), not argument.startswith("-"), text.startswith(TITLE)))
            continue
        for minus, field, phrase, word in _PARTS.findall(argument):
            found.append(QueryPart(phrase or word, not minus, bool(field)))
    return [part for part in found if part.text.strip(" -")]


def wanted(arguments: Iterable[str], languages: Sequence[str]) -> SearchQuery:
    """The query in all `languages`, the topic's own first."""
    given = parts(arguments)
    if not any(part.wanted for part in given):
        raise UsageError("Say what to search for: at least one word that is not left out with a minus.")
    readings = [(part, _readings(part, languages)) for part in given]
    sought = [(part, reading) for part, reading in readings if part.wanted and reading]
    if not sought:
        typed = " ".join(part.text for part in given if part.wanted)
        raise UsageError(f"{shown(typed)} is made of words that stand on every page. Add one that says more.")
    return SearchQuery(
        sought=tuple(reading for _, reading in sought),
        unwanted=tuple(reading for part, reading in readings if not part.wanted and reading),
        words=tuple(word for part, _ in sought for word in part.text.split()),
        terms=frozenset(term for _, reading in sought for terms in reading for term in terms),
    )


def _readings(part: QueryPart, languages: Sequence[str]) -> tuple[Reading, ...]:
    """The terms of a part by each language, each way once; none if the first language drops it."""
    made = TitleReading if part.in_title else tuple
    if not analyzer(languages[0]).terms(part.text):
        return ()
    return tuple(dict.fromkeys(made(terms) for each in languages if (terms := analyzer(each).terms(part.text))))

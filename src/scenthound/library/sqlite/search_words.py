"""What a person types into a search, as an expression for SQLite's FTS5.

    dengue fever          both words, anywhere
    "dengue fever"        one behind the other
    -vaccine -"yellow fever"   not with these

A page is indexed by the stems of its own language, so a query has readings: one by the topic's language, and one that
takes every language the library has pages in, `("river") AND ("otter" OR "ott")`. The second comes after the first,
since a stem that is rare here because it is foreign would else outdo all others. What the topic's language holds for
a stop word is left out; in an index without stop words it could only be missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from scenthound.errors import UsageError
from scenthound.text.analysis import analyzer

_PARTS = re.compile(r'(-?)(?:"([^"]*)"?|([^\s"]+))')


class QueryPart(Struct, frozen=True):
    """A word or phrase, wanted or not."""

    text: str
    wanted: bool = True


class SearchQuery(Struct, frozen=True):
    """A query, ready to be asked."""

    every: str  # FTS5: pages with all parts
    foreign: str  # FTS5: pages with all parts if read in any language, and not by `every`; may be empty
    some: str  # FTS5: pages with any part; empty where that is the same
    words: tuple[str, ...]  # as typed, for highlighting
    terms: frozenset[str]  # stemmed


def parts(arguments: Iterable[str]) -> list[QueryPart]:
    """Arguments of a command line. The shell has eaten the quotes of `"dengue fever"`: its blank tells."""
    found: list[QueryPart] = []
    for argument in arguments:
        if '"' not in argument and " -" not in argument and len(argument.split()) > 1:
            found.append(QueryPart(argument.removeprefix("-"), not argument.startswith("-")))
            continue
        for minus, phrase, word in _PARTS.findall(argument):
            found.append(QueryPart(phrase or word, not minus))
    return [part for part in found if part.text.strip(" -")]


def wanted(arguments: Iterable[str], languages: Sequence[str]) -> SearchQuery:
    """The query in all `languages`, the topic's own first."""
    given = parts(arguments)
    if not any(part.wanted for part in given):
        raise UsageError("Say what to search for: at least one word that is not left out with a minus.")
    readings = [(part, _readings(part.text, languages)) for part in given]
    sought = [(part, reading) for part, reading in readings if part.wanted and reading]
    if not sought:
        typed = " ".join(part.text for part in given if part.wanted)
        raise UsageError(f"{typed!r} is made of words that stand on every page. Add one that says more.")
    unwanted = [_either(reading) for part, reading in readings if not part.wanted and reading]
    without = f" NOT ({' OR '.join(unwanted)})" if unwanted else ""
    own = " AND ".join(_either(reading[:1]) for _, reading in sought)
    broad = [_either(reading) for _, reading in sought]
    return SearchQuery(
        every=f"({own}){without}",
        foreign=f"({' AND '.join(broad)}) NOT ({own}){without}" if " AND ".join(broad) != own else "",
        some=f"({' OR '.join(broad)}){without}" if len(broad) > 1 else "",
        words=tuple(word for part, _ in sought for word in part.text.split()),
        terms=frozenset(term for _, reading in sought for terms in reading for term in terms),
    )


def _readings(text: str, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """The terms of a text by each language, each way once; none if the first language drops it."""
    if not analyzer(languages[0]).terms(text):
        return []
    return list(dict.fromkeys(terms for language in languages if (terms := tuple(analyzer(language).terms(text)))))


def _either(readings: Sequence[tuple[str, ...]]) -> str:
    # Terms are letters and digits, whatever was typed, so that nothing in them can be taken for FTS5's own language.
    phrases = [f'"{" ".join(terms)}"' for terms in readings]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"

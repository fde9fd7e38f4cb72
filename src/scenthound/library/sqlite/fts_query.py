"""A search query in the language of SQLite's FTS5.

every      pages with all parts, read in the topic's language
foreign    pages with all parts if read in any language, and not by `every`; empty where that is the same
some       pages with any part; empty where that is the same
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from scenthound.library.search_words import Reading, SearchQuery, TitleReading


class FtsQuery(Struct, frozen=True):
    every: str
    foreign: str
    some: str


def fts_query(query: SearchQuery) -> FtsQuery:
    unwanted = [_either(readings) for readings in query.unwanted]
    without = f" NOT ({' OR '.join(unwanted)})" if unwanted else ""
    own = " AND ".join(map(_either, query.own))
    broad = [_either(readings) for readings in query.sought]
    return FtsQuery(
        every=f"({own}){without}",
        foreign=f"({' AND '.join(broad)}) NOT ({own}){without}" if query.is_foreign else "",
        some=f"({' OR '.join(broad)}){without}" if len(broad) > 1 else "",
    )


def _either(readings: Sequence[Reading]) -> str:
    # Terms are letters and digits, whatever was typed, so that nothing in them can be taken for FTS5's own language.
    phrases = [f'{"title : " if isinstance(terms, TitleReading) else ""}"{" ".join(terms)}"' for terms in readings]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"

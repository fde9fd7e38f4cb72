"""Fields in what somebody types into a search: words that say where to look, or which pages are meant.

    dengue title:fever "aedes aegypti"     words and phrases; `title:` looks in titles (`library/search_words.py`)
    host:www.example.org  site:example.org   pages of a host; of a site, whatever its hosts
    url:/news/                               this stands somewhere in the address
    language:de  year:2023                   as the page's language is known; the year in which it was published
    year:unknown  fetched:2026               pages that say no date; the year in which it was last fetched
    is:relevant                              pages that count

A field that is not one of these is a word like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import UsageError
from scenthound.protocols.records import UNDATED, SearchFilters

EARLIEST = 1970  # unix time begins there
EARLIEST_PUBLISHED = 1990  # the web begins there: see parse/publication.py
LATEST = 9000

_TYPED = re.compile(r'-?(?:[a-z]+:)?"[^"]*"?|\S+')
_FIELD = re.compile(r"(host|site|url|language|lang|year|fetched|is):(.+)", re.IGNORECASE)


class FieldedSearch(Struct, frozen=True):
    words: list[str]  # to look for; none: the fields say all there is
    filters: SearchFilters


def typed_words(text: str) -> list[str]:
    """One line of a search box as the words of a command line: what stands in quotes stays together."""
    return _TYPED.findall(text)


def with_fields(words: Sequence[str], filters: SearchFilters) -> FieldedSearch:
    """The words without their fields, and the filters with them."""
    rest = []
    for word in words:
        field = _FIELD.fullmatch(word)
        if field is None:
            rest.append(word)
        else:
            filters = _narrowed(filters, field[1].lower(), field[2].strip('"'))
    return FieldedSearch(rest, filters)


def _narrowed(filters: SearchFilters, field: str, value: str) -> SearchFilters:
    match field:
        case "host":
            return replace(filters, host=value)
        case "site":
            return replace(filters, site=value)
        case "url":
            return replace(filters, address=value)
        case "language" | "lang":
            return replace(filters, language=value.lower())
        case "year":
            return replace(filters, published=published_in(value.lower()))
        case "fetched":
            since, until = year_span(int(value) if value.isdecimal() and len(value) < 6 else -1)
            return replace(filters, since=since, until=until)
    if value.lower() != "relevant":
        raise UsageError(f"is:{value[:40]} says nothing here; is:relevant leaves the pages that count.")
    return replace(filters, relevant=True)


def published_in(year: str) -> str:
    """A year of publication, as libraries filter by it."""
    if year in ("", UNDATED) or (year.isdecimal() and len(year) == 4 and EARLIEST_PUBLISHED <= int(year) <= LATEST):
        return str(int(year)) if year.isdecimal() else year
    raise UsageError(
        f"year:{year[:40]} is no year of the web. Give one of four digits, or year:{UNDATED} for pages that say none."
    )


def year_span(year: int) -> tuple[float, float]:
    """Unix times between which a year lies (UTC); 0 and 0 for the year 0, which stands for any."""
    if not year:
        return 0.0, 0.0
    if not EARLIEST <= year <= LATEST:
        raise UsageError(f"No page was fetched then: name the year in which pages came, {EARLIEST} or later.")
    return datetime(year, 1, 1, tzinfo=UTC).timestamp(), datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()

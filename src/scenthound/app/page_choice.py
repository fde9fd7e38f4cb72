"""Which pages somebody wants to see, by all that can be told of a page; and how many there are of each kind.

A host, a language, a year and a relevance are the library's to filter by. Labels, tags and groups of like content are
known beside it, as sets of URLs, and reach it as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from scenthound.app.notes import tagged_pages
from scenthound.app.page_groups import PageGroups
from scenthound.app.search_fields import published_in, year_span
from scenthound.errors import UsageError
from scenthound.protocols.library import LabelStore, Library
from scenthound.protocols.records import UNDATED, PageFilters, SearchFilters, SearchMatch

LabelChoice = Literal["", "yes", "no", "any", "none"]
"""What was said of a page: relevant, not relevant, one of these, nothing."""

MOST_COUNTED = 10_000
SHOWN_VALUES = 8


class PageChoice(Struct, frozen=True):
    """The defaults let every page through."""

    host: str = ""
    language: str = ""
    counts: bool | None = None
    at_least: float = 0.0
    below: float = 0.0
    year: str = ""  # in which it was published, of four digits, or `unknown`
    fetched: int = 0  # the year in which it was (UTC)
    label: LabelChoice = ""
    tag: str = ""
    group: str = ""


class FacetValue(Struct, frozen=True):
    value: str
    pages: int


class SearchFacets(Struct, frozen=True):
    """How the pages that have all the words are spread; the most frequent values of each kind."""

    counted: int  # addresses: each of several copies
    copies: int  # so many of them are no answers of their own; 0 where more pages have the words than are counted
    hosts: list[FacetValue]
    languages: list[FacetValue]
    years: list[FacetValue]  # of publication
    fetched: list[FacetValue]  # years, too
    relevance: list[FacetValue]  # yes or no: whether they count
    labels: list[FacetValue]
    groups: list[FacetValue]


Groups = Callable[[], PageGroups]
"""Asked only where a group is named: to make groups takes seconds."""


def page_filters(choice: PageChoice, library: LabelStore, folder: Path, groups: Groups) -> PageFilters:
    since, until = year_span(choice.fetched)
    among, outside = _urls(choice, library, folder, groups)
    return PageFilters(
        host=choice.host,
        language=choice.language,
        counts=choice.counts,
        at_least=choice.at_least,
        below=choice.below,
        published=published_in(choice.year),
        since=since,
        until=until,
        among=among,
        outside=outside,
    )


def search_filters(
    choice: PageChoice, library: LabelStore, folder: Path, groups: Groups, *, site: str = ""
) -> SearchFilters:
    since, until = year_span(choice.fetched)
    among, outside = _urls(choice, library, folder, groups)
    return SearchFilters(
        relevance=choice.at_least,
        relevant=choice.counts is True,
        host=choice.host,
        site=site,
        published=published_in(choice.year),
        since=since,
        until=until,
        language=choice.language,
        among=among,
        outside=outside,
    )


def search_facets(
    library: Library, words: Sequence[str], filters: SearchFilters, groups: PageGroups | None
) -> SearchFacets:
    """`groups`: None where they are not made yet, and are left out."""
    found = library.search_matches(words, filters, MOST_COUNTED)
    told_all = 0 < len(found) < MOST_COUNTED
    labels = library.labels()

    def said(match: SearchMatch) -> str:
        label = labels.get(match.url)
        return "none" if label is None else "yes" if label.relevant else "no"

    return SearchFacets(
        counted=len(found),
        copies=len(found) - library.search(words, filters, limit=1).total if told_all else 0,
        hosts=_counted([match.host for match in found]),
        languages=_counted([match.language for match in found]),
        years=_counted([match.published[:4] or UNDATED for match in found]),
        fetched=_counted([str(datetime.fromtimestamp(match.fetched_at, UTC).year) for match in found]),
        relevance=_counted(["yes" if match.relevant else "no" for match in found]),
        labels=_counted(list(map(said, found))),
        groups=_counted([groups.group_of(match.url) for match in found]) if groups is not None else [],
    )


def _counted(values: Sequence[str]) -> list[FacetValue]:
    counted = Counter(value for value in values if value)
    best = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_VALUES]
    return [FacetValue(value, pages) for value, pages in best]


def _urls(
    choice: PageChoice, library: LabelStore, folder: Path, groups: Groups
) -> tuple[frozenset[str] | None, frozenset[str]]:
    """Only these URLs, where any of the choices is one of URLs; and none of those."""
    sets: list[frozenset[str]] = []
    outside: frozenset[str] = frozenset()
    if choice.label:
        labels = {url: label.relevant is True for url, label in library.labels().items()}
        if choice.label == "none":
            outside = frozenset(labels)
        else:
            wanted = {"yes": (True,), "no": (False,), "any": (True, False)}[choice.label]
            sets.append(frozenset(url for url, relevant in labels.items() if relevant in wanted))
    if choice.tag:
        sets.append(tagged_pages(folder, choice.tag))
    if choice.group:
        members = groups().named(choice.group)
        if members is None:
            raise UsageError(f"There is no group called {choice.group[:80]!r} now. Look at the groups there are.")
        sets.append(members)
    return (frozenset.intersection(*sets) if sets else None), outside

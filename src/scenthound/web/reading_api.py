"""The API for reading: a library's figures, pages, searches, reasons, links and changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from scenthound.app.changes import NewsOptions, gather_news, plain_news
from scenthound.app.page_choice import (
    LabelChoice,
    PageChoice,
    SearchFacets,
    page_filters,
    search_facets,
    search_filters,
)
from scenthound.app.search_fields import FieldedSearch, typed_words, with_fields
from scenthound.app.site_map import SiteMap, site_map
from scenthound.app.site_ranking import RankedSites
from scenthound.app.user_input import moment
from scenthound.errors import UsageError
from scenthound.protocols.library import Library
from scenthound.protocols.records import HostRow, PageOrder
from scenthound.protocols.records import SearchResult as FoundPages
from scenthound.web import answers
from scenthound.web.endpoint import (
    LIBRARY,
    Endpoint,
    Host,
    HowMany,
    Many,
    Name,
    Nothing,
    OfUrl,
    PublishedYear,
    Run,
    Share,
    Words,
    Year,
    reading,
)
from scenthound.web.shelf import ServedLibrary


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    order: PageOrder = "best"
    after: Annotated[str, Meta(max_length=60)] = ""  # `next` of the answer before
    limit: Many = 50
    host: Host = ""
    language: Annotated[str, Meta(max_length=40)] = ""
    counts: bool | None = None
    at_least: Share = 0.0
    below: Share = 0.0
    year: PublishedYear = ""  # in which it was published; unknown: of these nobody says
    fetched: Year = 0  # the year in which it first was
    label: LabelChoice = ""
    tag: Name = ""
    group: Name = ""

    def choice(self) -> PageChoice:
        return PageChoice(
            host=self.host,
            language=self.language,
            counts=self.counts,
            at_least=self.at_least,
            below=self.below,
            year=self.year,
            fetched=self.fetched,
            label=self.label,
            tag=self.tag,
            group=self.group,
        )


class SearchQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    q: Words = ""
    limit: Many = 20
    offset: Annotated[int, Meta(ge=0, le=10_000)] = 0
    relevant: bool = False
    relevance: Share = 0.0
    host: Host = ""
    site: Host = ""
    language: Annotated[str, Meta(max_length=40)] = ""
    year: PublishedYear = ""  # in which it was published; unknown: of these nobody says
    fetched: Year = 0  # the year in which it last was
    label: LabelChoice = ""
    tag: Name = ""
    group: Name = ""

    def choice(self) -> PageChoice:
        return PageChoice(
            host=self.host,
            language=self.language,
            counts=True if self.relevant else None,
            at_least=self.relevance,
            year=self.year,
            fetched=self.fetched,
            label=self.label,
            tag=self.tag,
            group=self.group,
        )


class OfHost(Struct, frozen=True, forbid_unknown_fields=True):
    host: Host = ""


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[str, Meta(max_length=40)] = "30d"
    relevant: bool = False
    first: bool = False  # also what the first crawl brought
    limit: Many = 100

    def options(self) -> NewsOptions:
        return NewsOptions(relevant=self.relevant, first=self.first, limit=self.limit)


def listing(served: ServedLibrary, library: Library, query: ListQuery) -> answers.PageListing:
    filters = page_filters(query.choice(), library, served.folder, lambda: served.groups.get(library))
    try:
        return answers.page_listing(library, filters, query.order, query.after, query.limit)
    except ValueError as error:
        raise UsageError(str(error)) from error


def asked_search(served: ServedLibrary, library: Library, query: SearchQuestion) -> FieldedSearch:
    """What was typed, and what was chosen beside it: of the same kind, what was typed counts."""
    chosen = search_filters(query.choice(), library, served.folder, lambda: served.groups.get(library), site=query.site)
    return with_fields(typed_words(query.q), chosen)


def search_pages(served: ServedLibrary, library: Library, query: SearchQuestion) -> FoundPages:
    return answers.found_pages(library, asked_search(served, library, query), query.limit, query.offset)


def facets_of_search(served: ServedLibrary, library: Library, query: SearchQuestion) -> SearchFacets:
    library.update_search()
    asked = asked_search(served, library, query)
    return search_facets(library, asked.words, asked.filters, served.groups.at_hand())


def _asking(ask: Callable[[ServedLibrary, Library, Any], Any]) -> Run:
    """As `reading`, for an answer that needs more than the library."""

    def run(served: ServedLibrary, given: Any) -> Any:
        with served.readers.lend() as library:
            return ask(served, library, given)

    return run


def groups_of(served: ServedLibrary, library: Library, given: Nothing) -> answers.GroupList:
    return answers.group_list(served.groups.get(library))


def map_of(served: ServedLibrary, library: Library, given: OfHost) -> SiteMap:
    return site_map(library, given.host) if given.host else served.map.get(library)


def _card(served: ServedLibrary, given: Nothing) -> answers.LibraryCard:
    with served.readers.lend() as library:
        return answers.library_card(library, served.name)


def _why(served: ServedLibrary, given: OfUrl) -> answers.PageReasons:
    with served.readers.lend() as library:
        return answers.page_reasons(library, given.url, served.judges)


def _news(library: Any, query: Since) -> list[dict[str, Any]]:
    return plain_news(gather_news(library, moment(query.since), query.options()).news)


READING = [
    Endpoint("GET", LIBRARY, "A library at a glance", _card, gives=answers.LibraryCard),
    Endpoint(
        "GET",
        f"{LIBRARY}/details",
        "Figures that take a while in a large library",
        _asking(lambda served, library, given: served.details.get(library)),
        gives=answers.LibraryDetails,
    ),
    Endpoint("GET", f"{LIBRARY}/pages", "Pages, a stretch at a time", _asking(listing), ListQuery, answers.PageListing),
    Endpoint("GET", f"{LIBRARY}/search", "Full-text search", _asking(search_pages), SearchQuestion, FoundPages),
    Endpoint(
        "GET",
        f"{LIBRARY}/page",
        "One page",
        reading(lambda library, given: answers.page_card(library, given.url)),
        OfUrl,
        answers.PageCard,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/why",
        "Why a URL was fetched, kept, dropped or never asked for",
        _why,
        OfUrl,
        answers.PageReasons,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/diff",
        "What the last change of a page was",
        reading(lambda library, given: answers.page_diff(library, given.url)),
        OfUrl,
        answers.PageDiff,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/links",
        "Where a page leads, and what became of that",
        reading(lambda library, given: answers.page_links(library, given.url)),
        OfUrl,
        list[answers.LinkLine],
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/hosts",
        "Hosts, those with most relevant pages first",
        reading(lambda library, given: library.hosts(given.limit)),
        HowMany,
        list[HostRow],
    ),
    Endpoint("GET", f"{LIBRARY}/changes", "What is new and changed", reading(_news), Since, list[dict[str, Any]]),
    Endpoint(
        "GET",
        f"{LIBRARY}/search/facets",
        "How the pages that a search finds are spread",
        _asking(facets_of_search),
        SearchQuestion,
        SearchFacets,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/groups",
        "Pages found, in groups of like content",
        _asking(groups_of),
        gives=answers.GroupList,
    ),
    Endpoint(
        "GET", f"{LIBRARY}/map", "Sites and the links between them, as a picture", _asking(map_of), OfHost, SiteMap
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/sites",
        "Sites, ranked, with what was said of them",
        _asking(lambda served, library, given: served.sites.get(library)),
        gives=RankedSites,
    ),
]

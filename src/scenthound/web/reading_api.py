"""The API for reading: a library's figures, pages, searches, reasons, links and changes."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from scenthound.app.changes import NewsOptions, gather_news, plain_news
from scenthound.app.user_input import moment
from scenthound.errors import UsageError
from scenthound.protocols.records import HostRow, PageFilters, PageOrder, SearchFilters
from scenthound.protocols.records import SearchResult as FoundPages
from scenthound.web import answers
from scenthound.web.endpoint import LIBRARY, Endpoint, HowMany, Many, Nothing, OfUrl, Share, Words, reading
from scenthound.web.shelf import ServedLibrary


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    order: PageOrder = "best"
    after: Annotated[str, Meta(max_length=60)] = ""  # `next` of the answer before
    limit: Many = 50
    host: Annotated[str, Meta(max_length=255)] = ""
    language: Annotated[str, Meta(max_length=40)] = ""
    counts: bool | None = None
    at_least: Share = 0.0
    below: Share = 0.0


class SearchQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    q: Words = ""
    limit: Many = 20
    offset: Annotated[int, Meta(ge=0, le=10_000)] = 0
    relevant: bool = False
    relevance: Share = 0.0
    host: Annotated[str, Meta(max_length=255)] = ""
    site: Annotated[str, Meta(max_length=255)] = ""


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[str, Meta(max_length=40)] = "30d"
    relevant: bool = False
    first: bool = False  # also what the first crawl brought
    limit: Many = 100

    def options(self) -> NewsOptions:
        return NewsOptions(relevant=self.relevant, first=self.first, limit=self.limit)


def listing(library: Any, query: ListQuery) -> answers.PageListing:
    filters = PageFilters(
        host=query.host,
        language=query.language,
        counts=query.counts,
        at_least=query.at_least,
        below=query.below,
    )
    try:
        return answers.page_listing(library, filters, query.order, query.after, query.limit)
    except ValueError as error:
        raise UsageError(str(error)) from error


def search_pages(library: Any, query: SearchQuestion) -> FoundPages:
    filters = SearchFilters(relevance=query.relevance, relevant=query.relevant, host=query.host, site=query.site)
    return answers.found_pages(library, query.q, filters, query.limit, query.offset)


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
        reading(lambda library, given: answers.library_details(library)),
        gives=answers.LibraryDetails,
    ),
    Endpoint("GET", f"{LIBRARY}/pages", "Pages, a stretch at a time", reading(listing), ListQuery, answers.PageListing),
    Endpoint("GET", f"{LIBRARY}/search", "Full-text search", reading(search_pages), SearchQuestion, FoundPages),
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
]

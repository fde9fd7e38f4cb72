"""The API: a table of endpoints. What a question may hold and what comes back are types, and so is its description."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio.to_thread
import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scenthound.app.changes import NewsOptions, gather_news, plain_news
from scenthound.app.label import LabelChange, LabelRow, list_labels, set_labels, take_effect
from scenthound.app.live_crawl import CrawlChange, CrawlView, WaitingLine
from scenthound.app.question_desk import QuestionState
from scenthound.app.steering import SteeringAction
from scenthound.app.user_input import moment
from scenthound.errors import LibraryBusy, LibraryMissing, ScenthoundError, UsageError
from scenthound.protocols.records import HostRow, PageFilters, PageOrder, SearchFilters
from scenthound.protocols.records import SearchResult as FoundPages
from scenthound.web import answers
from scenthound.web.shelf import ServedLibrary, Shelf

JSON = "application/json"
LIBRARY = "/api/libraries/{name}"

Many = Annotated[int, Meta(ge=1, le=500)]
Share = Annotated[float, Meta(ge=0, le=1)]
Words = Annotated[str, Meta(max_length=500)]
Url = Annotated[str, Meta(min_length=1, max_length=4000)]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters."""


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


class OfUrl(Struct, frozen=True, forbid_unknown_fields=True):
    url: Url


class HowMany(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Many = 50


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[str, Meta(max_length=40)] = "30d"
    relevant: bool = False
    first: bool = False  # also what the first crawl brought
    limit: Many = 100

    def options(self) -> NewsOptions:
        return NewsOptions(relevant=self.relevant, first=self.first, limit=self.limit)


class LabelWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says of a page; null takes it back."""

    url: Url
    relevant: bool | None


class SeedWish(Struct, frozen=True, forbid_unknown_fields=True):
    urls: Annotated[list[Url], Meta(min_length=1, max_length=100)]


class SteeringWish(Struct, frozen=True, forbid_unknown_fields=True):
    action: SteeringAction
    rule: Annotated[
        str, Meta(min_length=1, max_length=500)
    ]  # as in the settings' scope: host:example.org, path:/forum/*


class SteeringUndo(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[int, Meta(ge=1, le=1_000_000)]


class Problem(Struct, frozen=True):
    """What went wrong, and what to do."""

    error: str


Run = Callable[[ServedLibrary, Any], Any | Awaitable[Any]]


class Endpoint(Struct, frozen=True):
    method: str
    path: str
    summary: str
    run: Run
    takes: type[Struct] = Nothing  # query of a GET, body of anything else
    gives: Any = None
    in_thread: bool = True  # False: it belongs to the thread of the crawl


def _reading(ask: Callable[..., Any]) -> Run:
    """A question to the library, in a thread, with a reader of its own."""

    def run(served: ServedLibrary, given: Any) -> Any:
        with served.readers.lend() as library:
            return ask(library, given)

    return run


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


def _label(served: ServedLibrary, wish: LabelWish) -> list[LabelChange]:
    return set_labels(served.folder, [wish.url], wish.relevant)


def _frontier(served: ServedLibrary, query: HowMany) -> list[WaitingLine]:
    if served.live.under_way:
        return served.live.frontier(query.limit)
    with served.readers.lend() as library:
        return answers.stored_frontier(library, query.limit)


async def _start(served: ServedLibrary, change: CrawlChange) -> CrawlView:
    await served.live.start(change)
    return served.live.view()


def _steer(act: Callable[[ServedLibrary, Any], object]) -> Run:
    def run(served: ServedLibrary, given: Any) -> CrawlView:
        act(served, given)
        return served.live.view()

    return run


async def _take_effect(served: ServedLibrary, given: Nothing) -> dict[str, Any]:
    effect = await take_effect(served.folder)
    judged = effect.judged
    return {
        "later": effect.later,
        "changed": judged.changed if judged else 0,
        "relevant_before": judged.relevant_before if judged else 0,
        "relevant": judged.relevant if judged else 0,
        "links": judged.ranked if judged else 0,
    }


ENDPOINTS = [
    Endpoint("GET", LIBRARY, "A library at a glance", _card, gives=answers.LibraryCard),
    Endpoint(
        "GET",
        f"{LIBRARY}/details",
        "Figures that take a while in a large library",
        _reading(lambda library, given: answers.library_details(library)),
        gives=answers.LibraryDetails,
    ),
    Endpoint(
        "GET", f"{LIBRARY}/pages", "Pages, a stretch at a time", _reading(listing), ListQuery, answers.PageListing
    ),
    Endpoint("GET", f"{LIBRARY}/search", "Full-text search", _reading(search_pages), SearchQuestion, FoundPages),
    Endpoint(
        "GET",
        f"{LIBRARY}/page",
        "One page",
        _reading(lambda library, given: answers.page_card(library, given.url)),
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
        _reading(lambda library, given: answers.page_diff(library, given.url)),
        OfUrl,
        answers.PageDiff,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/links",
        "Where a page leads, and what became of that",
        _reading(lambda library, given: answers.page_links(library, given.url)),
        OfUrl,
        list[answers.LinkLine],
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/hosts",
        "Hosts, those with most relevant pages first",
        _reading(lambda library, given: library.hosts(given.limit)),
        HowMany,
        list[HostRow],
    ),
    Endpoint("GET", f"{LIBRARY}/frontier", "The best links that wait", _frontier, HowMany, list[WaitingLine], False),
    Endpoint("GET", f"{LIBRARY}/changes", "What is new and changed", _reading(_news), Since, list[dict[str, Any]]),
    Endpoint(
        "GET",
        f"{LIBRARY}/labels",
        "What was said about pages and sites",
        lambda served, given: list_labels(served.folder),
        gives=list[LabelRow],
    ),
    Endpoint(
        "POST", f"{LIBRARY}/labels", "Says of a page whether it is relevant", _label, LabelWish, list[LabelChange]
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/labels/effect",
        "Judges all pages again by what labels say now, where no crawl is running",
        _take_effect,
        gives=dict[str, Any],
        in_thread=False,
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/question",
        "The page that is worth asking about next",
        lambda served, given: served.questions.ask(),
        gives=QuestionState,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question",
        "Answers it, null for a page that is skipped, and asks on",
        lambda served, given: served.questions.answer(given.url, given.relevant),
        LabelWish,
        QuestionState,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/question/undo",
        "Takes the last answer back, and asks about that page again",
        lambda served, given: served.questions.undo(),
        gives=QuestionState,
    ),
    Endpoint(
        "GET", f"{LIBRARY}/crawl", "The crawl as it is", lambda s, g: s.live.view(), gives=CrawlView, in_thread=False
    ),
    Endpoint("POST", f"{LIBRARY}/crawl", "Begins a crawl, or goes on", _start, CrawlChange, CrawlView, False),
    Endpoint(
        "PATCH",
        f"{LIBRARY}/crawl",
        "Changes budget, threshold or parallelism while it runs",
        _steer(lambda served, change: served.live.change(change)),
        CrawlChange,
        CrawlView,
        False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/pause",
        "Asks for nothing more until it goes on",
        _steer(lambda served, given: served.live.pause()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/go-on",
        "Ends a pause",
        _steer(lambda served, given: served.live.go_on()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/stop",
        "Ends it at a clean point",
        _steer(lambda served, given: served.live.stop()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/seeds",
        "Puts pages in front of all that wait",
        _steer(lambda served, given: served.live.add_seeds(list(given.urls))),
        SeedWish,
        CrawlView,
        False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/steering",
        "Raises, lowers or bans the links that a rule matches",
        _steer(lambda served, wish: served.live.steer(wish.action, wish.rule)),
        SteeringWish,
        CrawlView,
        False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/steering/undo",
        "Takes such a rule back",
        _steer(lambda served, wish: served.live.unsteer(wish.id)),
        SteeringUndo,
        CrawlView,
        False,
    ),
]


def routes(shelf: Shelf) -> list[Route]:
    return [Route(each.path, _serve(each, shelf), methods=[each.method]) for each in ENDPOINTS]


def _serve(endpoint: Endpoint, shelf: Shelf) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        try:
            served = shelf.get(request.path_params["name"])
        except UsageError as error:
            return answer(Problem(str(error)), 404)
        try:
            given = await _given(endpoint, request)
        except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
            return answer(Problem(str(error)), 400)
        try:
            return answer(await _run(endpoint, served, given))
        except ScenthoundError as error:
            return answer(Problem(str(error)), status_of(error))

    return serve


async def _run(endpoint: Endpoint, served: ServedLibrary, given: Any) -> Any:
    if endpoint.in_thread:
        return await anyio.to_thread.run_sync(endpoint.run, served, given)
    found = endpoint.run(served, given)
    return await found if asyncio.iscoroutine(found) else found


async def _given(endpoint: Endpoint, request: Request) -> Any:
    if endpoint.method == "GET":
        names = list(request.query_params.keys())
        pairs = request.query_params.multi_items()
        if len(pairs) != len(set(names)):
            raise msgspec.ValidationError("a parameter is given twice")
        return msgspec.convert(dict(pairs), endpoint.takes, strict=False)
    body = await request.body()
    return msgspec.json.decode(body or b"{}", type=endpoint.takes)


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type=JSON)


def status_of(error: ScenthoundError) -> int:
    if isinstance(error, LibraryBusy):
        return 409
    if isinstance(error, UsageError):
        return 400
    return 404 if isinstance(error, LibraryMissing) or error.exit_code == 3 else 500

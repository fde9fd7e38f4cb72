"""The pages of the dashboard: values from `answers`, put into templates."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import anyio.to_thread
import jinja2
import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from xxhash import xxh3_64_hexdigest

from scenthound.app.changes import gather_news
from scenthound.app.label import list_labels
from scenthound.app.notes import list_notes, note_on, tag_counts
from scenthound.app.strategies import trainable
from scenthound.app.user_input import moment
from scenthound.config import named
from scenthound.errors import LibraryError, ScenthoundError
from scenthound.library.run_settings import last_settings
from scenthound.protocols.library import Library
from scenthound.protocols.records import PageFilters
from scenthound.report import formatting
from scenthound.report.failure_words import kind_in_words
from scenthound.version import __version__
from scenthound.web import answers
from scenthound.web.api import status_of
from scenthound.web.endpoint import OfUrl
from scenthound.web.lab_api import experiments
from scenthound.web.map_picture import drawn
from scenthound.web.reading_api import (
    ListQuery,
    OfHost,
    SearchQuestion,
    Since,
    asked_search,
    facets_of_search,
    listing,
    map_of,
    search_pages,
)
from scenthound.web.replay import replayed
from scenthound.web.shelf import ServedLibrary, Shelf
from scenthound.web.words_api import OfTag

STATIC = Path(__file__).parent / "static"

Values = dict[str, Any]
View = Callable[[Library, ServedLibrary, Request], tuple[str, Values]]
"""What a page shows: the template, and what stands in it."""


def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("scenthound.web"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(
        count=formatting.count,
        percent=formatting.percent,
        duration=formatting.duration,
        size=formatting.size,
        day=formatting.day,
        short=short_address,
        plain=answers.plain,
        ago=ago,
        query=lambda values: urlencode({key: value for key, value in values.items() if value not in ("", None)}),
        outside=lambda url: url if url.startswith(("http://", "https://")) else "#",
        zip=lambda one, other: list(zip(one, other, strict=True)),
        ending=formatting.ending_words,
        kind=kind_in_words,
        figure=figure,
        priority=formatting.priority,
    )
    made.globals["version"] = __version__
    made.globals["static"] = static_address
    return made


def static_address(name: str) -> str:
    """A file of `static/`, under an address that changes with what is in it: browsers keep what they have."""
    return f"/static/{name}?{_digests()[name]}"


@cache
def _digests() -> dict[str, str]:
    return {path.name: xxh3_64_hexdigest(path.read_bytes())[:8] for path in STATIC.iterdir()}


def short_address(url: str) -> str:
    """A URL as people read it; letters of any script in place of their codes, unless one of them would not be seen."""
    try:
        readable = unquote(url, errors="strict")
    except UnicodeDecodeError:
        readable = url
    return formatting.short_url(readable if readable.isprintable() else url)


def figure(value: float) -> str:
    """A number of any size, in three digits that count."""
    return formatting.count(round(value)) if abs(value) >= 1000 else f"{value:.3g}"


def ago(at: float) -> str:
    """`3 min ago`; a day where it is longer."""
    seconds = max(0.0, time.time() - at)
    if seconds < 90:
        return "just now"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min ago"
    return f"{seconds / 3600:.0f} h ago" if seconds < 36 * 3600 else formatting.day(at)[:10]


class Views:
    """Every page, as the routes know it."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.templates = environment()

    async def home(self, request: Request) -> Response:
        if not self.shelf.libraries and self.shelf.experiments:
            return RedirectResponse("/lab", 303)
        if len(self.shelf.libraries) == 1:
            return RedirectResponse(f"/{next(iter(self.shelf.libraries))}/", 303)
        cards = [await anyio.to_thread.run_sync(_card, served) for served in self.shelf.libraries.values()]
        return self.render("libraries.html", {"cards": cards, "served": None, "path": "/"})

    async def lab(self, request: Request) -> Response:
        try:
            found = await anyio.to_thread.run_sync(experiments, self.shelf)
        except ScenthoundError as error:
            return self.render("problem.html", {"error": str(error), "served": None}, status_of(error))
        names = dict.fromkeys(strategy.name for each in found for strategy in each.strategies)
        return self.render(
            "lab.html", {"experiments": found, "names_of_all": list(names), "served": None, "path": "/lab"}
        )

    def view(self, make: View) -> Callable[[Request], Awaitable[Response]]:
        """A route: the view is made in a thread, with a reader of its own."""

        async def serve(request: Request) -> Response:
            try:
                served = self.shelf.get(request.path_params["name"])
                return await anyio.to_thread.run_sync(self._made, make, served, request)
            except (ScenthoundError, msgspec.ValidationError) as error:
                status = status_of(error) if isinstance(error, ScenthoundError) else 400
                found = self.shelf.libraries.get(request.path_params["name"])
                return self.render("problem.html", {"error": str(error), "served": found}, status)

        return serve

    def _made(self, make: View, served: ServedLibrary, request: Request) -> Response:
        with served.readers.lend() as library:
            template, values = make(library, served, request)
        names = list(self.shelf.libraries)
        return self.render(template, {"served": served, "names": names, "path": request.url.path, **values})

    async def replay(self, request: Request) -> Response:
        served = self.shelf.get(request.path_params["name"])

        def make() -> Response:
            with served.readers.lend() as library:
                return replayed(library, served.name, request.query_params.get("url", ""))

        try:
            return await anyio.to_thread.run_sync(make)
        except ScenthoundError as error:
            return self.render("problem.html", {"error": str(error), "served": None}, status_of(error))

    def render(self, template: str, values: Values, status: int = 200) -> HTMLResponse:
        values = {"lab": bool(self.shelf.experiments), **values}
        return HTMLResponse(self.templates.get_template(template).render(values), status)


def _card(served: ServedLibrary) -> answers.LibraryCard:
    with served.readers.lend() as library:
        return answers.library_card(library, served.name)


def _asked(request: Request, kind: type[Any]) -> Any:
    """What stands in the address; empty fields of a form are none."""
    return msgspec.convert({key: value for key, value in request.query_params.items() if value}, kind, strict=False)


def _is_part(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true" and request.headers.get("hx-history-restore-request") != "true"


def overview(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    best = answers.page_listing(library, PageFilters(counts=True), "best", "", 8)
    newest = answers.page_listing(library, PageFilters(), "newest", "", 8)
    return "overview.html", {
        "card": answers.library_card(library, served.name),
        "best": best.pages,
        "newest": newest.pages,
        "hosts": library.hosts(8),
        "live": served.live.state,
    }


def details(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "details.html", {"details": served.details.get(library)}


def recall(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "recall.html", {"recall": served.recall.get(library)}


def pages(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    query = _asked(request, ListQuery)
    found = listing(served, library, query)
    asked = msgspec.to_builtins(query) | {"after": "", "limit": ""}
    values = {"listing": found, "query": query, "asked": {key: value for key, value in asked.items() if value != 0.0}}
    if query.after and _is_part(request):
        return "page_rows.html", values
    return "pages.html", {**values, "hosts": library.hosts(12), "tags": tag_counts(served.folder)}


def facets(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    """What a list can be filtered by; counting takes a moment in a large library, so it is asked for on its own."""
    query = _asked(request, ListQuery)
    found = served.details.get(library).facets
    return "facets.html", {"facets": found, "query": query, "groups": served.groups.at_hand()}


def search(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    query = _asked(request, SearchQuestion)
    found = search_pages(served, library, query) if asked_search(served, library, query).words else None
    asked = {
        key: value for key, value in msgspec.to_builtins(query).items() if value and key not in ("offset", "limit")
    }
    template = "hits.html" if _is_part(request) else "search.html"
    return template, {"query": query, "found": found, "asked": asked}


def search_counts(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    """How what was found is spread, each value an address that narrows the search to it."""
    query = _asked(request, SearchQuestion)
    asked = {key: value for key, value in msgspec.to_builtins(query).items() if value}
    counts = facets_of_search(served, library, query) if asked_search(served, library, query).words else None
    return "search_counts.html", {"query": query, "asked": asked | {"offset": "", "limit": ""}, "counts": counts}


def groups(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    if not _is_part(request) and served.groups.at_hand() is None:
        return "groups.html", {"found": None}
    return "group_cards.html" if _is_part(request) else "groups.html", {
        "found": answers.group_list(served.groups.get(library))
    }


def map_view(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    query = _asked(request, OfHost)
    if not _is_part(request) and served.map.at_hand() is None:
        return "map.html", {"picture": None, "query": query}
    found = map_of(served, library, query)
    values = {"map": found, "picture": drawn(found), "query": query}
    return "map_picture.html" if _is_part(request) else "map.html", values


def sites(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "sites.html", {"ranking": served.sites.get(library)}


def notes(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    tag = _asked(request, OfTag).tag
    rows = list_notes(served.folder, library, tag)
    return "notes.html", {"notes": rows, "tags": tag_counts(served.folder), "chosen": tag}


def trails(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    config = last_settings(library)
    return "trails.html", {
        "view": served.trails.view(library),
        "best": answers.page_listing(library, PageFilters(counts=True), "best", "", 4).pages,
        "strategies": trainable(),
        "strategy": named(config.crawl.strategy, "strategy")[0],
    }


def page(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    url = _asked(request, OfUrl).url
    try:
        card, made = answers.page_card(library, url), served.groups.at_hand()
        return "page.html", {
            "card": card,
            "url": url,
            "walking": served.trails.walking,
            "note": note_on(served.folder, card.page.url),
            "group": made.group_of(card.page.url) if made is not None else "",
        }
    except LibraryError:
        return "unfetched.html", {"reasons": None, "url": url}


def why(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    url = _asked(request, OfUrl).url
    return "why.html" if _is_part(request) else "unfetched.html", {
        "reasons": answers.page_reasons(library, url, served.judges),
        "url": url,
    }


def links(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "links.html", {"links": answers.page_links(library, _asked(request, OfUrl).url)}


def diff(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "diff.html", {"diff": answers.page_diff(library, _asked(request, OfUrl).url)}


def watch(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "watch.html", {"card": answers.library_card(library, served.name)}


def label(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "label.html", {"card": answers.library_card(library, served.name)}


def labels(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    return "labels.html", {"labels": list_labels(served.folder)}


def changes(library: Library, served: ServedLibrary, request: Request) -> tuple[str, Values]:
    query = _asked(request, Since)
    found = gather_news(library, moment(query.since), query.options())
    return "changes.html", {"news": found.news, "more": found.whole - len(found.news), "query": query}


PAGES: dict[str, View] = {
    "": overview,
    "details": details,
    "recall": recall,
    "pages": pages,
    "facets": facets,
    "search": search,
    "search-counts": search_counts,
    "groups": groups,
    "map": map_view,
    "sites": sites,
    "notes": notes,
    "trails": trails,
    "page": page,
    "why": why,
    "links": links,
    "diff": diff,
    "watch": watch,
    "label": label,
    "labels": labels,
    "changes": changes,
}
"""Last part of an address -> what is shown there."""

"""How long the server takes for each view of a library: over HTTP on loopback, from the request to the last byte."""

from __future__ import annotations

import http.client
import re
import time
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from benchmarks.dashboard_parts.served_here import served_here
from benchmarks.search import Prose
from scenthound.protocols.records import PageFilters
from scenthound.web.shelf import ServedLibrary

TIMES = 9


class ViewTimes(Struct):
    """Of each request, in their order; before each one the library was closed."""

    milliseconds: list[float]
    kilobytes: float  # as sent


WHOLE_PAGES = (
    "overview", "live crawl", "pages", "pages of a host", "pages of a year",
    "pages without a date", "pages fetched in a year", "relevant pages, the 100,000th",
    "search", "search for a common word", "search in titles", "groups", "map", "sites", "teach", "trails", "changes",
    "changes, first crawl too", "labels", "notes", "a page", "a URL that waits",
)  # fmt: skip
"""What a browser shows first. The rest are parts that a page asks for once it is there."""


def measured(folder: Path) -> dict[str, ViewTimes]:
    with served_here([folder]) as (port, shelf):
        served = next(iter(shelf.libraries.values()))
        return {name: _asked(port, served, path) for name, path in _addresses(served).items()}


def loaded_once(folder: Path) -> float:
    """Kilobytes of scripts, styles and icons that a browser loads with its first view, as sent."""
    with served_here([folder]) as (port, shelf):
        page = _got(port, f"/{next(iter(shelf.libraries))}/", {})
        files = set(re.findall(r"/static/[a-z.]+\?[0-9a-f]+", page.decode()))
        return sum(len(_got(port, file, {"Accept-Encoding": "gzip"})) for file in files) / 1000


def _addresses(served: ServedLibrary) -> dict[str, str]:
    prose = Prose(1)
    usual, common = prose.word(300, 3000), prose.word(20, 300)
    with served.readers.lend() as library:
        best = library.page_list(PageFilters(counts=True), limit=1).pages[0]
        waits = library.waiting(next(iter(library.queues())).host, 1)[0].link.url
        half = library.page_list(PageFilters(), "newest", "", 1).pages[0].seq // 10
    page, waiting = quote(best.url, safe=""), quote(waits, safe="")
    return {
        "overview": "",
        "live crawl": "watch",
        "pages": "pages",
        "pages of a host": f"pages?host={best.host}",
        "pages of a year": "pages?year=2020",
        "pages without a date": "pages?year=unknown",
        "pages fetched in a year": "pages?fetched=2023",
        "relevant pages, the 100,000th": f"pages?order=oldest&counts=true&after={half}",
        "search": f"search?q={usual}",
        "search for a common word": f"search?q={common}",
        "search in titles": f"search?q=title:{usual}",
        "groups": "groups",
        "map": "map",
        "sites": "sites",
        "teach": "label",
        "trails": "trails",
        "changes": "changes",
        "changes, first crawl too": "changes?since=2000-01-01&first=true",
        "labels": "labels",
        "notes": "notes",
        "a page": f"page?url={page}",
        "a URL that waits": f"page?url={waiting}",
        "then: figures of the overview": "details",
        "then: recall": "recall",
        "then: what pages can be filtered by": "facets",
        "then: what a search can be narrowed by": f"search-counts?q={usual}",
        "then: the same for a common word": f"search-counts?q={common}",
        "then: groups": "groups#part",
        "then: the map": "map#part",
        "then: why a page is there": f"why?url={page}#part",
        "then: the links of a page": f"links?url={page}#part",
    }


def _asked(port: int, served: ServedLibrary, path: str) -> ViewTimes:
    address, _, part = path.partition("#")
    headers = {"Accept-Encoding": "gzip", **({"HX-Request": "true"} if part else {})}
    found = ViewTimes([], 0.0)
    for _ in range(TIMES):
        served.readers.close()
        started = time.perf_counter()
        body = _got(port, f"/{served.name}/{address}", headers)
        found.milliseconds.append(1000 * (time.perf_counter() - started))
        found.kilobytes = len(body) / 1000
    return found


def _got(port: int, address: str, headers: dict[str, str]) -> bytes:
    """What is sent, compressed as it comes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{address} answered {answer.status}")
        return answer.read()
    finally:
        connection.close()

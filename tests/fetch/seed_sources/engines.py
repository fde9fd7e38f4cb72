"""Search engines on loopback that speak the protocols as the real ones were seen to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from scenthound.fetch.seed_sources.choose_source import FoundSeeds, choose, find
from scenthound.fetch.seed_sources.source_client import SourceClient

TITLES = [f"Dengue {number}" for number in range(1, 121)]
RESULTS = [f"https://r{number}.test/dengue" for number in range(1, 26)]

Answer = tuple[int, str, bytes | str]
Route = Callable[[dict[str, str]], Answer] | Answer


class Slept(list[float]):
    """Sleeps that were asked for, and took no time."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


async def seeds(
    client: SourceClient, source: str, limit: int = 20, words: str = "dengue fever", **how: Any
) -> FoundSeeds:
    return await find(await choose(client, source, **how), client, words, limit)


def urls(found: FoundSeeds) -> list[str]:
    return [hit.url for hit in found.hits]


class Engine:
    """Where it is, and what it was asked: (path, parameters) in order."""

    def __init__(self, routes: dict[str, Route], port: int) -> None:
        self.routes = routes
        self.port = port
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.headers: list[dict[str, str]] = []

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, target: str, headers: dict[str, str]) -> Answer:
        parts = urlsplit(target)
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.asked.append((parts.path, parameters))
        self.headers.append(headers)
        route = self.routes.get(parts.path, (404, "text/html", "<h1>Not Found</h1>"))
        return route(parameters) if callable(route) else route


@contextmanager
def engine(routes: dict[str, Route]) -> Iterator[Engine]:
    class Served(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, media_type, body = running.answer(self.path, dict(self.headers))
            payload = body.encode() if isinstance(body, str) else body
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(payload)))
            if 300 <= status < 400:
                self.send_header("Location", payload.decode())
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(payload)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Served)
    server.daemon_threads = True
    server.block_on_close = False
    running = Engine(routes, server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def as_json(data: Any, status: int = 200) -> Answer:
    return status, "application/json; charset=utf-8", json.dumps(data)


# --- MediaWiki 1.43: action=query, formatversion=2, prop=info, inprop=url


def wiki_page(title: str, index: int | None = None, ns: int = 0, number: int = 0) -> dict[str, Any]:
    address = f"https://en.wiki.test/wiki/{title.replace(' ', '_')}"
    page = {
        "pageid": 1000 + number,
        "ns": ns,
        "title": title,
        "contentmodel": "wikitext",
        "pagelanguage": "en",
        "touched": "2026-05-01T10:00:00Z",
        "lastrevid": 12345,
        "length": 91827,
        "fullurl": address,
        "editurl": f"https://en.wiki.test/w/index.php?title={title}&action=edit",
        "canonicalurl": address,
    }
    return page | ({"index": index} if index is not None else {})


def wiki_search(titles: list[str]) -> Route:
    """`generator=search`: pages sorted by their number, rank in `index`, `continue` while there is more."""

    def respond(asked: dict[str, str]) -> Answer:
        start, size = int(asked.get("gsroffset", 0)), int(asked["gsrlimit"])
        ranked = [wiki_page(title, rank + 1) for rank, title in enumerate(titles)][start : start + size]
        if not ranked:
            return as_json({"batchcomplete": True})
        answer: dict[str, Any] = {"batchcomplete": True, "query": {"pages": ranked[::-1]}}
        if start + size < len(titles):
            answer["continue"] = {"gsroffset": start + size, "continue": "gsroffset||"}
        return as_json(answer)

    return respond


def wiki_categories(members: dict[str, list[str]], batch: int = 2) -> Route:
    """`generator=categorymembers`, a few members at a time; a member that begins with Category: is one."""

    def respond(asked: dict[str, str]) -> Answer:
        names = members.get(asked["gcmtitle"], [])
        start = int(asked.get("gcmcontinue", "page|0").partition("|")[2])
        shown = names[start : start + batch]
        pages = [wiki_page(name, ns=14 if name.startswith("Category:") else 0) for name in shown]
        answer: dict[str, Any] = {"batchcomplete": True} | ({"query": {"pages": pages}} if pages else {})
        if start + batch < len(names):
            answer["continue"] = {"gcmcontinue": f"page|{start + batch}", "continue": "gcmcontinue||"}
        return as_json(answer)

    return respond


WIKI_ERROR = {
    "error": {
        "code": "search-text-disabled",
        "info": 'The "text" search is disabled.',
        "docref": "See https://en.wiki.test/w/api.php for API usage.",
    },
    "servedby": "mw-api-ext.codfw.main",
}

WIKI_HOME = """<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>A wiki</title>
<meta name="generator" content="MediaWiki 1.43.1">
<link rel="search" type="application/opensearchdescription+xml" href="/w/rest.php/v1/search" title="A wiki (en)">
<link rel="EditURI" type="application/rsd+xml" href="/w/api.php?action=rsd"></head><body><p>Welcome.</body></html>"""


# --- SearXNG: /search?format=json


def searxng(urls: list[str], size: int = 10) -> Route:
    def respond(asked: dict[str, str]) -> Answer:
        if asked.get("format") != "json":
            return 200, "text/html", SEARXNG_HOME
        start = (int(asked["pageno"]) - 1) * size
        results = [
            {
                "url": url,
                "title": f"Result <b>{number}</b>",
                "content": "…",
                "engine": "duckduckgo",
                "parsed_url": ["https", "x.test", "/", "", "", ""],
                "template": "default.html",
                "engines": ["duckduckgo", "brave"],
                "positions": [number],
                "score": 1.0,
                "category": "general",
            }
            for number, url in enumerate(urls[start : start + size], start + 1)
        ]
        return as_json(
            {
                "query": asked["q"],
                "number_of_results": 0,
                "results": results,
                "answers": [{"answer": "A disease", "url": "https://answer.test/"}],
                "corrections": [],
                "infoboxes": [{"infobox": "Dengue", "urls": [{"title": "x", "url": "https://box.test/"}]}],
                "suggestions": ["dengue fever symptoms"],
                "unresponsive_engines": [["google", "Suspended: CAPTCHA"]],
            }
        )

    return respond


SEARXNG_HOME = """<!DOCTYPE html><html class="no-js" lang="en"><head><meta charset="UTF-8">
<meta name="generator" content="searxng/2026.4.1+abc"><title>SearXNG</title>
<link rel="search" type="application/opensearchdescription+xml" title="SearXNG" href="/opensearch.xml?method=POST">
</head><body><form action="/search"></form></body></html>"""


# --- OpenSearch 1.1


def description(*urls: str) -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" xmlns:moz="http://www.mozilla.org/2006/browser/search/">
  <ShortName>Find</ShortName><Description>Find things</Description><InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/x-icon">https://find.test/favicon.ico</Image>
  {"".join(urls)}
  <moz:SearchForm>https://find.test/</moz:SearchForm>
</OpenSearchDescription>"""


def atom_results(urls: list[str]) -> str:
    entries = "".join(
        f"<entry><title>Result {url}</title><link href='{url}'/><id>urn:{n}</id></entry>" for n, url in enumerate(urls)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<title>Find: dengue</title><link href="http://find.test/?q=dengue"/><opensearch:totalResults>42</opensearch:totalResults>
<opensearch:Query role="request" searchTerms="dengue" startPage="1"/>{entries}</feed>"""


def rss_results(urls: list[str]) -> str:
    items = "".join(f"<item><title>R</title><link>{url}</link></item>" for url in urls)
    return f"""<rss version="2.0"><channel><title>Find</title><link>https://find.test/</link>{items}</channel></rss>"""

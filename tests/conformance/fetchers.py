"""What every fetcher makes of the same web. A fetcher joins by serving `WEB` under `http://web.test/`.

Subclass `FetcherSuite` with a fixture `fetcher`; the live one asks a loopback server, the replaying one a WARC file.
"""

from __future__ import annotations

import gzip
import zlib

import pytest

from scenthound.model import Failed, Link, LinkKind, Response
from scenthound.protocols.crawl import Fetcher

HTML = "<!doctype html><title>Grüße</title><p>Über Gärten".encode()
LATIN = "<title>Grüße</title>".encode("latin-1")

# path -> (status line, headers, body)
WEB: dict[str, tuple[str, dict[str, str], bytes]] = {
    "/": ("200 OK", {"Content-Type": "text/html; charset=utf-8"}, HTML),
    "/latin": ("200 OK", {"Content-Type": "text/html; charset=iso-8859-1"}, LATIN),
    "/xhtml": ("200 OK", {"Content-Type": "application/xhtml+xml"}, HTML),
    "/shouting": ("200 OK", {"CONTENT-TYPE": "TEXT/HTML"}, HTML),
    "/untyped": ("200 OK", {}, HTML),
    "/untyped-binary": ("200 OK", {}, b"\x89PNG\r\n\x1a\n" + bytes(100)),
    "/gzip": ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(HTML)),
    "/deflate": ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "deflate"}, zlib.compress(HTML)),
    "/unknown-coding": ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "snappy"}, HTML),
    "/cut-gzip": ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(HTML)[:-12]),
    "/picture": ("200 OK", {"Content-Type": "image/png"}, bytes(200)),
    "/empty": ("200 OK", {"Content-Type": "text/html"}, b""),
    "/nothing": ("204 No Content", {}, b""),
    "/moved": ("301 Moved Permanently", {"Location": "/", "Content-Type": "text/html"}, b"<p>there"),
    "/lost": ("302 Found", {"Content-Type": "text/html"}, b"<p>where?"),
    "/unchanged": ("304 Not Modified", {}, b""),
    "/gone": ("410 Gone", {"Content-Type": "text/html"}, b"<p>gone"),
    "/forbidden": ("403 Forbidden", {}, b"no"),
    "/busy": ("429 Too Many Requests", {"Retry-After": "7"}, b"wait"),
    "/down": ("503 Service Unavailable", {"Retry-After": "120"}, b"wait"),
    "/broken": ("500 Internal Server Error", {}, b"oops"),
    "/large": ("200 OK", {"Content-Type": "text/html"}, b"x" * 200_001),
    "/bomb": ("200 OK", {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(bytes(20_000_000))),
    "/robots.txt": ("200 OK", {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n"),
    "/many": ("200 OK", {"Content-Type": "text/html", "Set-Cookie": "a=1", "set-cookie": "b=2"}, HTML),
}
MAX_BYTES = 200_000
"""What a fetcher under test is configured to take of a page."""

PAGES = ["/", "/latin", "/xhtml", "/shouting", "/untyped", "/gzip", "/deflate", "/many"]
FAILURES = [
    ("/picture", "type", 200, False, 0.0),
    ("/untyped-binary", "type", 200, False, 0.0),
    ("/unknown-coding", "protocol", 0, False, 0.0),
    ("/empty", "empty", 200, False, 0.0),
    ("/nothing", "empty", 204, False, 0.0),
    ("/lost", "redirect", 302, False, 0.0),
    ("/unchanged", "status", 304, False, 0.0),
    ("/gone", "status", 410, False, 0.0),
    ("/forbidden", "status", 403, False, 0.0),
    ("/busy", "status", 429, True, 7.0),
    ("/down", "status", 503, True, 120.0),
    ("/broken", "status", 500, True, 0.0),
    ("/large", "too-large", 200, False, 0.0),
    ("/bomb", "too-large", 200, False, 0.0),
    ("/not-there", "status", 404, False, 0.0),
]


async def ask(fetcher: Fetcher, path: str, kind: LinkKind = "a") -> Response | Failed:
    return await fetcher(Link(f"http://web.test{path}", kind=kind))


class FetcherSuite:
    """The tests. `fetcher` comes from the subclass's module."""

    @pytest.mark.parametrize("path", PAGES)
    async def test_a_page_arrives_unpacked(self, fetcher: Fetcher, path: str) -> None:
        outcome = await ask(fetcher, path)
        assert isinstance(outcome, Response), outcome
        assert outcome.body == (LATIN if path == "/latin" else HTML)
        assert (outcome.url, outcome.status) == (f"http://web.test{path}", 200)
        assert outcome.at == 1000.0
        assert outcome.wire == len(WEB[path][2])

    @pytest.mark.parametrize(("path", "kind", "status", "retry", "after"), FAILURES)
    async def test_a_failure_has_its_kind(
        self, fetcher: Fetcher, path: str, kind: str, status: int, retry: bool, after: float
    ) -> None:
        outcome = await ask(fetcher, path)
        assert isinstance(outcome, Failed), outcome
        assert (outcome.kind, outcome.status, outcome.retry, outcome.retry_after) == (kind, status, retry, after)
        assert outcome.at == 1000.0

    async def test_a_refused_type_is_named(self, fetcher: Fetcher) -> None:
        outcome = await ask(fetcher, "/picture")
        assert isinstance(outcome, Failed)
        assert outcome.detail == "image/png"

    async def test_a_cut_coding_is_no_page(self, fetcher: Fetcher) -> None:
        outcome = await ask(fetcher, "/cut-gzip")
        assert isinstance(outcome, Failed)
        assert outcome.kind == "reset"

    async def test_a_redirect_is_an_answer_and_not_followed(self, fetcher: Fetcher) -> None:
        outcome = await ask(fetcher, "/moved")
        assert isinstance(outcome, Response)
        assert (outcome.status, outcome.header("location"), outcome.body) == (301, "/", b"")

    async def test_headers_come_as_sent(self, fetcher: Fetcher) -> None:
        outcome = await ask(fetcher, "/many")
        assert isinstance(outcome, Response)
        cookies = [value for name, value in outcome.headers if name.lower() == "set-cookie"]
        assert cookies == ["a=1", "b=2"]
        page = await ask(fetcher, "/latin")
        assert isinstance(page, Response)
        assert page.header("CONTENT-type") == "text/html; charset=iso-8859-1"

    @pytest.mark.parametrize(
        ("path", "status"), [("/robots.txt", 200), ("/gone", 410), ("/down", 503), ("/moved", 301), ("/not-there", 404)]
    )
    async def test_a_robots_request_gets_every_status(self, fetcher: Fetcher, path: str, status: int) -> None:
        outcome = await ask(fetcher, path, "robots")
        assert isinstance(outcome, Response)
        assert outcome.status == status

    async def test_a_large_robots_file_is_cut(self, fetcher: Fetcher) -> None:
        outcome = await ask(fetcher, "/bomb", "robots")
        assert isinstance(outcome, Response)
        assert len(outcome.body) == 512 * 1024

    async def test_the_same_question_gets_the_same_answer(self, fetcher: Fetcher) -> None:
        first, second = await ask(fetcher, "/gzip"), await ask(fetcher, "/gzip")
        assert isinstance(first, Response)
        assert isinstance(second, Response)
        assert (first.body, first.headers) == (second.body, second.headers)

    async def test_closing_twice_does_no_harm(self, fetcher: Fetcher) -> None:
        await ask(fetcher, "/")
        await fetcher.close()
        await fetcher.close()

    async def test_it_says_how_much_it_does_at_once(self, fetcher: Fetcher) -> None:
        assert fetcher.parallel >= 1

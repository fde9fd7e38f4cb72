"""The live fetcher against servers that behave, and against servers that do not."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
import tracemalloc
from collections.abc import AsyncIterator

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.guard import AddressGuard
from scenthound.fetch.http import HttpFetcher, explain, user_agent
from scenthound.fetch.resolve import StaticResolver
from scenthound.model import Failed, Link, LinkKind, Response
from scenthound.version import __version__
from tests.fetch.serving import Act, Served, answer, serving
from tests.watchdog import PATIENCE

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def hasty(seconds: float) -> FetchSection:
    return FetchSection(
        connect_timeout=seconds,
        read_timeout=seconds,
        total_timeout=2 * seconds,
        max_bytes=100_000,
        private_addresses=True,
    )


QUICK = hasty(0.4)
# For what must fail for another reason than time, however busy the machine is.
PATIENT = FetchSection(connect_timeout=20, read_timeout=20, total_timeout=25, max_bytes=100_000, private_addresses=True)


@pytest.fixture
async def fetcher() -> AsyncIterator[HttpFetcher]:
    fetcher = HttpFetcher(QUICK, PolitenessSection())
    yield fetcher
    await fetcher.close()


async def fetch(fetcher: HttpFetcher, act: Act, kind: LinkKind = "a") -> tuple[Response | Failed, Served]:
    """What the fetcher makes of a server that does `act`; it must not hang."""
    async with serving({"/": act}) as served:
        outcome = await asyncio.wait_for(fetcher(Link(served.url("/"), kind=kind)), PATIENCE)
        return outcome, served


def hangs_after(*pieces: bytes, pause: float = 0.0) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        await asyncio.sleep(30)

    return act


def closes_after(*pieces: bytes) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        writer.close()

    return act


def repeats(start: bytes, piece: bytes, pause: float = 0.0) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return act


def resets_after(piece: bytes) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.05)
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()

    return act


CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
HOSTILE: dict[str, tuple[Act, set[str]]] = {
    "silence": (hangs_after(), {"timeout"}),
    "silence in the head": (hangs_after(HEAD), {"timeout"}),
    "silence in the body": (hangs_after(HEAD + b"Content-Length: 9\r\n\r\n<p>"), {"timeout"}),
    "slow drip": (repeats(HEAD + b"\r\n", b"x", 0.05), {"timeout"}),
    "slow drip of headers": (repeats(HEAD, b"X-A: b\r\n", 0.05), {"timeout", "protocol"}),
    "endless body": (repeats(HEAD + b"\r\n", b"x" * 65_536), {"too-large"}),
    "endless chunks": (repeats(CHUNKED, b"1000\r\n" + b"x" * 4096 + b"\r\n"), {"too-large"}),
    "endless tiny chunks": (repeats(CHUNKED, b"1\r\nx\r\n" * 1000), {"too-large", "timeout"}),
    "endless chunk size": (repeats(CHUNKED, b"0" * 4096), {"protocol", "timeout", "too-large"}),
    "endless chunk extension": (repeats(CHUNKED, b"1;" + b"x" * 4096), {"protocol", "timeout", "too-large"}),
    "endless trailers": (repeats(CHUNKED + b"0\r\n", b"X: y\r\n" * 99), {"protocol", "timeout", "too-large", "reset"}),
    "endless status line": (repeats(b"HTTP/1.1 200 ", b"O" * 65_536), {"protocol"}),
    "endless header": (repeats(HEAD + b"X: ", b"y" * 65_536), {"protocol"}),
    "header flood": (repeats(HEAD, b"X: y\r\n" * 1000), {"protocol"}),
    "endless 100s": (repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 20), {"timeout", "protocol"}),
    "length too long": (closes_after(HEAD + b"Content-Length: 500\r\n\r\n<p>short"), {"reset"}),
    "length huge": (hangs_after(HEAD + b"Content-Length: 999999999999\r\n\r\n<p>"), {"too-large"}),
    "length negative": (closes_after(HEAD + b"Content-Length: -5\r\n\r\n<p>"), {"protocol"}),
    "length no number": (closes_after(HEAD + b"Content-Length: five\r\n\r\n<p>"), {"protocol"}),
    "two lengths": (closes_after(HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\n<p>aa"), {"protocol"}),
    "chunk lies": (closes_after(CHUNKED + b"zz\r\n<p>\r\n0\r\n\r\n"), {"protocol"}),
    "chunk too long": (closes_after(CHUNKED + b"3\r\n<p>aaaa\r\n0\r\n\r\n"), {"protocol"}),
    "chunks cut": (closes_after(CHUNKED + b"50\r\n<p>"), {"reset"}),
    "closed at once": (closes_after(), {"reset"}),
    "closed in the head": (closes_after(HEAD), {"reset", "protocol"}),
    "reset at once": (resets_after(b""), {"reset"}),
    "reset in the body": (resets_after(HEAD + b"Content-Length: 99\r\n\r\n<p>"), {"reset"}),
    "no HTTP": (closes_after(b"220 mail.test ESMTP ready\r\n"), {"protocol"}),
    "HTTP 0.9": (closes_after(b"<p>no head at all"), {"protocol"}),
    "odd status": (closes_after(b"HTTP/1.1 abc OK\r\n\r\n"), {"protocol"}),
    "NULs in the head": (closes_after(HEAD + b"X: a\0b\r\n\r\n<p>"), {"protocol"}),
    "switching protocols": (
        hangs_after(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
        {"status", "protocol"},
    ),
    "gzip bomb": (answer(gzip.compress(bytes(30_000_000)), content_encoding="gzip"), {"too-large"}),
    "gzip lie": (answer(b"<p>plain", content_encoding="gzip"), {"protocol"}),
    "unknown coding": (answer(b"<p>", content_encoding="rot13"), {"protocol"}),
    "204": (b"HTTP/1.1 204 No Content\r\n\r\n", {"empty"}),
    "304 unasked": (b"HTTP/1.1 304 Not Modified\r\n\r\n", {"status"}),
    "slow error page": (hangs_after(b"HTTP/1.1 404 Not Found\r\nContent-Length: 50\r\n\r\nx"), {"status"}),
    "endless error page": (repeats(b"HTTP/1.1 500 Oops\r\n\r\n", b"x" * 65_536), {"status"}),
    "endless image": (repeats(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n", b"x" * 65_536), {"type"}),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_server_is_survived(name: str) -> None:
    act, kinds = HOSTILE[name]
    by_time = "timeout" in kinds or "slow" in name
    # On a machine so busy that time is up before the server has read the request, the same with more time.
    for settings in [hasty(seconds) for seconds in (0.4, 1.6, 6.4)] if by_time else [PATIENT]:
        fetcher = HttpFetcher(settings, PolitenessSection())
        tracemalloc.start()
        outcome, served = await fetch(fetcher, act)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        await fetcher.close()
        assert isinstance(outcome, Failed), outcome
        assert outcome.kind in kinds, outcome
        assert peak < 5_000_000
        if served.requests:
            break
    assert len(served.requests) == 1, "one call, one request"


async def test_a_length_too_short_spoils_no_other_request(fetcher: HttpFetcher) -> None:
    acts: dict[str, Act] = {"/": HEAD + b"Content-Length: 3\r\n\r\n<p>and more", "/next": answer(b"<p>next")}
    async with serving(acts) as served:
        first = await fetcher(Link(served.url("/")))
        second = await fetcher(Link(served.url("/next")))
    assert first.kind == "protocol" if isinstance(first, Failed) else first.body == b"<p>"
    assert isinstance(second, Response), second
    assert second.body == b"<p>next"


async def test_a_body_without_length_ends_with_the_connection(fetcher: HttpFetcher) -> None:
    outcome, _ = await fetch(fetcher, closes_after(HEAD + b"\r\n", b"<p>one", b" two"))
    assert isinstance(outcome, Response)
    assert outcome.body == b"<p>one two"


@pytest.mark.parametrize("size", [100_000, 100_001])
async def test_the_limit_is_exact(fetcher: HttpFetcher, size: int) -> None:
    outcome, _ = await fetch(fetcher, closes_after(HEAD + b"\r\n", b"x" * size))
    assert isinstance(outcome, Response if size == 100_000 else Failed)


@pytest.mark.parametrize("length", [b"", b"Content-Length: 10000000\r\n"])
async def test_a_robots_file_of_ten_megabytes_is_cut(fetcher: HttpFetcher, length: bytes) -> None:
    act = repeats(b"HTTP/1.1 200 OK\r\n" + length + b"\r\n", b"Disallow: /x\n" * 5000)
    outcome, _ = await fetch(fetcher, act, "robots")
    assert isinstance(outcome, Response)
    assert len(outcome.body) == 512 * 1024


async def test_no_redirect_is_followed(fetcher: HttpFetcher) -> None:
    async with serving({}) as served:
        pass
    redirect = answer(b"", "302 Found", location=f"http://127.0.0.1:{served.port}/next")
    outcome, served = await fetch(fetcher, redirect)
    assert isinstance(outcome, Response)
    assert [path for path, _ in served.requests] == ["/"]


async def test_a_long_redirect_page_is_not_read(fetcher: HttpFetcher) -> None:
    act = repeats(b"HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n", b"x" * 65_536)
    outcome, _ = await fetch(fetcher, act)
    assert isinstance(outcome, Response)
    assert (outcome.header("location"), outcome.body) == ("/x", b"")


async def test_it_says_who_asks(fetcher: HttpFetcher) -> None:
    outcome, served = await fetch(fetcher, answer(b"<p>page"))
    (_, headers), *_ = served.requests
    assert headers["User-Agent"] == f"Scenthound/{__version__} (Scenthound focused crawler)"
    assert headers["Accept-Encoding"].startswith("gzip, deflate")
    assert "Cookie" not in headers
    assert isinstance(outcome, Response)
    assert dict(outcome.request_headers)["User-Agent"] == headers["User-Agent"]
    assert outcome.address == "127.0.0.1"
    assert outcome.elapsed > 0


def test_the_contact_is_named_and_stays_on_its_line() -> None:
    polite = PolitenessSection(agent="Hound", contact="ops@example.org\r\nX-Evil: 1 é")
    assert user_agent(polite) == f"Hound/{__version__} (+ops@example.org X-Evil: 1 ?)"


@pytest.mark.parametrize("cookies", [False, True])
async def test_cookies_only_on_request(cookies: bool) -> None:
    fetcher = HttpFetcher(
        FetchSection(cookies=cookies, private_addresses=True), PolitenessSection(), resolver=StaticResolver([".test"])
    )
    async with serving({"/": answer(b"<p>", set_cookie="a=1")}) as served:
        for _ in range(2):
            await fetcher(Link(served.url("/", "web.test")))
    await fetcher.close()
    assert ("Cookie" in served.requests[1][1]) is cookies


async def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would connect to what the guard has not seen."""
    async with serving({"/": answer(b"<p>here")}) as served, serving({}) as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url(""))
            monkeypatch.setenv(name.upper(), proxy.url(""))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        fetcher = HttpFetcher(FetchSection(private_addresses=True), PolitenessSection())
        outcome = await fetcher(Link(served.url("/")))
        await fetcher.close()
    assert isinstance(outcome, Response)
    assert proxy.connections == 0


async def test_a_condition_may_be_added(fetcher: HttpFetcher) -> None:
    async with serving({"/": b"HTTP/1.1 304 Not Modified\r\n\r\n"}) as served:
        outcome = await fetcher(Link(served.url("/")), headers={"If-None-Match": '"x"'})
    assert isinstance(outcome, Response)
    assert outcome.status == 304
    assert served.requests[0][1]["If-None-Match"] == '"x"'


async def test_connections_are_used_again(fetcher: HttpFetcher) -> None:
    page = answer(b"<p>page")
    acts: dict[str, Act] = {
        "/": page,
        "/missing": answer(b"no", "404 Not Found"),
        "/moved": answer(b"x", "301 M", location="/"),
    }
    async with serving(acts) as served:
        for path in ("/", "/missing", "/moved", "/", "/else"):
            await fetcher(Link(served.url(path)))
    assert len(served.requests) == 5
    assert served.connections == 1


async def test_a_connection_that_ends_on_its_second_use_is_not_asked_twice(fetcher: HttpFetcher) -> None:
    async with serving({"/": answer(b"<p>page"), "/end": closes_after()}) as served:
        await fetcher(Link(served.url("/")))
        outcome = await fetcher(Link(served.url("/end")))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("reset", True)
    assert [path for path, _ in served.requests] == ["/", "/end"]


async def test_a_url_is_asked_for_as_it_is_spelled(fetcher: HttpFetcher) -> None:
    path = "/a%2Fb%20c/~jo?q=%C3%A9&x=%2527+(a)'!$"
    async with serving({path: answer(b"<p>page")}) as served:
        assert isinstance(await fetcher(Link(served.url(path))), Response)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "ftp://a.test/",
        "http://",
        "http://a b/",
        "http://a.test/\r\nX: y",
        "http://ü.test/",
        "http://a:x/",
    ],
)
async def test_a_url_that_is_none_is_a_failure(fetcher: HttpFetcher, url: str) -> None:
    outcome = await fetcher(Link(url))
    assert isinstance(outcome, Failed)
    assert outcome.kind in ("protocol", "dns")
    assert not outcome.retry


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "0x7f.1", "2130706433", "127.1", "[::ffff:127.0.0.1]", "localhost"]
)
async def test_the_guard_stands_before_the_connection(host: str) -> None:
    fetcher = HttpFetcher(FetchSection(), PolitenessSection())
    async with serving({"/": answer(b"<p>secret")}) as served:
        outcome = await fetcher(Link(served.url("/", host)))
    await fetcher.close()
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("address", False)
    assert served.connections == 0


async def test_a_name_that_resolves_to_us_is_refused() -> None:
    async with serving({"/": answer(b"<p>secret")}) as served:
        fetcher = HttpFetcher(FetchSection(), PolitenessSection(), resolver=StaticResolver([".test"], port=served.port))
        outcome = await fetcher(Link("http://inner.test/"))
        await fetcher.close()
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.detail) == ("address", "inner.test is 127.0.0.1: loopback, needs --allow-private")
    assert served.connections == 0


async def test_a_guard_of_ones_own_is_asked() -> None:
    class Nowhere(AddressGuard):
        def refuses(self, ip: str) -> str | None:
            return "closed"

    fetcher = HttpFetcher(FetchSection(private_addresses=True), PolitenessSection(), guard=Nowhere())
    outcome = await fetcher(Link("http://127.0.0.1:9/"))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "address"


async def test_an_unknown_name_is_dns() -> None:
    fetcher = HttpFetcher(FetchSection(), PolitenessSection(), resolver=StaticResolver([".test"]))
    outcome = await fetcher(Link("http://elsewhere.example/"))
    await fetcher.close()
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("dns", False)


async def test_a_name_that_takes_too_long_is_a_timeout() -> None:
    class Slow(StaticResolver):
        async def resolve(self, *_: object, **__: object) -> list:  # type: ignore[type-arg, override]
            await asyncio.sleep(3600)
            return []

    fetcher = HttpFetcher(FetchSection(connect_timeout=0.2), PolitenessSection(), resolver=Slow([]))
    outcome = await asyncio.wait_for(fetcher(Link("http://slow.test/")), PATIENCE)
    await fetcher.close()
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("timeout", True)


async def test_nobody_there_is_connect(fetcher: HttpFetcher) -> None:
    async with serving({}) as served:
        pass
    outcome = await fetcher(Link(served.url("/")))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("connect", True)


async def test_tls_with_a_server_that_has_none_is_told(fetcher: HttpFetcher) -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    outcome = await fetcher(Link(f"https://127.0.0.1:{port}/"))
    server.close()
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.retry) == ("tls", False)


async def test_cancelling_is_not_swallowed(fetcher: HttpFetcher) -> None:
    async with serving({"/": hangs_after(HEAD)}) as served:
        task = asyncio.create_task(fetcher(Link(served.url("/"))))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ssl.SSLError("x"), "tls"),
        (ConnectionResetError(), "reset"),
        (TimeoutError(), "timeout"),
        (RuntimeError("surprise"), "protocol"),
        (RecursionError(), "protocol"),
        (UnicodeError(), "protocol"),
    ],
)
def test_whatever_is_raised_has_a_kind(error: Exception, kind: str) -> None:
    assert explain(error)[0] == kind


async def test_many_at_once() -> None:
    fetcher = HttpFetcher(PATIENT, PolitenessSection())
    bodies = [f"<p>{n}".encode() for n in range(80)]
    async with serving({f"/{n}": answer(body) for n, body in enumerate(bodies)}) as served:
        outcomes = await asyncio.gather(*(fetcher(Link(served.url(f"/{n}"))) for n in range(80)))
    await fetcher.close()
    assert [outcome.body for outcome in outcomes if isinstance(outcome, Response)] == bodies

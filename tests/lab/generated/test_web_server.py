"""A generated web over real HTTP: every host behind one port, by plain URLs."""

import asyncio
import time
from collections import Counter
from contextlib import suppress

import aiohttp
import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.http import HttpFetcher
from scenthound.lab.generated.oddities import OddAnswer
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.lab.generated.web_server import DemoResolver, ServedRequest, ServerAddress, serve
from scenthound.model import Failed, Link, Response
from tests.watchdog import PATIENCE

WEB = GeneratedWeb(seed=2, pages=600, hosts=8, topics=2, tunnels=(1,))


def session(address: ServerAddress) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=DemoResolver(WEB, address), limit=16))


async def raw(address: ServerAddress, request: bytes) -> bytes:
    """Sends bytes, closes its side, and reads all that comes."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(request)
    writer.write_eof()
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def get(path: bytes) -> bytes:
    return b"GET %b HTTP/1.1\r\nHost: a.test\r\n\r\n" % path


async def test_every_page_comes_as_the_web_has_it() -> None:
    pages = {url: WEB.respond(url) for url in WEB.urls()}
    encodings: Counter[str] = Counter()
    async with serve(WEB) as address, session(address) as client:

        async def check(urls: list[str]) -> None:
            for url in urls:
                async with client.get(url, allow_redirects=False) as answer:
                    encodings[answer.headers.get("Content-Encoding", "plain")] += 1
                    assert (answer.status, await answer.read()) == (pages[url].status, pages[url].body)
                    assert answer.headers["Content-Type"] == dict(pages[url].headers)["Content-Type"]

        urls = list(pages)
        await asyncio.gather(*(check(urls[k::8]) for k in range(8)))
    assert encodings["gzip"] > 20
    assert encodings["plain"] > 200


@pytest.mark.parametrize(
    "path",
    [
        *("/robots.txt", "/old/7", "/moved/3/7", "/loop/a", "/enter/7.html", "/files/8.pdf", "/missing/1.html"),
        *("/gone/1.html", "/error/1.html", "/error/2.html", "/calendar/2026/11/", "/shop/?sid=1", "/private/a.html"),
    ],
)
async def test_accidents_come_over_the_wire_too(path: str) -> None:
    url = f"http://www.orchid-society.test{path}"
    expected = WEB.respond(url)
    async with serve(WEB) as address, session(address) as client, client.get(url, allow_redirects=False) as answer:
        assert (answer.status, await answer.read()) == (expected.status, expected.body)
        assert answer.headers.get("Location") == dict(expected.headers).get("Location")


async def test_the_crawlers_fetcher_sees_the_same_web_as_the_one_in_process() -> None:
    host = "http://www.orchid-society.test"
    odd = ("/old/7", "/loop/a", "/files/8.pdf", "/missing/1.html", "/error/2.html", "/shop/?sid=1")
    urls = [*list(WEB.urls())[::40], *(host + path for path in odd), "http://www.gone-1.test/", "http://gone.invalid/"]
    near = GeneratedFetcher(WEB)
    async with serve(WEB) as address:
        far = HttpFetcher(
            FetchSection(private_addresses=True), PolitenessSection(), resolver=DemoResolver(WEB, address)
        )
        for url in urls:
            here, there = await near(Link(url)), await far(Link(url))
            assert (type(here), here.status) == (type(there), there.status), url
            if isinstance(here, Response) and isinstance(there, Response):
                assert (here.body, here.header("location")) == (there.body, there.header("location"))
            elif isinstance(here, Failed) and isinstance(there, Failed):
                assert (here.kind, here.retry, here.retry_after) == (there.kind, there.retry, there.retry_after)
        await far.close()


async def test_names_outside_the_web_do_not_resolve() -> None:
    async with serve(WEB) as address, session(address) as client:
        for name in ("www.gone-1.test", "deep.www.orchid-society.test", "example.com"):
            with pytest.raises(aiohttp.ClientConnectorDNSError):
                await client.get(f"http://{name}/")


async def test_requests_are_recorded_with_host_path_and_times() -> None:
    log: list[ServedRequest] = []
    before = time.monotonic()
    async with serve(WEB, log=log) as address, session(address) as client:
        for url in ("http://www.orchid-society.test/", "http://orchid-society.test/x?y=1"):
            async with client.get(url, allow_redirects=False):
                pass
    assert [(asked.host, asked.path) for asked in log] == [
        ("www.orchid-society.test", "/"),
        ("orchid-society.test", "/x?y=1"),
    ]
    assert all(before <= asked.start <= asked.end <= time.monotonic() for asked in log)


async def test_a_slow_page_is_slow_and_holds_nobody_else_up() -> None:
    class Slow:
        def hosts(self) -> list[str]:
            return ["a.test"]

        def resolves(self, host: str) -> bool:
            return host == "a.test"

        def respond(self, url: str) -> OddAnswer:
            delay = {"slow": 0.3, "endless": 3600.0}.get(url.rpartition("/")[2], 0.0)
            return OddAnswer(200, body=url.encode(), delay=delay)

    log: list[ServedRequest] = []
    async with serve(Slow(), log=log) as address:
        endless = asyncio.create_task(raw(address, get(b"/endless")))
        await asyncio.sleep(0.02)
        assert b"/quick" in await raw(address, get(b"/quick"))
        assert not endless.done()
        answers = await raw(address, get(b"/slow") + get(b"/next"))
        endless.cancel()
        await asyncio.gather(endless, return_exceptions=True)
    assert answers.index(b"/slow") < answers.index(b"/next")
    (slow,) = [asked for asked in log if asked.path == "/slow"]
    assert slow.end - slow.start >= 0.3


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"HEAD / HTTP/1.1\r\nHost: www.orchid-society.test\r\nConnection: close\r\n\r\n", b"200"),
        (b"GET / HTTP/1.0\r\nHost: www.orchid-society.test\r\n\r\n", b"200"),
        (b"GET / HTTP/1.0\r\n\r\n", b"404"),
        (b"POST / HTTP/1.1\r\nHost: www.orchid-society.test\r\n\r\n", b"405"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET \xff\xfe HTTP/1.1\r\n\r\n", b"400"),
        (b"x" * 40_000, b"431"),
    ],
)
async def test_odd_requests_get_an_answer(request_: bytes, status: bytes) -> None:
    async with serve(WEB) as address:
        answer = await raw(address, request_)
    assert answer.startswith(b"HTTP/1.1 " + status)
    if request_.startswith(b"HEAD"):
        assert answer.endswith(b"\r\n\r\n")


async def test_leaving_the_block_ends_all_connections() -> None:
    async with serve(WEB) as address:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"GET / HTTP/1.1\r\nHost: www.orchid-society.test\r\n\r\n")
        await reader.readline()
        await asyncio.sleep(0)
    with suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), PATIENCE)
    with pytest.raises(OSError, match=r"."):
        await asyncio.open_connection(*address)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()

"""A web server that misbehaves on purpose: every host of `*.test` is one bad habit, named by the host.

    http://gzip-bomb.test/bad      the habit
    http://gzip-bomb.test/good     an honest page on the same host, to show that the crawl goes on
    http://gzip-bomb.test/robots.txt   404, unless the habit is about robots.txt

    async with serving() as web:
        fetcher = HttpFetcher(settings, politeness, resolver=web.resolver(), guard=web.guard())

A habit is a coroutine that gets an `Exchange`, one request and the raw connection, and does to it what it likes.
`wire.py`, `bodies.py`, `headers.py` and `cuts.py` have those that break HTTP, `pages.py` those that put something bad
in a page, `addresses.py` and `names.py` those that lead to where nobody should go, `tls.py` those that cannot be
believed, `lists.py` bad sitemaps and feeds, `spaces.py` what has no end.
What a crawl does about each, and what that costs, has a line in docs/promises.md, which `test_promises.py` reads.
URLs carry no port: the resolver supplies the server's. `web.asked` and `web.sent` say what was asked, and how many
bytes went out.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from scenthound.fetch.guard import AddressGuard
from tests.hostile.certificates import HANDSHAKES, Talk, server_context
from tests.hostile.names import ADDRESS, INSIDE, HostileResolver

PIECE = 65_536


@dataclass
class Exchange:
    """One request, and the connection to answer it on. A header's name is in lower case."""

    host: str
    path: str
    headers: dict[str, str]
    writer: asyncio.StreamWriter
    sent: Counter[str]
    count: int  # requests this host has had, this one included
    inside_port: int  # where somebody listens at INSIDE
    whole: bool = True  # whether the connection can be used again

    @property
    def query(self) -> str:
        return self.path.partition("?")[2]

    async def send(self, data: bytes) -> None:
        """In pieces, each when the client has taken most of those before: what nobody reads is not sent."""
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self.writer.write(piece)
            await self.writer.drain()
            self.sent[self.host] += len(piece)

    async def head(self, *fields: str, status: str = "200 OK") -> None:
        """Status line and fields; the type is HTML unless a field says otherwise."""
        typed = any(name.lower().startswith("content-type") for name in fields)
        lines = [f"HTTP/1.1 {status}", *([] if typed else ["Content-Type: text/html"]), *fields, "", ""]
        await self.send("\r\n".join(lines).encode("utf-8", "surrogateescape"))

    async def answer(self, body: bytes | str = b"", *fields: str, status: str = "200 OK") -> None:
        """An answer that is well-formed as far as this method is concerned."""
        body = body.encode() if isinstance(body, str) else body
        await self.head(f"Content-Length: {len(body)}", *fields, status=status)
        await self.send(body)

    async def drip(self, data: bytes, pause: float = 0.05) -> None:
        for start in range(len(data)):
            await self.send(data[start : start + 1])
            await asyncio.sleep(pause)

    def close(self) -> None:
        self.whole = False

    def reset(self) -> None:
        """End the connection with a RST instead of a FIN."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()
        self.whole = False


Habit = Callable[[Exchange], Awaitable[None]]
Changes = dict[str, dict[str, Any]]

HABITS: dict[str, Habit] = {}
"""Every bad habit by its name. Each has a line in docs/promises.md, and `test_promises.py` holds the crawl to it."""


@dataclass(frozen=True)
class Meeting:
    """How a crawl comes upon a habit: what it starts from on that host, and settings unlike those of other crawls."""

    seeds: tuple[str, ...] = ("/bad",)
    settings: Changes = field(default_factory=dict)


MEETINGS: dict[str, Meeting] = {}
"""Of the habits that one does not come upon by asking for /bad with the usual settings."""


def habit(function: Habit) -> Habit:
    """Registers a coroutine as the habit of the host that has its name: `gzip_bomb` is `gzip-bomb.test`."""
    register(function.__name__.replace("_", "-"), function)  # type: ignore[attr-defined]
    return function


def register(name: str, function: Habit) -> None:
    assert name not in HABITS
    HABITS[name] = function


def met(*seeds: str, **settings: dict[str, Any]) -> Callable[[Habit], Habit]:
    """Above `@habit`: paths or URLs to start from, in place of /bad, and sections of settings that are changed."""

    def note(function: Habit) -> Habit:
        name = next(name for name, known in HABITS.items() if known is function)
        MEETINGS[name] = Meeting(seeds or ("/bad",), settings)
        return function

    return note


NEIGHBOUR = "neighbour"
NEIGHBOUR_PAGES = ("/", "/1", "/2", "/3", "/4")
"""A host that does nothing wrong. Whatever the others do, all its pages are fetched."""


def url(name: str, path: str = "/bad") -> str:
    return f"http://{name}.test{path}"


def honest(name: str) -> str:
    """A page with nothing wrong, and words enough to be told from other hosts'."""
    own = " ".join(f"{name}{number}" for number in range(40))
    return f"<html><head><title>good page of {name}</title></head><body><p>The hound is well. {own}</p></body></html>"


def neighbourly(path: str) -> str:
    """One of the neighbour's pages: the first has links to the others."""
    links = "".join(f'<a href="{other}">page {other}</a>' for other in NEIGHBOUR_PAGES[1:]) if path == "/" else ""
    return honest(f"neighbour{path.strip('/')}").replace("</body>", f"{links}</body>")


@dataclass
class Web:
    """The server while it runs."""

    port: int = 0
    tls_port: int = 0
    inside_port: int = 0
    own_ports: dict[str, int] = field(default_factory=dict)  # of hosts that do not speak TLS where they should
    breaches: int = 0  # connections to INSIDE
    asked: list[tuple[str, str, float, dict[str, str]]] = field(default_factory=list)  # host, path, when, headers
    sent: Counter[str] = field(default_factory=Counter)

    def resolver(self) -> HostileResolver:
        return HostileResolver(self.port, self.tls_port, self.own_ports)

    def guard(self) -> AddressGuard:
        return ServerOnly()

    def paths(self, host: str) -> list[str]:
        """What a host was asked for, robots.txt left out."""
        return [path for asked, path, _, _ in self.asked if asked == f"{host}.test" and path != "/robots.txt"]

    async def breach(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.breaches += 1

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        whole = True
        while whole:
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
            host, path = headers.get("host", "").partition(":")[0], lines[0].split(" ")[1]
            self.asked.append((host, path, time.monotonic(), headers))
            count = sum(entry[0] == host for entry in self.asked)
            exchange = Exchange(host, path, headers, writer, self.sent, count, self.inside_port)
            await answer(exchange)
            whole = exchange.whole


async def answer(exchange: Exchange) -> None:
    name = exchange.host.removesuffix(".test").rpartition(".")[2]  # x.maze.test has the habit of maze.test
    if exchange.path == "/good":
        await exchange.answer(honest(name))
    elif exchange.path == "/robots.txt" and not name.startswith("robots-"):
        await exchange.answer(b"", status="404 Not Found")
    elif name == NEIGHBOUR and exchange.path in NEIGHBOUR_PAGES:
        await exchange.answer(neighbourly(exchange.path))
    elif name in HABITS:
        await HABITS[name](exchange)
    else:
        await exchange.answer(honest(name))


class ServerOnly(AddressGuard):
    """The guard as it is by default, but for the address the server has."""

    def refuses(self, ip: str) -> str | None:
        return None if ip == ADDRESS else super().refuses(ip)


@asynccontextmanager
async def serving() -> AsyncIterator[Web]:
    web = Web()
    tasks: set[asyncio.Task[None]] = set()
    servers: list[asyncio.Server] = []

    async def listen(talk: Talk, address: str = ADDRESS, context: ssl.SSLContext | None = None) -> int:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(_until_it_ends(talk, reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        servers.append(await asyncio.start_server(accept, address, 0, limit=1 << 20, ssl=context))
        return int(servers[-1].sockets[0].getsockname()[1])

    web.port = await listen(web.talk)
    web.tls_port = await listen(web.talk, context=server_context())
    web.own_ports = {name: await listen(talk) for name, talk in HANDSHAKES.items()}
    with suppress(OSError):  # not every system has more than one address of its own
        web.inside_port = await listen(web.breach, INSIDE)
    try:
        yield web
    finally:
        for server in servers:
            server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _until_it_ends(talk: Talk, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
        await talk(reader, writer)
    writer.transport.abort() if writer.is_closing() else writer.close()

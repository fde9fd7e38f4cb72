"""A generated web over real HTTP on loopback: every host of it behind one port, told apart by the Host header.

    async with serve(web) as address:
        resolver = DemoResolver(web, address)      # for the crawler's HTTP client
        ...                                        # http://www.orchid-society.test/ now works

URLs carry no port although the operating system chose one: the resolver tells the client name, address *and* port.
So the same web has the same URLs on every run. Names that are not of the web do not resolve.

The server is a bare HTTP/1.1 protocol (keep-alive, HEAD, gzip, chunks, pipelining) because it shares the
machine with the crawler it feeds.
"""

from __future__ import annotations

import asyncio
import socket
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import NamedTuple, Protocol, cast

from aiohttp.abc import ResolveResult

from scenthound.fetch.resolve import StaticResolver
from scenthound.lab.generated.oddities import OddAnswer

MAX_HEAD = 32_768
CHUNK = 4096
REASONS = {status.value: status.phrase for status in HTTPStatus}


class ServedWeb(Protocol):
    """What can be served. `GeneratedWeb` is one."""

    def hosts(self) -> list[str]: ...

    def resolves(self, host: str) -> bool: ...

    def respond(self, url: str) -> OddAnswer: ...


class ServerAddress(NamedTuple):
    host: str
    port: int


class ServedRequest(NamedTuple):
    """One request as the server saw it, for proofs of politeness. Times are of `time.monotonic`."""

    host: str
    path: str
    start: float
    end: float


class DemoResolver(StaticResolver):
    """Finds the hosts of a served web on loopback, whatever port they are on; no other name resolves."""

    def __init__(self, web: ServedWeb, address: ServerAddress) -> None:
        super().__init__(web.hosts(), address.host, address.port)
        self._web = web

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        if not self._web.resolves(host):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return await super().resolve(host, port, family)


@asynccontextmanager
async def serve(
    web: ServedWeb, host: str = "127.0.0.1", port: int = 0, log: list[ServedRequest] | None = None
) -> AsyncIterator[ServerAddress]:
    """Serves the web until the block ends; requests are appended to `log` as they end."""
    loop = asyncio.get_running_loop()
    connections: set[_Connection] = set()
    server = await loop.create_server(lambda: _Connection(web, log, connections), host, port)
    try:
        yield ServerAddress(host, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for connection in list(connections):
            connection.drop()
        await server.wait_closed()


class _Request(NamedTuple):
    method: str
    target: str
    host: str
    gzip: bool
    close: bool


class _Connection(asyncio.Protocol):
    """One client: requests in, answers out, in order. A slow answer holds back those after it."""

    def __init__(self, web: ServedWeb, log: list[ServedRequest] | None, connections: set[_Connection]) -> None:
        self.web = web
        self.log = log
        self.connections = connections
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.waiting: asyncio.TimerHandle | None = None
        self.ended = False  # the client will ask nothing more

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        self.connections.discard(self)
        if self.waiting:
            self.waiting.cancel()

    def drop(self) -> None:
        if self.transport:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._work()

    def eof_received(self) -> bool:
        """A client that only listens on still gets the answer it waits for."""
        self.ended = True
        return self.waiting is not None

    def _work(self) -> None:
        while self.transport and self.waiting is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self.buffer) > MAX_HEAD:
                    self._refuse(431)
                return
            head, self.buffer = self.buffer[:end], self.buffer[end + 4 :]
            request = _parse(head)
            if request is None or request.method not in ("GET", "HEAD"):
                self._refuse(400 if request is None else 405)
                return
            self._answer(request)

    def _answer(self, request: _Request) -> None:
        start = time.monotonic()
        answer = self.web.respond(f"http://{request.host}{request.target}")
        if answer.delay:
            loop = asyncio.get_running_loop()
            self.waiting = loop.call_later(answer.delay, self._resume, request, answer, start)
        else:
            self._send(request, answer, start)

    def _resume(self, request: _Request, answer: OddAnswer, start: float) -> None:
        self.waiting = None
        self._send(request, answer, start)
        self._work()
        if self.ended and self.waiting is None and self.transport:
            self.transport.close()

    def _send(self, request: _Request, answer: OddAnswer, start: float) -> None:
        if self.transport is None:
            return
        encoded = _encode(request, answer)
        # Before it is written: the client may have read it all when this process gets its next turn.
        end = time.monotonic()
        self.transport.write(encoded)
        if self.log is not None:
            self.log.append(ServedRequest(request.host, request.target, start, end))
        if request.close:
            self.transport.close()
            self.transport = None

    def _refuse(self, status: int) -> None:
        if self.transport:
            request = _Request("GET", "/", "", False, True)
            self.transport.write(_encode(request, OddAnswer(status)))
            self.transport.close()
            self.transport = None


def _parse(head: bytes) -> _Request | None:
    first, *fields = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, version = rest.partition(" ")
    if not version.startswith("HTTP/1.") or not target.startswith("/"):
        return None
    headers = {name.strip().lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
    connection = headers.get("connection", "").lower()
    close = connection == "close" or (version == "HTTP/1.0" and connection != "keep-alive")
    host = headers.get("host", "").lower().partition(":")[0]
    return _Request(method, target, host, "gzip" in headers.get("accept-encoding", ""), close)


def _encode(request: _Request, answer: OddAnswer) -> bytes:
    """The answer on the wire. One page in eight comes packed and in chunks, if the client can take it."""
    status, body = answer.status or 404, answer.body
    packed = request.gzip and len(body) % 8 == 0 and bool(body)
    if packed:
        packer = zlib.compressobj(1, wbits=31)
        body = packer.compress(body) + packer.flush()
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    lines += ["Content-Encoding: gzip", "Transfer-Encoding: chunked"] if packed else [f"Content-Length: {len(body)}"]
    if request.close:
        lines.append("Connection: close")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    if request.method == "HEAD":
        return head
    return head + (_chunked(body) if packed else body)


def _chunked(body: bytes) -> bytes:
    pieces = [body[start : start + CHUNK] for start in range(0, len(body), CHUNK)]
    return b"".join([b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]) + b"0\r\n\r\n"

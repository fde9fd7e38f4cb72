"""Asks the web: one request per call, bounded in time and bytes, and whatever happens is a value.

    connect_timeout   name, connection and TLS together
    read_timeout      between two pieces of the answer
    total_timeout     everything, so that a server that drips a byte now and then comes to an end
    max_bytes         as received and as unpacked, whichever is more

What the head of an answer already settles is settled there (see `answer.refuse`): the body of an image or of an
error page is not downloaded.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import aiohttp
from aiohttp.abc import AbstractCookieJar, AbstractResolver
from msgspec.structs import replace
from yarl import URL

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.answer import NOTHING, ROBOTS_BYTES, Wanted, decoded, failure, plain, refuse, settle
from scenthound.fetch.connections import BoundedConnector, NotSent, none_left
from scenthound.fetch.cookies import SiteCookies
from scenthound.fetch.guard import AddressGuard, AddressRefused, GuardedResolver, is_literal
from scenthound.fetch.logins import Logins
from scenthound.fetch.request_signer import RequestSigner
from scenthound.fetch.resolve import SystemResolver
from scenthound.fetch.unpack import ACCEPT_ENCODING, BadCoding, TooMuch, UnknownCoding, Unpacker
from scenthound.fetch.user_agent import user_agent
from scenthound.model import Failed, FailureKind, Link, Response
from scenthound.protocols.crawl import Clock

ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"
MAX_LINE = 16_384  # bytes of a status line
MAX_FIELD = 32_768  # bytes of one header field: some security policies are longer than they should be
MAX_FIELDS = 128
SPARE_BYTES = 16_384  # of a body nobody wants, read so that the connection can be used again
SPARE_SECONDS = 0.5
HANDLE_PAUSE = 0.2  # seconds, until another request has ended and given its connection back
CONDITIONS = frozenset({"if-none-match", "if-modified-since"})

_unprintable = re.compile(r"[^\x21-\x7e]").search


class ConnectionBroken(aiohttp.ClientError):
    """The connection ended before the answer began.

    aiohttp repeats a GET by itself after `ServerDisconnectedError` and `ClientOSError`. A second request within
    milliseconds is what politeness forbids, so the two are turned into this one, which it passes on.
    """


class OpenAnswer(aiohttp.ClientResponse):
    """A response that remembers who sent it: a short one has let go of its connection before we can ask."""

    address = ""

    async def start(self, connection: Any) -> aiohttp.ClientResponse:
        transport = connection.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        if peer:
            self.address = peer[0]
        try:
            return await super().start(connection)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
            # A connection that ended within the headers has what was read of them for its message.
            told = isinstance(getattr(error, "message", ""), str)
            message = str(error) if told else "the connection ended within the headers"
            raise ConnectionBroken(message or type(error).__name__) from error


class HttpFetcher:
    """The fetcher for the live web. Opens its connections on first use, inside the running loop."""

    conditional = True  # headers may be given, to ask only for what has changed

    def __init__(
        self,
        settings: FetchSection,
        politeness: PolitenessSection,
        *,
        clock: Clock = time.time,
        resolver: AbstractResolver | None = None,
        guard: AddressGuard | None = None,
        tls: ssl.SSLContext | None = None,
        wanted: Wanted = NOTHING,
        signer: RequestSigner | None = None,
        logins: Logins | None = None,
    ) -> None:
        """`tls`: whose certificates are believed; where it is not given, those that the system believes.

        `wanted`: formats of files that are downloaded beside pages. `signer` signs every request, and `logins` know
        what some hosts want to see.
        """
        self.parallel = settings.parallel
        self._settings = settings
        self._politeness = politeness
        self._clock = clock
        self._resolver = resolver
        self._guard = guard or AddressGuard(settings.private_addresses)
        self._tls = tls
        self._wanted = wanted
        self._signer = signer
        self._logins = logins or Logins()
        self._session: aiohttp.ClientSession | None = None
        self._connector: BoundedConnector | None = None
        self._may_send: Callable[[], bool] = lambda: True

    def ask_only_while(self, may: Callable[[], bool]) -> None:
        self._may_send = may

    async def __call__(self, link: Link, headers: Mapping[str, str] | None = None) -> Response | Failed:
        """One request. `headers` are sent besides our own, for instance to ask only for what has changed."""
        at = self._clock()
        started = time.perf_counter()
        try:
            outcome = await self._ask_when_possible(link, headers, at, started)
        except NotSent:
            outcome = await asyncio.get_running_loop().create_future()  # it waits to be given up
        except Exception as error:
            kind, detail, retry = explain(error)
            outcome = Failed(link.url, kind, detail, retry=retry, at=at, elapsed=time.perf_counter() - started)
        return outcome

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        resolver, self._resolver = self._resolver, None
        if resolver is not None:
            await resolver.close()

    async def _ask_when_possible(
        self, link: Link, headers: Mapping[str, str] | None, at: float, started: float
    ) -> Response | Failed:
        """As `_ask`. Where this machine has no handle left for a connection, that is nothing to hold against a host."""
        while True:
            try:
                return await self._ask(link, headers, at, started)
            except Exception as error:
                if not none_left(error) or time.perf_counter() - started > self._settings.total_timeout:
                    raise
            if self._connector is not None:
                self._connector.close_idle()
            await asyncio.sleep(HANDLE_PAUSE)

    async def _ask(self, link: Link, headers: Mapping[str, str] | None, at: float, started: float) -> Response | Failed:
        if _unprintable(link.url):
            return Failed(link.url, "protocol", "the URL is not in canonical form", at=at)
        url = URL(link.url, encoded=True)
        host = url.raw_host or ""
        if is_literal(host):
            reason = self._guard.refuses(host)
            if reason is not None:
                return Failed(link.url, "address", f"{host}: {reason}", at=at)
        session = self._session or self._open()
        reply = await session.get(url, headers=self._with_identity(url, headers), allow_redirects=False)
        try:
            return await self._read(reply, link, at, started, headers is not None and _conditional(headers))
        finally:
            if not reply.closed:
                reply.close()

    def _with_identity(self, url: URL, headers: Mapping[str, str] | None) -> Mapping[str, str] | None:
        """The headers, and those that say who asks: a signature, a login."""
        if self._signer is None and not self._logins:
            return headers
        own = self._logins.headers(url.scheme, url.raw_host or "", url.raw_path)
        signed = self._signer.headers(url.raw_authority) if self._signer is not None else {}
        return {**own, **signed, **(headers or {})}

    async def _read(
        self, reply: aiohttp.ClientResponse, link: Link, at: float, started: float, conditional: bool
    ) -> Response | Failed:
        head = Response(link.url, reply.status, decoded(reply.raw_headers), at=at)
        refused = refuse(head, link.kind, conditional, self._wanted)
        if refused is not None or 300 <= head.status < 400:
            await _spare(reply)
            elapsed = time.perf_counter() - started
            return replace(refused, elapsed=elapsed) if refused else self._whole(reply, head, elapsed, b"", 0)
        robots = link.kind == "robots"
        limit = ROBOTS_BYTES if robots else self._settings.max_bytes
        if not robots and (reply.content_length or 0) > limit:
            failed = failure(head, "too-large", f"{reply.content_length} bytes")
            return replace(failed, elapsed=time.perf_counter() - started)
        unpacker = Unpacker(reply.headers.get("Content-Encoding", ""), limit)
        try:
            await _collect(reply, unpacker)
        except TooMuch:
            if not robots:
                failed = failure(head, "too-large", f"more than {limit} bytes")
                return replace(failed, elapsed=time.perf_counter() - started)
        elapsed = time.perf_counter() - started
        whole = self._whole(reply, head, elapsed, unpacker.body(), unpacker.wire)
        return settle(whole, link.kind, self._wanted)

    def _whole(self, reply: aiohttp.ClientResponse, head: Response, elapsed: float, body: bytes, wire: int) -> Response:
        return Response(
            head.url,
            head.status,
            head.headers,
            body,
            head.at,
            elapsed,
            getattr(reply, "address", ""),
            wire,
            tuple(pair for pair in reply.request_info.headers.items() if pair[0].lower() not in self._logins.names),
        )

    def _open(self) -> aiohttp.ClientSession:
        settings = self._settings
        if self._resolver is None:
            self._resolver = SystemResolver(min(max(settings.parallel, 4), 64))
        connector = self._connector = BoundedConnector(
            may_send=lambda: self._may_send(),
            ssl=self._tls or True,
            limit=0,  # how many, and how many a host: the frontier's decision
            resolver=GuardedResolver(self._resolver, self._guard),
            ttl_dns_cache=300,
            dns_cache_max_size=10_000,
            # Long enough to meet the next request to the host, short enough that idle hosts hold no sockets.
            keepalive_timeout=min(15.0, 3.0 + 2.0 * self._politeness.delay),
        )
        jar: AbstractCookieJar = SiteCookies() if settings.cookies else aiohttp.DummyCookieJar()
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=jar,
            auto_decompress=False,
            response_class=OpenAnswer,
            headers={
                "User-Agent": user_agent(self._politeness),
                "Accept": ACCEPT,
                "Accept-Encoding": ACCEPT_ENCODING,
            },
            timeout=aiohttp.ClientTimeout(
                total=settings.total_timeout, connect=settings.connect_timeout, sock_read=settings.read_timeout
            ),
            max_line_size=MAX_LINE,
            max_field_size=MAX_FIELD,
            max_headers=MAX_FIELDS,
        )
        return self._session


def explain(error: Exception) -> tuple[FailureKind, str, bool]:
    """Kind, detail and whether it may pass if asked again, of whatever a request can raise."""
    detail = plain(str(error)) or type(error).__name__
    match error:
        case aiohttp.ClientConnectorDNSError():
            if isinstance(error.os_error, AddressRefused):
                return "address", str(error.os_error), False
            return "dns", plain(error.os_error.strerror or detail), error.os_error.errno == socket.EAI_AGAIN
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError() | ssl.SSLError():
            return "tls", _tls_words(error) or detail, False
        case aiohttp.ConnectionTimeoutError():
            return "timeout", "connecting took too long", True
        case aiohttp.SocketTimeoutError():
            return "timeout", "the server fell silent", True
        case TimeoutError():
            return "timeout", "the whole answer took too long", True
        case aiohttp.ClientConnectorError() if error.os_error.errno is None:
            # Whatever happens to a connection before TLS has a number.
            return "tls", "the connection ended within the handshake", True
        case aiohttp.ClientConnectorError():
            return "connect", plain(error.os_error.strerror or detail), True
        case ConnectionBroken() | aiohttp.ServerDisconnectedError() | CutShort():
            return "reset", detail, True
        case aiohttp.ClientPayloadError():
            return _payload(error)
        case UnknownCoding():
            return "protocol", f"unknown content coding: {detail}", False
        case BadCoding():
            return "protocol", f"bad content coding: {detail}", False
        case OSError():
            return "reset", detail, True
        case aiohttp.ClientResponseError():
            return "protocol", plain(error.message), False
    return "protocol", plain(repr(error)), False


def _tls_words(error: Exception) -> str:
    """Why a certificate or a handshake was refused, without the names of the libraries that refused it."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return plain(getattr(cause, "verify_message", "")).rstrip(".")
    return plain(getattr(cause, "reason", None) or "").replace("_", " ").lower()


class CutShort(Exception):
    """A coded body that ended before its coding did."""


def _payload(error: aiohttp.ClientPayloadError) -> tuple[FailureKind, str, bool]:
    """A body that stopped early is a broken connection; one that lied about its chunks is a broken server."""
    detail = plain(str(error) or repr(error.__cause__))
    early = "not completed" in detail or isinstance(error.__cause__, OSError)
    return ("reset", detail, True) if early else ("protocol", detail, False)


async def _collect(reply: aiohttp.ClientResponse, unpacker: Unpacker) -> None:
    content = reply.content
    while not content.at_eof():
        piece = await content.readany()
        if piece:
            unpacker.feed(piece)
    if not unpacker.complete():
        raise CutShort("the coded body is cut short")


async def _spare(reply: aiohttp.ClientResponse) -> None:
    """Reads a short body that is not wanted, because a connection in mid-answer could not be used again."""
    if reply.closed or (reply.content_length or 0) > SPARE_BYTES:
        return
    read = 0
    with suppress(Exception):
        async with asyncio.timeout(SPARE_SECONDS):
            while read <= SPARE_BYTES and not reply.content.at_eof():
                read += len(await reply.content.readany())


def _conditional(headers: Mapping[str, str]) -> bool:
    return any(name.lower() in CONDITIONS for name in headers)

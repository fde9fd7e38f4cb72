"""Names to addresses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult


class SystemResolver(AbstractResolver):
    """The operating system's resolver, on threads of its own.

    The event loop's shared threads are few (four under uvloop), and names that do not answer hold one for many
    seconds each: a handful of dead hosts would stop a whole crawl.
    """

    def __init__(self, threads: int = 16) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="resolver")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, _lookup, host, port, family)
        return [_result(host, address, found_port, kind) for kind, address, found_port in found]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class StaticResolver(AbstractResolver):
    """A fixed answer for names that end in one of `suffixes`; the rest do not exist, or are `fallback`'s business.

    With a `port`, every such name is served from that port whatever its URL says, so that a web of many hosts can
    live behind one socket and still have plain addresses such as http://gardens.test/.
    """

    def __init__(
        self,
        suffixes: Iterable[str],
        address: str | Iterable[str] = "127.0.0.1",
        port: int | None = None,
        fallback: AbstractResolver | None = None,
    ) -> None:
        self._suffixes = tuple(suffix.lower() for suffix in suffixes)
        self._addresses = (address,) if isinstance(address, str) else tuple(address)
        self._port = port
        self._fallback = fallback

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        if host.lower().rstrip(".").endswith(self._suffixes):
            return [_result(host, address, self._port or port, _family(address)) for address in self._addresses]
        if self._fallback is not None:
            return await self._fallback.resolve(host, port, family)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async def close(self) -> None:
        if self._fallback is not None:
            await self._fallback.close()


def _lookup(host: str, port: int, family: int) -> list[tuple[int, str, int]]:
    infos = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    known = (socket.AF_INET, socket.AF_INET6)
    return [(int(kind), str(address[0]), int(address[1])) for kind, _, _, _, address in infos if kind in known]


def _result(host: str, address: str, port: int, family: int) -> ResolveResult:
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=flags)


def _family(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET

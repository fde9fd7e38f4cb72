"""Names that resolve badly: other answers every time, private ones among public, none, too many.

    @answers("dns-rebinding")
    def first_here_then_inside(asked: int) -> list[str]: ...      asked: how often before this one

The names are hosts of the hostile web like any other, with an address made up by such a function.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable

from aiohttp.abc import ResolveResult

from scenthound.fetch.resolve import StaticResolver

ADDRESS = "127.0.0.1"
"""Of the server, as far as crawls may know it."""

INSIDE = "127.0.0.2"
"""An address that must not be asked, and where somebody listens who tells when it is."""

PRIVATE = "10.11.12.13"
"""What names that end in `.inside.test` resolve to."""

NameAnswer = Callable[[int], list[str]]
ANSWERS: dict[str, NameAnswer] = {}


def answers(name: str) -> Callable[[NameAnswer], NameAnswer]:
    def note(function: NameAnswer) -> NameAnswer:
        ANSWERS[name] = function
        return function

    return note


class HostileResolver(StaticResolver):
    """`ports` are the server's: by scheme, and those of hosts that have one of their own."""

    def __init__(self, port: int, tls_port: int, own_ports: dict[str, int]) -> None:
        super().__init__([".test"], ADDRESS, port)
        self.asked: Counter[str] = Counter()
        self._ports = {443: tls_port}
        self._own_ports = own_ports
        self._port_of_all = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        self.asked[host] += 1
        name = host.removesuffix(".test").rpartition(".")[2]
        found = self._own_ports.get(name) if port == 443 else None
        there = found or self._ports.get(port, self._port_of_all)
        if host == "localhost" or host.endswith(".localhost"):
            addresses = [INSIDE]
        elif host.endswith(".inside.test"):
            addresses = [PRIVATE]
        elif name in ANSWERS:
            addresses = ANSWERS[name](self.asked[host] - 1)
            if addresses == ["never"]:
                await asyncio.sleep(3600)
        elif host.endswith(".test"):
            addresses = [ADDRESS]
        else:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return await StaticResolver([host], addresses, there).resolve(host, port, family)


@answers("dns-rebinding")
def rebinding(asked: int) -> list[str]:
    """What is checked and what is used would be two answers, for whoever asks twice."""
    return [ADDRESS] if asked == 0 else [INSIDE]


@answers("dns-mixed")
def mixed(asked: int) -> list[str]:
    return [INSIDE, PRIVATE, "::1", ADDRESS]


@answers("dns-mapped")
def mapped(asked: int) -> list[str]:
    return [f"::ffff:{INSIDE}"]


@answers("dns-nat64")
def nat64(asked: int) -> list[str]:
    return ["64:ff9b::7f00:2"]


@answers("dns-many")
def many(asked: int) -> list[str]:
    return [*(f"127.{number // 256}.{number % 256}.7" for number in range(5_000)), ADDRESS]


@answers("dns-empty")
def empty(asked: int) -> list[str]:
    return []


@answers("dns-nonsense")
def nonsense(asked: int) -> list[str]:
    return ["0177.0.0.2", "127.2", "not an address", ""]


@answers("dns-missing")
def missing(asked: int) -> list[str]:
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@answers("dns-failing")
def failing(asked: int) -> list[str]:
    raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")


@answers("dns-silent")
def silent(asked: int) -> list[str]:
    return ["never"]

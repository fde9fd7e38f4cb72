"""Which addresses a crawler must not ask, and a resolver that never gives one out.

A link on any page of the web can name our own machine, our own network, or the metadata service of a cloud. So the
address is checked, not the name: after resolution, on the very list that is connected to, which leaves a name no
second answer to change its mind with. What does not parse as an address in plain notation is refused.

An IPv6 address may carry an IPv4 address inside (mapped, translated, 6to4, NAT64, Teredo, ISATAP): then both count.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from aiohttp.abc import AbstractResolver, ResolveResult

METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "169.254.169.254",  # most clouds
        "169.254.169.253",
        "169.254.170.2",  # credentials of containers
        "169.254.170.23",
        "168.63.129.16",  # a public address that only answers inside its cloud
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)

# Refused unless the operator allows private addresses.
PRIVATE_V4 = {
    IPv4Network("127.0.0.0/8"): "loopback",
    IPv4Network("10.0.0.0/8"): "private",
    IPv4Network("172.16.0.0/12"): "private",
    IPv4Network("192.168.0.0/16"): "private",
    IPv4Network("169.254.0.0/16"): "link-local",
    IPv4Network("100.64.0.0/10"): "carrier-grade NAT",
}
PRIVATE_V6 = {
    IPv6Network("::1/128"): "loopback",
    IPv6Network("fc00::/7"): "unique local",
    IPv6Network("fe80::/10"): "link-local",
    IPv6Network("fec0::/10"): "site-local",
}

# Refused always: nobody's web is there.
NEVER_V4 = {
    IPv4Network("0.0.0.0/8"): "unspecified",
    IPv4Network("192.0.0.0/24"): "reserved",
    IPv4Network("192.0.2.0/24"): "documentation",
    IPv4Network("192.88.99.0/24"): "reserved",
    IPv4Network("198.18.0.0/15"): "benchmarking",
    IPv4Network("198.51.100.0/24"): "documentation",
    IPv4Network("203.0.113.0/24"): "documentation",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}
NEVER_V6 = {
    IPv6Network("::/128"): "unspecified",
    IPv6Network("ff00::/8"): "multicast",
    IPv6Network("2001:2::/48"): "benchmarking",
    IPv6Network("2001:10::/28"): "reserved",
    IPv6Network("2001:20::/28"): "reserved",
    IPv6Network("2001:db8::/32"): "documentation",
    IPv6Network("3fff::/20"): "documentation",
    IPv6Network("64:ff9b:1::/48"): "local NAT64",
}

GLOBAL_V6 = IPv6Network("2000::/3")  # all that is assigned for use in public
CARRIES_LAST_32 = tuple(IPv6Network(net) for net in ("::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"))
SIX_TO_FOUR = IPv6Network("2002::/16")
TEREDO = IPv6Network("2001::/32")
ISATAP = (0x0000_5EFE, 0x0200_5EFE)


class AddressGuard:
    """Says why an address must not be asked. `allow_private` opens loopback and private networks, nothing else."""

    def __init__(self, allow_private: bool = False) -> None:
        self.allow_private = allow_private

    def refuses(self, ip: str) -> str | None:
        """The reason, or None where the address may be asked."""
        reason = _refusal(ip, self.allow_private)
        if reason is not None and not self.allow_private and _refusal(ip, True) is None:
            return f"{reason}, needs --allow-private"
        return reason


@lru_cache(maxsize=4096)
def _refusal(ip: str, allow_private: bool) -> str | None:
    try:
        address = ipaddress.ip_address(ip.strip("[]").partition("%")[0])
    except ValueError:
        return "not an address in plain notation"
    return _reason(address, allow_private)


def _reason(address: IPv4Address | IPv6Address, allow_private: bool) -> str | None:
    if address in METADATA:
        return "metadata service"
    if isinstance(address, IPv4Address):
        return _named(address, NEVER_V4) or (None if allow_private else _named(address, PRIVATE_V4))
    reason = _named(address, NEVER_V6)
    if reason is not None:
        return reason
    for inner in _carried(address):
        inside = _reason(inner, allow_private)
        if inside is not None:
            return f"{inside} ({inner} inside)"
    private = _named(address, PRIVATE_V6)
    if private is not None:
        return None if allow_private else private
    if address in GLOBAL_V6 or any(address in net for net in CARRIES_LAST_32):
        return None
    return "reserved"


def _named(address: IPv4Address | IPv6Address, table: dict[IPv4Network, str] | dict[IPv6Network, str]) -> str | None:
    return next((name for net, name in table.items() if address in net), None)


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses inside an IPv6 address, by every scheme that puts one there."""
    bits = int(address)
    low = bits & 0xFFFF_FFFF
    if any(address in net for net in CARRIES_LAST_32) or (bits >> 32) & 0xFFFF_FFFF in ISATAP:
        yield IPv4Address(low)
    if address in SIX_TO_FOUR:
        yield IPv4Address((bits >> 80) & 0xFFFF_FFFF)
    if address in TEREDO:
        yield IPv4Address((bits >> 64) & 0xFFFF_FFFF)  # the relay
        yield IPv4Address(low ^ 0xFFFF_FFFF)  # the client, stored inverted


class AddressRefused(OSError):
    """A name all of whose addresses are refused. An `OSError`, because that is what a resolver may raise."""


class GuardedResolver(AbstractResolver):
    """Gives out what the inner resolver found and the guard does not refuse. Nothing left is a refusal."""

    def __init__(self, inner: AbstractResolver, guard: AddressGuard) -> None:
        self._inner = inner
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        reasons = [self._guard.refuses(answer["host"]) for answer in found]
        kept = [answer for answer, reason in zip(found, reasons, strict=True) if reason is None]
        if found and not kept:
            raise AddressRefused(f"{host} is {found[0]['host']}: {reasons[0]}")
        return kept

    async def close(self) -> None:
        await self._inner.close()


def is_literal(host: str) -> bool:
    """Whether a host is written as a number, so that no resolver will see it (WHATWG: its last label is one)."""
    if ":" in host:
        return True
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdigit() or last[:2].lower() == "0x"

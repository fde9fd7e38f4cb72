"""Hosts whose https cannot be believed. What they do is in `certificates.py`; their http is in order."""

from __future__ import annotations

from tests.hostile.certificates import CERTIFICATES, HANDSHAKES
from tests.hostile.server import MEETINGS, Exchange, Meeting, honest, register

# Without robots.txt, which fails in the same way and has tests of its own, the page tells why it was not fetched.
POLITE = {"delay": 0.0, "robots": False}
HURRIED = {"connect_timeout": 2.5, "retries": 0}


async def _ordinary(exchange: Exchange) -> None:
    await exchange.answer(honest(exchange.host.removesuffix(".test")))


for name in (*CERTIFICATES, *HANDSHAKES):
    register(name, _ordinary)
    settings = {"politeness": POLITE} | ({"fetch": HURRIED} if name == "tls-silent" else {})
    MEETINGS[name] = Meeting((f"https://{name}.test/bad",), settings)

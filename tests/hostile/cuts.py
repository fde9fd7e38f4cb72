"""Answers that end too early, at every byte there is: `/bad?17` ends after seventeen.

The last seed of each is the whole answer. All others are no page, wherever they end.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable

from tests.hostile.server import MEETINGS, Exchange, Habit, Meeting, register

PAGE = b"<title>whole</title><p>The hound is well."
PACKED = gzip.compress(PAGE, mtime=0)

WHOLE = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(PAGE), PAGE),
    "chunks": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (20, PAGE[:20], len(PAGE) - 20, PAGE[20:]),
    "gzip": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
    + PACKED,
}
"""What is cut. Of the last only the coding says where it ends."""


def _cut(whole: bytes, end: Callable[[Exchange], None]) -> Habit:
    async def act(exchange: Exchange) -> None:
        await exchange.send(whole[: int(exchange.query or 0)])
        end(exchange)

    return act


def seeds(whole: bytes) -> tuple[str, ...]:
    return tuple(f"/bad?{length}" for length in range(len(whole) + 1))


for _framing, _whole in WHOLE.items():
    for _way, _end in {"reset": Exchange.reset, "close": Exchange.close}.items():
        _name = f"{_way}-at-every-byte-of-{_framing}"
        register(_name, _cut(_whole, _end))
        MEETINGS[_name] = Meeting(seeds(_whole), {"fetch": {"retries": 0}})

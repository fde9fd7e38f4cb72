"""Pages on many loopback addresses, from a process that costs little: `light_server.py PORT LATENCY`.

Each address is a host (127.0.2.1, 127.0.2.2 ...). A page has about 9 KB and 40 links, a quarter of them to other hosts.
Answers take LATENCY seconds each. It keeps connections open, and reads nothing of a request but its first line.
"""

from __future__ import annotations

import asyncio
import sys
from functools import cache
from random import Random

HOSTS, PAGES, LINKS = 32, 400, 40
WORDS = ("otter", "river", "fish", "stone", "bank", "water", "reed", "mud", "winter", "light", "bridge", "heron")


def hosts(port: int) -> list[str]:
    return [f"127.0.2.{n}:{port}" for n in range(1, HOSTS + 1)]


def page(host: str, number: int, port: int) -> bytes:
    random, names = Random(f"{host} {number}"), hosts(port)
    targets = [host if random.random() < 0.75 else random.choice(names) for _ in range(LINKS)]
    parts = [f"<title>Page {number} of {host}</title>"]
    for target in targets:
        said = " ".join(random.choices(WORDS, k=22))
        parts.append(f'<p>{said} <a href="http://{target}/{random.randrange(PAGES)}">{random.choice(WORDS)}</a></p>')
    return "".join(parts).encode()


@cache
def answered(host: str, path: str, port: int) -> bytes:
    """Made once: the same pages are asked for by one crawl after the other."""
    if not path[1:].isdecimal():
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    body = page(host, int(path[1:]), port)
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class Served(asyncio.Protocol):
    """One connection: requests come one after the other."""

    def __init__(self, port: int, latency: float) -> None:
        self._port, self._latency, self._read = port, latency, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._host = transport.get_extra_info("sockname")[0]

    def data_received(self, data: bytes) -> None:
        self._read += data
        if self._read.endswith(b"\r\n\r\n"):
            path = self._read.split(b" ", 2)[1].decode()
            self._read = b""
            found = answered(f"{self._host}:{self._port}", path, self._port)
            asyncio.get_running_loop().call_later(self._latency, self._transport.write, found)


async def serve(port: int, latency: float) -> None:
    loop = asyncio.get_running_loop()
    for host in hosts(port):
        await loop.create_server(lambda: Served(port, latency), host.partition(":")[0], port)
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))

"""Serves a recorded web of one host on loopback: `recorded_web.py WARC START` prints its port, then answers for ever.

`/start.html` links to the pages to begin with, the same for every crawler; START lists them. `/requests` says how many
requests came, and how many seconds lay between the first and the last.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from scenthound.fetch.fetcher_for import recording
from scenthound.model import Link, Response


def response(status: str, body: bytes, kind: str = "text/html") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class RecordedWeb:
    def __init__(self, warc: Path, starts: list[str]) -> None:
        self.fetcher = recording([warc])
        self.origin = "://".join(urlsplit(starts[0])[:2])
        links = "".join(f'<li><a href="{urlsplit(url).path}">{urlsplit(url).path}</a>' for url in starts)
        self.start = response("200 OK", f"<title>Start</title><h1>Start here</h1><ul>{links}</ul>".encode())
        self.times: list[float] = []

    async def answer(self, path: str) -> bytes:
        if path == "/requests":
            told = {"requests": len(self.times), "seconds": self.times[-1] - self.times[0] if self.times else 0.0}
            return response("200 OK", json.dumps(told).encode(), "application/json")
        if path == "/robots.txt":
            return response("200 OK", b"User-agent: *\nDisallow:\n", "text/plain")
        self.times.append(time.perf_counter())
        if path == "/start.html":
            return self.start
        found = await self.fetcher(Link(f"{self.origin}{path}"))
        if not isinstance(found, Response):
            return response("404 Not Found", b"no such page")
        return response("200 OK", found.body, found.header("content-type", "text/html"))


class Connection(asyncio.Protocol):
    def __init__(self, web: RecordedWeb) -> None:
        self.web = web
        self.rest = b""
        self.transport: asyncio.Transport | None = None
        self.turn = asyncio.Lock()
        self.tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *heads, self.rest = (self.rest + data).split(b"\r\n\r\n")
        for head in heads:
            method, path, _ = head.split(b" ", 2)
            task = asyncio.create_task(self.reply(method, path.partition(b"?")[0].decode("latin-1")))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def reply(self, method: bytes, path: str) -> None:
        async with self.turn:
            answer = await self.web.answer(path)
            assert self.transport is not None
            self.transport.write(answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == b"HEAD" else answer)


async def main(warc: Path, starts: list[str]) -> None:
    web = RecordedWeb(warc, starts)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(web), "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), json.loads(sys.argv[2])))

"""Serves the web on loopback: `server.py KIND PAGES` prints a line of JSON with the start page, then answers for ever.

Responses are put together beforehand and a request costs one look-up and one write, so that it is never the server
who is measured.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import cast

import uvloop
import webpages

ROBOTS = b"User-agent: *\nDisallow: /private/\n"


def response(status: str, kind: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nServer: loopback\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def responses(web: webpages.Web) -> dict[bytes, bytes]:
    answers = {path.encode(): response("200 OK", "text/html; charset=utf-8", page) for path, page in web.pages.items()}
    return answers | {b"/robots.txt": response("200 OK", "text/plain", ROBOTS)}


class Connection(asyncio.Protocol):
    def __init__(self, answers: dict[bytes, bytes]) -> None:
        self.answers = answers
        self.rest = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        assert self.transport is not None
        *heads, self.rest = (self.rest + data).split(b"\r\n\r\n")
        for head in heads:
            path = head.split(b" ", 2)[1].partition(b"?")[0]
            self.transport.write(self.answers.get(path, MISSING))


MISSING = response("404 Not Found", "text/plain", b"no such page\n")


async def main(kind: str, pages: int) -> None:
    web = webpages.make(kind, pages)
    answers = responses(web)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(answers), "127.0.0.1", 0, backlog=512)
    port = server.sockets[0].getsockname()[1]
    about = {
        "start": f"http://127.0.0.1:{port}{webpages.FRONT}",
        "pages": len(web.pages),
        "topic": web.topic,
        "about": webpages.describe(web),
    }
    print(json.dumps(about), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2])))

"""Serves a recorded web on loopback: `recorded_web.py WARC '{"starts": [URL], ...}'` prints its port, then answers.

`/start.html` links to the pages to begin with, the same for every crawler; `/seeds` says where these are. `/requests`
says how many requests came, and how many seconds lay between the first and the last.

A web of one host is served as it is. Of one with many (`"hosts": true`) each host has an address of loopback of its
own, so that no crawler needs to be told where hosts are, and all see them as hosts: `http://www.example.org/a` is
`http://127.0.1.7:PORT/www.example.org/a`. The name is still in the address, since words in names lead crawlers, too.
Links are rewritten accordingly, and those that lead out of `scope` (domains; none = all) are no links.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from scenthound import urls
from scenthound.fetch.fetcher_for import recording
from scenthound.fetch.replay import ReplayFetcher
from scenthound.model import Link, Response
from scenthound.parse.charset import to_utf8

HTML = "text/html; charset=utf-8"
COMMON = "127.0.0.1"
"""Address of `/start.html`, and of hosts of which nothing was recorded."""
IN_A_ROW = 250
LINKED = {"a": "href", "area": "href", "link": "href", "frame": "src", "iframe": "src"}


def canonical(url: str) -> str:
    """The one spelling of an address, as the recording is looked up by; empty where it is none."""
    spelt = urls.canonical(url)
    return spelt if isinstance(spelt, str) else ""


class OneHost:
    """Paths are the recording's own."""

    def __init__(self, starts: Sequence[str]) -> None:
        self.origin = "://".join(urlsplit(starts[0])[:2])

    def url(self, path: str) -> str:
        return canonical(f"{self.origin}{path}")

    def path(self, url: str) -> str | None:
        return urlsplit(url).path or "/"

    def served(self, found: Response) -> tuple[bytes, str]:
        return found.body, found.header("content-type", "text/html")


class ManyHosts:
    """Each at an address of its own; the first part of a path is its name."""

    def __init__(self, scope: Sequence[str] = (), hosts: Iterable[str] = (), port: int = 0) -> None:
        self.scope = tuple(scope)
        self.port = port
        self.addresses = {
            host: f"127.0.{1 + number // IN_A_ROW}.{1 + number % IN_A_ROW}" for number, host in enumerate(sorted(hosts))
        }

    def url(self, path: str) -> str:
        host, _, rest = path.lstrip("/").partition("/")
        return canonical(f"http://{host}/{rest}")

    def path(self, url: str) -> str | None:
        """Where an address is served; none where it is out of scope, or no address of a page."""
        parts = urlsplit(canonical(url))
        host = parts.hostname or ""
        if not host or (self.scope and not any(host == each or host.endswith(f".{each}") for each in self.scope)):
            return None
        place = f"http://{self.addresses.get(host, COMMON)}:{self.port}/{host}"
        return f"{place}{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"

    def served(self, found: Response) -> tuple[bytes, str]:
        """The page with its links rewritten: an address in the text, a script or an image stays as it was."""
        tree = LexborHTMLParser(to_utf8(found.body, found.header("content-type"))[0])
        base = found.url
        for node in tree.css("base"):
            base = urljoin(base, (node.attributes.get("href") or "").strip())
            node.decompose()
        for tag, attribute in LINKED.items():
            for node in tree.css(f"{tag}[{attribute}]"):
                if (path := self._linked(base, node.attributes.get(attribute) or "")) is not None:
                    node.attrs[attribute] = path
                else:
                    del node.attrs[attribute]
        return (tree.html or "").encode(), HTML

    def _linked(self, base: str, link: str) -> str | None:
        try:
            return self.path(urljoin(base, link.strip()))
        except ValueError:
            return None


def response(status: str, body: bytes, kind: str = "text/html") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class RecordedWeb:
    def __init__(self, fetcher: ReplayFetcher, places: OneHost | ManyHosts, starts: Sequence[str]) -> None:
        self.fetcher = fetcher
        self.places = places
        self.starts = [path for path in map(places.path, starts) if path]
        links = "".join(f'<li><a href="{path}">{path}</a>' for path in self.starts)
        self.start = response("200 OK", f"<title>Start</title><h1>Start here</h1><ul>{links}</ul>".encode())
        self.times: list[float] = []

    async def answer(self, path: str) -> bytes:
        if path == "/requests":
            told = {"requests": len(self.times), "seconds": self.times[-1] - self.times[0] if self.times else 0.0}
            return response("200 OK", json.dumps(told).encode(), "application/json")
        if path == "/seeds":
            return response("200 OK", json.dumps(self.starts).encode(), "application/json")
        if path == "/robots.txt":
            return response("200 OK", b"User-agent: *\nDisallow:\n", "text/plain")
        self.times.append(time.perf_counter())
        if path == "/start.html":
            return self.start
        found = await self.fetcher(Link(self.places.url(path)))
        if not isinstance(found, Response):
            return response("404 Not Found", b"no such page")
        return response("200 OK", *self.places.served(found))


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
            task = asyncio.create_task(self.reply(method, path.decode("latin-1")))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def reply(self, method: bytes, path: str) -> None:
        async with self.turn:
            answer = await self.web.answer(path)
            assert self.transport is not None
            self.transport.write(answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == b"HEAD" else answer)


async def main(warc: Path, starts: list[str], scope: Sequence[str] = (), hosts: bool = False) -> None:
    fetcher = recording([warc], either_scheme=hosts)
    first = socket.create_server((COMMON, 0), backlog=512)
    port = first.getsockname()[1]
    names = {name for url in fetcher.urls() if (name := urlsplit(url).hostname)} if hosts else set()
    places = ManyHosts(scope, names, port) if hosts else OneHost(starts)
    web = RecordedWeb(fetcher, places, starts)
    others = [socket.create_server((each, port), backlog=512) for each in getattr(places, "addresses", {}).values()]
    servers = [
        await asyncio.get_running_loop().create_server(lambda: Connection(web), sock=each) for each in (first, *others)
    ]
    print(port, flush=True)
    await asyncio.gather(*(each.serve_forever() for each in servers))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), **json.loads(sys.argv[2])))

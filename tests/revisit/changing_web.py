"""A web whose pages change when a test says so, served over real HTTP, and a clock one can turn forward."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from scenthound.config import Config
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.protocols.crawl import Fetcher

DAY = 86_400.0
SAYING = "hounds follow the scent of game through woods and meadows because their noses are finer than ours by far"
WORDS = SAYING.split()


def html(text: str, *links: str, title: str = "Hounds") -> str:
    items = "".join(f'<p><a href="{url}">more on hounds</a></p>' for url in links)
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p>{items}</body></html>"


def prose(about: str, sentences: int = 6) -> str:
    """Text of some length with words of its own, so that no page is taken for a copy of another."""
    own = " ".join(f"{about}{word}" for word in WORDS)
    return f"All about hounds: {own}. " + " ".join(
        f"{word} {about} number{n} {' '.join(WORDS[n % 7 :])}." for n, word in enumerate(WORDS[:sentences])
    )


@dataclass
class Clock:
    """Real time, shifted: politeness goes on as ever, and days pass at a word."""

    offset: float = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset

    def pass_days(self, days: float) -> None:
        self.offset += days * DAY


@dataclass
class Asked:
    host: str
    path: str
    start: float
    end: float
    conditional: bool


@dataclass
class ChangingWeb:
    """(host, path) -> HTML, (status, headers) or a function of the request that answers. `log` is what was asked."""

    pages: dict[tuple[str, str], Any] = field(default_factory=dict)
    tags: bool = True  # does it know entity tags?
    port: int = 0
    log: list[Asked] = field(default_factory=list)
    not_modified: int = 0
    robots: str = ""
    otherwise: Any = None  # for paths that are not there

    def url(self, path: str = "/", host: str = "a.test") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, path: str, page: Any, host: str = "a.test") -> None:
        self.pages[host, path] = page

    def asked(self) -> Counter[str]:
        return Counter(entry.path for entry in self.log if entry.path != "/robots.txt")

    async def answer(self, request: web.Request) -> web.Response:
        host = (request.host or "").partition(":")[0]
        start = time.monotonic()
        response = self._respond(host, request)
        conditional = "If-None-Match" in request.headers or "If-Modified-Since" in request.headers
        self.log.append(Asked(host, request.path, start, time.monotonic(), conditional))
        return response

    def _respond(self, host: str, request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(text=self.robots) if self.robots else web.Response(status=404)
        page = self.pages.get((host, request.path_qs), self.otherwise)
        if callable(page):
            page = page(request)
        if isinstance(page, web.Response):
            return page
        if isinstance(page, tuple):
            return web.Response(status=page[0], headers=page[1])
        if page is None:
            return web.Response(status=404, text="none")
        tag = f'"{hash(page) & 0xFFFFFFFF:x}"'
        if self.tags and request.headers.get("If-None-Match") == tag:
            self.not_modified += 1
            return web.Response(status=304, headers={"ETag": tag})
        headers = {"ETag": tag} if self.tags else {}
        if isinstance(page, bytes):
            return web.Response(body=page, content_type="image/png", headers=headers)
        return web.Response(text=page, content_type="text/html", headers=headers)


class Loopback(AbstractResolver):
    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host="127.0.0.1", port=port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        pass


@asynccontextmanager
async def serving(changing: ChangingWeb) -> AsyncIterator[ChangingWeb]:
    server = web.Server(changing.answer)
    runner = web.ServerRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", changing.port)
    await site.start()
    changing.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
    try:
        yield changing
    finally:
        await runner.cleanup()


def settings(changing: ChangingWeb, *seeds: str, delay: float = 0.0) -> Config:
    config = Config()
    config.topic.name = "hounds"
    config.topic.keywords = ["hounds"]
    config.crawl.seeds = [changing.url(path) for path in (seeds or ("/",))]
    config.crawl.threshold = 0.05
    config.crawl.strategy = "best-first"
    config.crawl.pages = 0
    config.scope.traps = False
    config.politeness.delay = delay
    config.politeness.robots = bool(changing.robots)
    config.fetch.private_addresses = True
    config.fetch.backoff = 0.01
    config.fetch.retries = 1
    return config


def fetcher(config: Config, clock: Clock) -> Fetcher:
    return fetcher_for(config, clock=clock, resolver=Loopback())


async def collect(config: Config, folder: Path, clock: Clock) -> None:
    """The first crawl of the web."""
    async with assembled(config, folder, fetcher=fetcher(config, clock), clock=clock) as crawl:
        await crawl.run()


@contextmanager
def serving_aside(changing: ChangingWeb) -> Iterator[ChangingWeb]:
    """The same in a thread of its own, for programs that have their own event loop."""
    ready, done = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def main() -> None:
        async with serving(changing):
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
    thread.start()
    ready.wait()
    try:
        yield changing
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()

"""A dashboard on a free port of loopback, in a thread of its own, and plain requests to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.library import open_library
from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf
from tests.watchdog import PATIENCE


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Dashboard:
    """What was opened."""

    def __init__(self, port: int, token: str, shelf: Shelf, loop: asyncio.AbstractEventLoop) -> None:
        self.port = port
        self.token = token
        self.shelf = shelf
        self.loop = loop
        self.url = f"http://127.0.0.1:{port}/"

    def ask(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent.setdefault("Host", f"127.0.0.1:{self.port}")
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def opened(folders: Sequence[Path], host: str = "127.0.0.1") -> Iterator[Dashboard]:
    """Serves these folders until it is left."""
    found: list[Dashboard] = []
    ready, over = threading.Event(), threading.Event()
    troubles: list[BaseException] = []

    async def serve() -> None:
        shelf = Shelf(folders)
        async with serving(shelf, Address(host, 0)) as served:
            found.append(Dashboard(served.port, served.token, shelf, asyncio.get_running_loop()))
            ready.set()
            await asyncio.to_thread(over.wait)

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            troubles.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        if troubles:
            raise troubles[0]
        yield found[0]
    finally:
        over.set()
        thread.join(PATIENCE)


def prepared_demo(folder: Path, pages: int = 60) -> Path:
    """The folder of a demo that has yet to begin."""
    plan = plan_demo(None, CrawlOptions(into=folder, pages=pages))
    folder.mkdir()
    plan.write()
    with open_library(folder, create=True):
        pass
    return folder

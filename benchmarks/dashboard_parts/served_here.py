"""A dashboard in a thread of this process, for as long as somebody measures it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.web.server import Address, serving
from scenthound.web.shelf import Shelf


@contextmanager
def served_here(folders: Sequence[Path]) -> Iterator[tuple[int, Shelf]]:
    """The port, and what is served there."""
    shelf, ready, over = Shelf(folders), threading.Event(), threading.Event()
    ports: list[int] = []

    async def serve() -> None:
        async with serving(shelf, Address(port=0)) as served:
            ports.append(served.port)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        ready.wait()
        yield ports[0], shelf
    finally:
        over.set()
        thread.join()

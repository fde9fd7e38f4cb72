"""The dashboard from the command line: where it is, and when it ends."""

from __future__ import annotations

import asyncio
import importlib.util
import webbrowser
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from scenthound.cli.interrupts import Interrupts
from scenthound.errors import UsageError

if TYPE_CHECKING:
    from scenthound.app.crawl import CrawlSession

NEEDED = ("starlette", "uvicorn", "jinja2", "sse_starlette")


def check_installed() -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"The dashboard needs packages that are not installed: {', '.join(missing)}. Install them with: "
            "pip install 'scenthound[web]'"
        )


class UntilStopped:
    """Something to wait for that Ctrl-C ends."""

    def __init__(self) -> None:
        self._ended = asyncio.Event()

    def stop(self, *, now: bool = False) -> None:
        self._ended.set()

    async def wait(self) -> None:
        await self._ended.wait()


async def serve_folders(folders: Sequence[Path], host: str, port: int, browser: bool) -> None:
    check_installed()
    from scenthound.web.server import Address, serving
    from scenthound.web.shelf import Shelf

    console = Console(highlight=False)
    shelf, until = Shelf(folders), UntilStopped()
    interrupts = Interrupts(lambda text: console.print(Text(" Ending.", "dim")))
    with interrupts.installed():
        async with serving(shelf, Address(host, port)) as served:
            interrupts.guard(until)
            tell(console, served.url)
            if browser:
                webbrowser.open(served.url)
            await until.wait()


def tell(console: Console, url: str) -> None:
    where = Text.assemble(" The dashboard is at ", (url, "bold green"), ("  Ctrl-C ends it.", "dim"))
    console.print(where, soft_wrap=True)


class BrowserWindow:
    """A crawl of the command line that can be watched and steered from a browser while it runs.

    To be made before the session is entered, and entered after: then there is a library to show.
    """

    def __init__(self, session: CrawlSession, console: Console) -> None:
        check_installed()
        from scenthound.web.shelf import Shelf

        self.console = console
        self.shelf = Shelf([])
        self.shelf.add(session.plan.folder.resolve()).live.watch(session)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> None:
        from scenthound.web.server import Address, serving

        try:
            served = await self._open.enter_async_context(serving(self.shelf, Address()))
        except UsageError:  # somebody else has the usual port
            served = await self._open.enter_async_context(serving(self.shelf, Address(port=0)))
        tell(self.console, served.url)

    async def __aexit__(self, *error: object) -> None:
        await self._open.aclose()

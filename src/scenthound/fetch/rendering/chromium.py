"""A Chromium of this machine: found, started without a network, watched, and ended where it takes too much memory."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from scenthound.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

MISSING = "Scripts of pages take playwright and psutil, which are not installed: pip install 'scenthound[render]'"
NO_CHROMIUM = (
    "Scripts of pages run in a Chromium, and none is installed. Install the one of your system (apt-get install "
    "chromium), or have one downloaded: playwright install chromium"
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NOWHERE = "127.0.0.1:9"  # the port at which whatever comes is thrown away; hardly anybody listens there
FLAGS = (
    # No way out: names lead nowhere, and what needs no name goes to a proxy that is not there.
    f"--proxy-server=http://{NOWHERE}",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-blink-features=WebTransport,WebSocketStream,DirectSockets",
    "--dns-prefetch-disable",
    # Nothing that the browser does of its own accord.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-extensions",
    "--disable-gpu",
    "--no-pings",
    "--js-flags=--max-old-space-size=512",
)
LOOK_EVERY = 0.2  # seconds, at the memory it takes
END_PATIENCE = 5.0  # seconds for a browser that was asked to close


def check_installation() -> None:
    """Raises a `UsageError` that says what to install, where something is missing."""
    if any(find_spec(name) is None for name in ("playwright", "psutil")):
        raise UsageError(MISSING)
    if installed_chromium() is None and not any(any(folder.glob("chromium*")) for folder in _download_folders()):
        raise UsageError(NO_CHROMIUM)


def _download_folders() -> list[Path]:
    """Where playwright puts the browsers it downloads; asking it takes a process of its own."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    usual = (".cache/ms-playwright", "Library/Caches/ms-playwright", "AppData/Local/ms-playwright")
    folders = [Path(named)] if named else [Path.home() / name for name in usual]
    return [folder for folder in folders if folder.is_dir()]


def installed_chromium() -> str | None:
    """The browser of this system; None where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or next((place for place in PLACES if Path(place).is_file()), None)


def downloaded_chromium(playwright: Playwright) -> str:
    """The browser that playwright has downloaded, where it did."""
    path = playwright.chromium.executable_path
    if not Path(path).is_file():
        raise UsageError(NO_CHROMIUM)
    return path


class Chromium:
    """Starts when it is first needed, and again after it was ended. `megabytes`: what one of its processes may take.

    Each page has a process of its own.
    """

    def __init__(self, megabytes: int) -> None:
        check_installation()
        self.megabytes = megabytes
        self.ended_for_memory = 0
        self._mark = ""
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def page_context(self, **options: Any) -> AsyncIterator[BrowserContext]:
        """A browser window of its own that knows nothing of others, and is gone at the end, whatever happens in it."""
        context = await (await self.running()).new_context(**options)
        try:
            yield context
        finally:
            # A page that hangs must not keep us: where its window does not close, the browser goes with it.
            await asyncio.shield(self._close_context(context))

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        browser, self._browser = self._browser, None
        if browser is not None:
            with suppress(Exception):
                await asyncio.wait_for(browser.close(), END_PATIENCE)
        self._kill()
        playwright, self._playwright = self._playwright, None
        if playwright is not None:
            with suppress(Exception):
                await asyncio.wait_for(playwright.stop(), END_PATIENCE)

    async def _close_context(self, context: BrowserContext) -> None:
        try:
            await asyncio.wait_for(context.close(), END_PATIENCE)
        except Exception:
            self._kill()

    async def running(self) -> Browser:
        """The browser, started where it is not, or no longer."""
        async with self._starting:
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            from playwright.async_api import async_playwright

            self._kill()
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            self._browser = await self._launch(self._playwright)
            if self._watch is None or self._watch.done():
                self._watch = asyncio.create_task(self._watch_memory())
            return self._browser

    async def _launch(self, playwright: Playwright) -> Browser:
        executable = installed_chromium() or downloaded_chromium(playwright)
        self._mark = f"--scenthound-mark={uuid4().hex}"  # by which its processes are known
        return await playwright.chromium.launch(
            executable_path=executable,
            args=[*FLAGS, self._mark],
            # The browser's own sandbox, which it cannot have where everything runs as root.
            chromium_sandbox=not _is_root(),
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )

    # Its processes

    async def _watch_memory(self) -> None:
        """Ends each process that takes too much: the page in it is lost, and no other."""
        import psutil

        while True:
            await asyncio.sleep(LOOK_EVERY)
            for process in self._processes():
                with suppress(psutil.Error):
                    if process.memory_info().rss > self.megabytes * 1_000_000:
                        process.kill()
                        self.ended_for_memory += 1

    def _kill(self) -> None:
        import psutil

        self._browser = None  # it would be taken for running until it is noticed that it is not
        for process in self._processes():
            with suppress(psutil.Error):
                process.kill()

    def _processes(self) -> list[Any]:
        """The browser and what it has started."""
        import psutil

        if not self._mark:
            return []
        found = []
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if self._mark in child.cmdline():
                    found.append(child)
        # Helpers of the browser are not told the mark; whoever was started by one who is has it, so to say.
        known = {process.pid for process in found}
        for process in list(found):
            with suppress(psutil.Error):
                found += [child for child in process.children(recursive=True) if child.pid not in known]
                known |= {child.pid for child in found}
        return found


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0

"""One page in the browser: what its scripts ask for is answered or refused, and what they make of it is read.

| limit | what happens beyond |
|---|---|
| the seconds that the settings allow | what is there is read; a page that does not even answer then is given up |
| 60 requests, or 20 MB of answers | the next are refused |
| as many bytes of page as the settings allow | it is given up |

A page is read when it has been quiet for half a second: nothing asked for, nothing changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

from scenthound import urls
from scenthound.fetch.rendering.chromium import Chromium
from scenthound.model import Failed, Link, Rendering, Response

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab
    from playwright.async_api import Request, Route, WebSocketRoute

MOST_REQUESTS = 60
MOST_BYTES = 20_000_000
QUIET = 0.5  # seconds
LOOK_EVERY = 0.1
READ_PATIENCE = 5.0  # seconds to read a page whose time is up
ANSWERED = frozenset({"script", "xhr", "fetch"})
# Of an answer, what speaks of how it was sent: the browser gets it unpacked, and keeps no cookie.
NOT_HANDED_ON = frozenset(
    {"content-encoding", "content-length", "content-disposition", "transfer-encoding", "set-cookie", "connection"}
)
# How far it is, for a person who would look: what is there, how much of it, how much of that is text.
STATE = "[document.readyState, document.getElementsByTagName('*').length, document.documentElement.textContent.length]"
# What a page may know of ways out that no request goes through; each fails for want of a network as well.
NO_WAY_OUT = """for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocketStream'])
  Object.defineProperty(globalThis, name, {value: undefined, configurable: false, writable: false});
globalThis.open = () => null;"""


AskForPart = Callable[[Link, Mapping[str, str]], Awaitable[Response | Failed | str]]
"""Of a link and headers, the answer; or why nobody was asked."""


class PageRun:
    """Has the scripts of one page run. `ask` makes the requests they want made."""

    def __init__(self, response: Response, ask: AskForPart, seconds: float, most_bytes: int) -> None:
        self._response = response
        self._ask = ask
        self._seconds = seconds
        self._until = inf
        self._most_bytes = most_bytes
        self._begun = False
        self._under_way = 0
        self._onward = ""  # where the page sends its reader, of its own accord
        self.requests = self.bytes = self.refused = 0

    async def run(self, chromium: Chromium, agent: str) -> Response | None:
        """The answer with what scripts made of it in the place of its body; None where nothing came of it."""
        await chromium.running()  # starting it is not this page's doing
        self._until = (started := time.monotonic()) + self._seconds
        body = None
        # One that computes without end lets nobody in: then the time ends it.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds + READ_PATIENCE):
                body = await self._read(chromium, agent)
        if body is None or len(body) > self._most_bytes:
            return None
        return self._answer(body, time.monotonic() - started)

    async def _read(self, chromium: Chromium, agent: str) -> bytes | None:
        from playwright.async_api import Error

        options = {"service_workers": "block", "accept_downloads": False, "user_agent": agent}
        try:
            async with chromium.page_context(**options) as context:
                await context.add_init_script(NO_WAY_OUT)
                await context.route("**/*", self._meet)
                await context.route_web_socket("**/*", self._hang_up)
                tab = await context.new_page()
                context.on("page", lambda second: asyncio.ensure_future(second.close()))
                await tab.goto(self._response.url, wait_until="commit", timeout=0)
                await self._wait_until_quiet(tab)
                return self._sent_on(await tab.content()).encode("utf-8", "replace")
        except Error:  # whatever a page does to its browser, or a browser to us
            return None

    async def _wait_until_quiet(self, tab: Tab) -> None:
        seen: object = None
        since = time.monotonic()
        while (now := time.monotonic()) < self._until and now - since < QUIET:
            await asyncio.sleep(LOOK_EVERY)
            state = await tab.evaluate(STATE)
            if state != seen or self._under_way or state[0] == "loading":
                seen, since = state, time.monotonic()

    def _sent_on(self, html: str) -> str:
        """A page whose scripts lead elsewhere says so as pages without scripts do."""
        if not self._onward:
            return html
        target = self._onward.replace("&", "&amp;").replace('"', "&quot;")
        return html.replace("<head>", f'<head><meta http-equiv="refresh" content="0; url={target}">', 1)

    def _answer(self, body: bytes, seconds: float) -> Response:
        # Whether the page has changed cannot be asked with these: what changes is what scripts fetch.
        dropped = NOT_HANDED_ON | {"content-type", "etag", "last-modified"}
        kept = [(name, value) for name, value in self._response.headers if name.lower() not in dropped]
        spent = Rendering(round(seconds, 3), self.requests, self.bytes, self.refused)
        note = f"chromium; seconds={spent.seconds}; requests={spent.requests}; refused={spent.refused}"
        headers = (*kept, ("Content-Type", "text/html; charset=utf-8"), ("X-Scenthound-Rendered", note))
        return Response(
            url=self._response.url,
            status=self._response.status,
            headers=headers,
            body=body,
            at=self._response.at,
            elapsed=self._response.elapsed,
            address=self._response.address,
            wire=self._response.wire,
            request_headers=self._response.request_headers,
            rendering=spent,
        )

    # What the page asks for

    async def _meet(self, route: Route) -> None:
        from playwright.async_api import Error

        self._under_way += 1
        try:
            await self._meet_request(route, route.request)
        except Error:
            with suppress(Error):  # the window may have closed meanwhile
                await route.abort()
        finally:
            self._under_way -= 1

    async def _meet_request(self, route: Route, request: Request) -> None:
        kind = request.resource_type
        if request.is_navigation_request():
            await self._meet_navigation(route, request)
        elif kind == "stylesheet":
            await route.fulfill(status=200, content_type="text/css", body="")  # some scripts wait for it
        elif kind in ANSWERED and request.method == "GET" and (url := self._askable(request.url)):
            await self._meet_part(route, request, url)
        else:
            self.refused += kind in ANSWERED
            await route.abort()

    async def _meet_navigation(self, route: Route, request: Request) -> None:
        """The page itself, once. Where it wants to go next is a link, and so are frames: no page leads to another."""
        if not self._begun:
            self._begun = True
            headers = {name: value for name, value in self._response.headers if name.lower() not in NOT_HANDED_ON}
            await route.fulfill(status=200, headers=headers, body=self._response.body)
            return
        if request.frame.parent_frame is None and request.method == "GET":
            target = urls.canonical(request.url)
            if isinstance(target, str) and target != self._response.url:
                self._onward = self._onward or target
        await route.abort("aborted")  # as if its reader had stopped it: any other reason would leave an error page

    def _askable(self, url: str) -> str:
        """The URL as a request may be made for it; nothing where it is none, or enough has been asked for."""
        target = urls.canonical(url)
        if isinstance(target, urls.Malformed) or self.requests >= MOST_REQUESTS or self.bytes >= MOST_BYTES:
            return ""
        return target

    async def _meet_part(self, route: Route, request: Request, url: str) -> None:
        self.requests += 1
        headers = {"Accept": "*/*"}
        if urls.origin(url) != (own := urls.origin(self._response.url)):
            headers["Origin"] = own  # whether the page may read it is for the server to say, as in any browser
        answer = await self._ask(Link(url=url, source=self._response.url, kind="part"), headers)
        if isinstance(answer, str) or (isinstance(answer, Failed) and answer.kind == "address"):
            self.requests -= 1
            self.refused += 1
            await route.abort("blockedbyclient")
        elif isinstance(answer, Failed):
            await (route.fulfill(status=answer.status) if answer.status else route.abort())
        else:
            self.bytes += len(answer.body)
            kept = {name: value for name, value in answer.headers if name.lower() not in NOT_HANDED_ON}
            await route.fulfill(status=answer.status, headers=kept, body=answer.body)

    @staticmethod
    async def _hang_up(socket: WebSocketRoute) -> None:
        await socket.close()

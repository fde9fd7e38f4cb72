"""What a crawl does, sent as it does it: server-sent events, one view of the crawl about once a second.

A view is made once, however many watch, and only while somebody does. When somebody steers, one is sent at once, and
another with the first page that came by it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from math import inf

import msgspec
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from scenthound.web.shelf import ServedLibrary, Shelf

EVERY = 1.0  # seconds
SILENCE = 15.0
"""Seconds after which something is sent although nothing has changed, so that a dead connection is noticed."""


class LiveFeed:
    """The views of one library's crawl."""

    def __init__(self, served: ServedLibrary) -> None:
        self.served = served
        self._made_at = -inf  # the clock may begin with the machine, a moment ago
        self._changes = 0  # that were in it
        self._view = b""

    def view(self) -> bytes:
        now, live = time.monotonic(), self.served.live
        if now - self._made_at >= EVERY / 2 or self._changes != live.changes:
            self._changes, self._made_at = live.changes, now
            self._view = msgspec.json.encode(live.view())
        return self._view

    async def events(self, request: Request) -> AsyncIterator[dict[str, str]]:
        sent = b""
        while not await request.is_disconnected():
            view = self.view()
            if view != sent:
                sent = view
                yield {"event": "crawl", "data": view.decode()}
            await self.served.live.news(EVERY)


class LiveFeeds:
    """Feeds by the name of their library."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._feeds: dict[str, LiveFeed] = {}

    async def serve(self, request: Request) -> Response:
        served = self._shelf.get(request.path_params["name"])
        feed = self._feeds.setdefault(served.name, LiveFeed(served))
        return EventSourceResponse(feed.events(request), ping=int(SILENCE))

"""Asking only for what has changed (RFC 9110, 13): the server compares, and answers 304 without a body where it can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import AsksForParts, Fetcher, PartRequest
from scenthound.protocols.hooks import hook


class AsksWithHeaders(Protocol):
    async def __call__(self, link: Link, headers: Mapping[str, str] | None = None) -> Response | Failed: ...


class ConditionalFetcher:
    """A fetcher that tells the server what we have of a page. One that cannot be told asks for the whole page."""

    def __init__(self, fetcher: Fetcher) -> None:
        self.parallel = fetcher.parallel
        self.recorded: bool = getattr(fetcher, "recorded", False)
        self._fetcher = fetcher
        self._with_headers: AsksWithHeaders | None = None
        if getattr(fetcher, "conditional", False):
            self._with_headers = cast(AsksWithHeaders, fetcher)
        self._conditions: dict[str, Mapping[str, str]] = {}

    def know(self, pages: Iterable[tuple[str, str, str]]) -> None:
        """(URL, ETag, Last-Modified) of what is stored."""
        for url, etag, modified in pages:
            if found := conditions(etag, modified):
                self._conditions[url] = found

    def forget(self, url: str) -> None:
        self._conditions.pop(url, None)

    def ask_through(self, ask: PartRequest) -> None:
        if (asks := hook(self._fetcher, AsksForParts)) is not None:
            asks.ask_through(ask)

    async def __call__(self, link: Link) -> Response | Failed:
        headers = self._conditions.get(link.url)
        if headers is None or self._with_headers is None:
            return await self._fetcher(link)
        return await self._with_headers(link, headers)

    async def close(self) -> None:
        await self._fetcher.close()


def conditions(etag: str, modified: str) -> dict[str, str]:
    """The headers of a conditional request. Both are sent: a server that knows entity tags looks at nothing else."""
    headers = {"If-None-Match": etag} if etag else {}
    return headers | ({"If-Modified-Since": modified} if modified else {})

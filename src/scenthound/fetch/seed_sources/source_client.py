"""Asks a search source: one request at a time, with a pause between two, and a clear word when there is no answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from msgspec import Struct

from scenthound import urls
from scenthound.errors import SourceError
from scenthound.fetch import robots
from scenthound.fetch.answer import plain
from scenthound.fetch.http import HttpFetcher
from scenthound.model import Failed, Link, Response
from scenthound.parse.feed import loads

MAX_REQUESTS = 100
"""Requests for one question. At ten results an answer this is well over the 500 seeds one may ask for."""

MAX_REDIRECTS = 5
LONGEST_WAIT = 30.0
"""Seconds that a source may have us wait before it is taken for unreachable."""

ANOTHER = (
    "Name another source with --source: wikipedia, wikipedia:de, or the URL of a wiki, SearXNG or OpenSearch engine."
)


class SeedHit(Struct, frozen=True):
    """One result, as the source has it."""

    url: str
    title: str = ""


class SeedSource(Protocol):
    """Gives results a page at a time, best first. `repeats`: it may go on for ever with what it gave before."""

    @property
    def name(self) -> str: ...

    @property
    def repeats(self) -> bool: ...

    def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]: ...


class SourceClient:
    """What all sources ask through. The fetcher bounds time and bytes of each answer."""

    def __init__(
        self,
        fetcher: HttpFetcher,
        *,
        agent: str = "Scenthound",
        delay: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        most: int | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._agent = agent
        self._delay = delay
        self._sleep = sleep
        self._most = most
        self.requests = 0

    async def get(self, url: str, accept: str = "*/*") -> Response:
        """The answer after redirects. No answer is a `SourceError`, after a second try where that may help."""
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._ask(url, accept)
            if not 300 <= answer.status < 400:
                return answer
            target = urls.Base(url).resolve(answer.header("location"))
            if isinstance(target, urls.Malformed):
                raise SourceError(f"{url} leads nowhere we can follow ({target.reason}). {ANOTHER}")
            url = target
        raise SourceError(f"{url} redirects without end. {ANOTHER}")

    async def get_json(self, url: str, what: str) -> dict[str, Any]:
        """The JSON object that `what` should answer with."""
        answer = await self.get(url, "application/json")
        data = loads(answer.body)
        if not isinstance(data, dict):
            raise SourceError(f"{urls.host(url)} does not answer as {what}: {_glimpse(answer)}. {ANOTHER}")
        return data

    async def permitted(self, url: str) -> bool:
        """Whether robots.txt lets us read a page that is made for people."""
        link = Link(url=f"{urls.origin(url)}/robots.txt", kind="robots")
        await self._pause()
        answer = await self._fetcher(link)
        return robots.parse(answer, self._agent, time.time()).allows(url)

    async def _ask(self, url: str, accept: str) -> Response:
        answer = await self._request(url, accept)
        if isinstance(answer, Failed) and answer.retry and answer.retry_after <= LONGEST_WAIT:
            await self._sleep(answer.retry_after)
            answer = await self._request(url, accept)
        if isinstance(answer, Failed):
            raise SourceError(
                f"{_address(url)} could not be asked: {_reason(answer)}. {_advice(answer)}", answer.status
            )
        return answer

    async def _request(self, url: str, accept: str) -> Response | Failed:
        most = self._most or MAX_REQUESTS
        if self.requests >= most:
            raise SourceError(f"{urls.host(url)} was asked {most} times, which should be enough.")
        await self._pause()
        return await self._fetcher(Link(url=url, kind="data"), {"Accept": accept})

    async def _pause(self) -> None:
        if self.requests:
            await self._sleep(self._delay)
        self.requests += 1


def _address(url: str) -> str:
    return url.partition("?")[0]


def _reason(failed: Failed) -> str:
    named = {
        "dns": "its name does not resolve",
        "connect": "there is no connection",
        "tls": "no encrypted connection to it can be trusted",
        "timeout": "it took too long",
        "too-large": "its answer is too large",
        "empty": "its answer is empty",
        "address": "a private address",
    }
    if failed.kind == "status":
        return "it is busy (HTTP 429)" if failed.status == 429 else f"it answers with HTTP {failed.status}"
    told = named.get(failed.kind, failed.kind)
    return f"{told} ({plain(failed.detail)})" if failed.detail else told


def _advice(failed: Failed) -> str:
    if failed.kind == "address":
        return "If it is a source of yours, add --allow-private."
    if failed.kind in ("dns", "connect", "tls", "timeout", "reset"):
        return f"Check the network, or try again later. {ANOTHER}"
    return ANOTHER


def _glimpse(answer: Response) -> str:
    start = plain(answer.body[:60].decode("utf-8", "replace"))
    return f"{answer.media_type or 'an answer of no type'} that begins {start!r}"

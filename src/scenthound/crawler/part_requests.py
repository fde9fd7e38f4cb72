"""What a page made by scripts asks for: each request with the manners of any other, though none is a link.

In this order, and the first no ends it: is it within the scope's `allow` and `deny`; does its host's robots.txt let us,
which is asked for where it is not known; may the host be asked now, or when. Then the fetcher makes the request, and
checks the address as ever. Redirects are requests of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.answer_digest import REDIRECTS
from scenthound.fetch import robots
from scenthound.fetch.robots import HostRules
from scenthound.frontier.side_requests import SOON, SideRequests
from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import Clock
from scenthound.scope.scope import Scope

MOST_REDIRECTS = 5

Request = Callable[[Link], Awaitable[Response | Failed]]


class PartRequests:
    """As `protocols.crawl.PartRequest`."""

    def __init__(self, config: Config, requests: SideRequests, pacing: Clock) -> None:
        self._politeness = config.politeness
        self._scope = Scope(config.scope.allow, config.scope.deny)
        self._requests = requests
        self._pacing = pacing
        self._reading: dict[str, asyncio.Lock] = {}  # by host, while its robots.txt is read

    def page_came(self, page: Link) -> None:
        self._requests.page_came(urls.host(page.url), self._pacing())

    async def __call__(self, page: Link, part: Link, request: Request) -> Response | Failed | str:
        """The answer, redirects followed, or why nobody was asked."""
        for _ in range(MOST_REDIRECTS):
            if (
                reason := self._scope.refuses(part, 0) or await self._robots_refusal(page, part.url, request)
            ) is not None:
                return reason
            answer = await self._ask(page, part, request)
            if not isinstance(answer, Response) or answer.status not in REDIRECTS:
                return answer
            target = urls.Base(part.url).resolve(answer.header("location"))
            if isinstance(target, urls.Malformed):
                break
            part = Link(url=target, source=part.source, kind=part.kind)
        return "redirect"

    async def _ask(self, page: Link, part: Link, request: Request) -> Response | Failed:
        host, page_host = urls.host(part.url), urls.host(page.url)
        while (when := self._requests.begin(host, self._pacing(), page_host)) is not None:  # noqa: ASYNC110 - time is it
            await asyncio.sleep(max(SOON, when - self._pacing()))
        took, struggles = 0.0, False
        try:
            answer = await request(part)
            took, struggles = answer.elapsed, isinstance(answer, Failed) and answer.retry
            return answer
        finally:
            self._requests.end(host, self._pacing(), took, struggles)

    async def _robots_refusal(self, page: Link, url: str, request: Request) -> str | None:
        host = urls.host(url)
        while not self._requests.knows_rules(host, self._pacing()):
            if self._requests.is_asking_rules(host):
                await asyncio.sleep(SOON)
                continue
            async with self._reading.setdefault(host, asyncio.Lock()):
                if self._requests.knows_rules(host, self._pacing()):
                    break  # whoever was here before has read it
                rules = await self._read_rules(page, urls.origin(url) + "/robots.txt", request)
                if rules.unreachable:
                    return rules.unreachable
                self._requests.take_rules(host, rules)
            self._reading.pop(host, None)
        return self._requests.refusal(host, url)

    async def _read_rules(self, page: Link, url: str, request: Request) -> HostRules:
        politeness, answer = self._politeness, None
        for _ in range(MOST_REDIRECTS + 1):
            answer = await self._ask(page, Link(url=url, kind="robots"), request)
            target = urls.Base(url).resolve(answer.header("location")) if isinstance(answer, Response) else ""
            if answer.status not in REDIRECTS or not isinstance(target, str):
                break
            url = target
        assert answer is not None
        return await robots.parse_apart(answer, politeness.agent, self._pacing(), politeness.max_crawl_delay)

"""A fetcher around another: of pages that show nothing without their scripts, what these make of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from scenthound import urls
from scenthound.bounded_cache import BoundedCache
from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.answer import plain
from scenthound.fetch.logins import Logins
from scenthound.fetch.rendering.chromium import Chromium
from scenthound.fetch.rendering.page_run import PageRun
from scenthound.fetch.user_agent import user_agent
from scenthound.model import Failed, Link, Response
from scenthound.parse.made_by_scripts import made_by_scripts
from scenthound.parse.page import is_html
from scenthound.parse.safe_parse import LARGE
from scenthound.protocols.crawl import AsksOnlyWhile, Fetcher, PartRequest
from scenthound.protocols.hooks import hook

AT_ONCE = 4
"""Pages in the browser at a time."""

KEPT_BYTES = 32_000_000
"""Scripts are the same on all pages of a site: so much of them is remembered, and asked for once."""

NO_PAGES = frozenset({"robots", "feed", "sitemap", "data", "image", "probe", "part"})


class RenderingFetcher:
    """Answers as `fetcher` does, but for pages whose scripts are to run. Until it is told whom to ask through, none do.

    `logins`: a page is not shown what other hosts tell only to those who log in.
    """

    def __init__(
        self, fetcher: Fetcher, settings: FetchSection, politeness: PolitenessSection, logins: Logins | None = None
    ) -> None:
        self.fetcher = fetcher
        self._settings = settings
        self._agent = user_agent(politeness)
        self._logins = logins or Logins()
        self._chromium = Chromium(settings.render_megabytes)
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._ask: PartRequest | None = None
        self._scripts: BoundedCache[str, Response] = BoundedCache(KEPT_BYTES, lambda answer: len(answer.body))

    @property
    def parallel(self) -> int:
        return self.fetcher.parallel

    @parallel.setter
    def parallel(self, number: int) -> None:
        self.fetcher.parallel = number

    @property
    def conditional(self) -> bool:
        return bool(getattr(self.fetcher, "conditional", False))

    @property
    def recorded(self) -> bool:
        return bool(getattr(self.fetcher, "recorded", False))

    def ask_through(self, ask: PartRequest) -> None:
        self._ask = ask

    def ask_only_while(self, may: Callable[[], bool]) -> None:
        if (asks := hook(self.fetcher, AsksOnlyWhile)) is not None:
            asks.ask_only_while(may)

    async def __call__(self, link: Link, headers: Mapping[str, str] | None = None) -> Response | Failed:
        extra: tuple[Any, ...] = (headers,) if headers is not None else ()
        answer: Response | Failed = await self.fetcher(link, *extra)
        if self._ask is None or link.kind in NO_PAGES or isinstance(answer, Failed) or not self._wants_scripts(answer):
            return answer
        ask = self._ask
        ask.page_came(link)

        async def part(wanted: Link, headers: Mapping[str, str]) -> Response | Failed | str:
            return await self._part(ask, link, wanted, headers)

        async with self._turns:
            run = PageRun(answer, part, self._settings.render_seconds, self._settings.max_bytes)
            try:
                return await run.run(self._chromium, self._agent) or answer
            except Exception as error:  # what a page does is no error: this is the browser itself
                return Failed(link.url, "parser", plain(f"the browser did not start: {error}"), at=answer.at)

    async def _part(
        self, ask: PartRequest, page: Link, wanted: Link, headers: Mapping[str, str]
    ) -> Response | Failed | str:
        """What a page needs: remembered, or asked for. `ask` calls `request` once it may, and for each redirect."""
        if (known := self._scripts.use(wanted.url)) is not None:
            return known

        async def request(link: Link) -> Response | Failed:
            if self._is_secret(page, link.url):
                return Failed(link.url, "address", "told only to those who log in there")
            extra: tuple[Any, ...] = (headers,) if self.conditional and link.kind != "robots" else ()
            answer: Response | Failed = await self.fetcher(link, *extra)
            return answer

        answer = await ask(page, wanted, request)
        if isinstance(answer, Response) and answer.status == 200 and "script" in answer.media_type:
            self._scripts.put(wanted.url, answer)
        return answer

    async def close(self) -> None:
        await self._chromium.close()
        await self.fetcher.close()

    def _wants_scripts(self, answer: Response) -> bool:
        if answer.status != 200 or not is_html(answer):
            return False
        return self._settings.render == "always" or (len(answer.body) < LARGE and made_by_scripts(answer))

    def _is_secret(self, page: Link, url: str) -> bool:
        """Whether another host tells this only to those who log in: the page is not to have it read to it."""
        if urls.host(page.url) == urls.host(url):
            return False
        scheme, _, rest = url.partition("://")
        return bool(self._logins.headers(scheme, rest.partition("/")[0].partition(":")[0], urls.path(url)))

"""Stored pages back as the crawl saw them, many of them and fast: parsed on every core, given out in their order.

What a process of the parser pool is busy with costs nothing here; while all are, the pages are parsed here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable

from msgspec import Struct

from scenthound.library.stored_pages import answer_of, text_copy
from scenthound.model import Page, Response
from scenthound.parse.parser_pool import DEPTH, ParserPool
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Clock
from scenthound.protocols.library import StoredPages
from scenthound.protocols.records import StoredPage

WORTH_A_PROCESS = 200
"""Pages from which it pays to start a process that parses some of them."""


SLICE = 0.01
"""Seconds of work beside a crawl before that has its turn, for as long."""


class Turns:
    """Who works beside a crawl, on its thread, and waits for each page of its own: half of the time is the crawl's.

    To give it the thread once after each page would not do: to fetch a page takes it many turns.
    """

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock
        self._worked, self._since = 0.0, clock()

    async def take(self) -> None:
        self._worked += self._clock() - self._since
        if self._worked >= SLICE:
            rest, self._worked = self._worked, 0.0
            await asyncio.sleep(rest)
        self._since = self._clock()


class PageBack(Struct, frozen=True):
    """A stored page as it was read back."""

    stored: StoredPage
    page: Page | None = None  # None: its text was not kept, or its source cannot be parsed
    whole: bool = False  # from the answer as it came, and not from text and links alone


async def read_back(
    library: StoredPages,
    wanted: Iterable[StoredPage],
    language: str,
    parser_pool: ParserPool | None = None,
    read: dict[str, PageBack] | None = None,
    turns: Turns | None = None,
) -> AsyncIterator[PageBack]:
    """The pages in the order given. Whoever reads may stop at any time.

    `read`: pages that were read before, by their URLs; each is taken from there. `turns`: a crawl is under way.
    """
    there = {} if read is None else read
    ahead: deque[tuple[StoredPage, asyncio.Future[Page] | PageBack]] = deque()
    most = 1 if parser_pool is None else DEPTH * (1 + parser_pool.size)
    for stored in wanted:
        known = there.pop(stored.url, None)
        if known is not None:
            ahead.append((stored, PageBack(stored, known.page, known.whole)))
        else:
            ahead.append((stored, _ask(library, stored, language, parser_pool)))
        # The pool speaks through the event loop, and so does whoever wants to stop this.
        await (asyncio.sleep(0) if turns is None else turns.take())
        while len(ahead) >= most:
            yield await _answered(*ahead.popleft())
    while ahead:
        yield await _answered(*ahead.popleft())


def read_one(library: StoredPages, stored: StoredPage, language: str) -> PageBack:
    """The same of one page, at once."""
    return _parsed(library, stored, language, answer_of(library, stored.url, damaged_too=True))


def _ask(
    library: StoredPages, stored: StoredPage, language: str, parser_pool: ParserPool | None
) -> asyncio.Future[Page] | PageBack:
    response = answer_of(library, stored.url, damaged_too=True)
    if response is not None and parser_pool is not None:
        coming: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
        if parser_pool.offer(response, language, lambda page: None if coming.cancelled() else coming.set_result(page)):
            return coming
    return _parsed(library, stored, language, response)


def _parsed(library: StoredPages, stored: StoredPage, language: str, response: Response | None) -> PageBack:
    if response is None:
        copy = text_copy(library, stored, language)
        return PageBack(stored, copy.page if copy.has_text else None)
    return _whole(stored, parse_safely(response, language))


async def _answered(stored: StoredPage, coming: asyncio.Future[Page] | PageBack) -> PageBack:
    if isinstance(coming, PageBack):
        return coming
    return _whole(stored, await coming)


def _whole(stored: StoredPage, page: Page) -> PageBack:
    return PageBack(stored) if page.problem else PageBack(stored, page, whole=True)

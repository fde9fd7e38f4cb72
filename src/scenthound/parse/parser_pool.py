"""Parsing beside the crawl: processes that turn responses into pages.

They are for crawls that one core cannot keep up with, and for pages large enough to hold a crawl up: an HTML parser
has more ways to be slow than one can know, all of which need room. A crawl without either stays alone; `ParserPool`
starts processes when it is first offered a page. What such a process does, and what goes to and fro, is told in
`parser_worker`.

A page on which a process dies, or which keeps it busy for longer than any honest page can, is given up; the pages
queued behind it go to a new process. So no page can take the crawl down with it, however broken. Where processes die,
or stay silent, before they have said that they are ready, the pool gives up after a few and the crawl parses alone.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from msgspec import Struct

from scenthound.model import Page, Response
from scenthound.parse.parser_worker import ANSWER, READY, question, widen
from scenthound.parse.safe_parse import (
    PATIENCE,
    START_PATIENCE,
    WORKER,
    broken,
    needs_process,
    parse_without_process,
    too_slow,
)

DEPTH = 32
"""Pages queued at a process: enough that it never waits, few enough that none of them waits long."""

MOST = 4
"""Processes of a pool. One parses 500 pages a second; more than four outrun the crawl itself."""

STARTS = 3
"""Processes in a row that may fail to start before none is tried any more."""

Then = Callable[[Page], None]


def pool_size() -> int:
    """A process for every core that the crawl leaves free, but at least one: for large pages."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return min(MOST, max(1, cores - 1))


class ParserPool:
    """The processes of one crawl. To be used inside its event loop, and closed there."""

    def __init__(
        self,
        size: int | None = None,
        patience: float = PATIENCE,
        command: tuple[str, ...] = (),
        start_patience: float = START_PATIENCE,
    ) -> None:
        self.size = pool_size() if size is None else size
        self.large_only = False
        self.reader = ""  # what is to be read off pages besides: see `parser_worker`
        self.patience = patience
        self.start_patience = start_patience
        self.command = command or WORKER
        self._processes: list[_ParserProcess] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._failed_starts = 0
        self._waiting: deque[_Queued] = deque()  # for a process: it is not ready, or died before it came to them

    @classmethod
    def of(cls, parsers: int) -> ParserPool:
        """As the setting says: -1 for one a spare core. With 0 there is one all the same, for large pages alone."""
        pool = cls(None if parsers < 0 else max(parsers, 1))
        pool.large_only = parsers == 0
        return pool

    def read_for(self, judge: object) -> None:
        """From here on pages come with the notes that this judge wants (`page_reader`), if any."""
        self.reader = getattr(judge, "page_reader", "")

    def offer(self, response: Response, language: str, then: Then) -> bool:
        """Whether the page is taken; if so, `then` is told, soon, what is on it, or that it could not be read.

        A large page, or a document, is taken even if it has to wait, unless there are no processes to be had.
        """
        apart = needs_process(response)
        if self.large_only and not apart:
            return False
        free = min((process for process in self._processes if process.ready), key=_ParserProcess.load, default=None)
        if free is not None and (apart or free.load() < DEPTH):
            free.send(response, language, then)
            return True
        if len(self._processes) < self.size:
            self._start()
        if apart and self.size:
            self._waiting.append(_Queued(0, response, language, then))
            return True
        return False

    def _start(self) -> None:
        process = _ParserProcess(self)
        self._processes.append(process)  # at once: it may have died before its start is reported
        task = asyncio.get_running_loop().create_task(self._start_process(process))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start_process(self, process: _ParserProcess) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.subprocess_exec(lambda: process, *self.command, stderr=asyncio.subprocess.DEVNULL)
        except OSError:
            self._processes.remove(process)
            self._start_failed()

    def arrived(self, process: _ParserProcess) -> None:
        self._failed_starts = 0
        while self._waiting:
            page = self._waiting.popleft()
            process.send(page.response, page.language, page.then)

    def lost(self, process: _ParserProcess) -> None:
        """A process has died: on a page, or because processes of ours cannot live here."""
        self._processes.remove(process)
        if not process.ready:
            self._start_failed()
            return
        if process.queue:
            page = process.queue.popleft()
            page.then(too_slow(page.response.url, self.patience) if process.late else broken(page.response.url))
            self._waiting.extendleft(reversed(process.queue))
        if self._waiting:
            self._start()

    def _start_failed(self) -> None:
        self._failed_starts += 1
        if self._failed_starts < STARTS:
            if self._waiting and len(self._processes) < self.size:
                self._start()
        elif self.size:
            self._go_without()

    def _go_without(self) -> None:
        logging.getLogger(__name__).warning(
            "No process for parsing could be started, %d times in a row: %s. The crawl parses all pages by itself.",
            self._failed_starts,
            " ".join(self.command[:3]),
        )
        self.size = 0
        while self._waiting:
            page = self._waiting.popleft()
            page.then(parse_without_process(page.response, page.language))

    async def close(self) -> None:
        await asyncio.gather(*self._starting, return_exceptions=True)
        processes, self._processes = self._processes, []
        for process in processes:
            process.stop()
        await asyncio.gather(*(process.gone.wait() for process in processes))


class _Queued(Struct):
    """A page that was given to a process."""

    number: int
    response: Response
    language: str
    then: Then


class _ParserProcess(asyncio.SubprocessProtocol):
    """One process, and the pages it was given and has not answered yet."""

    def __init__(self, parser_pool: ParserPool) -> None:
        self.queue: deque[_Queued] = deque()
        self.ready = False
        self.late = False  # it was ended because of the page it was at
        self.gone = asyncio.Event()
        self._pool = parser_pool
        self._count = 0
        self._received = bytearray()
        self._stopped = False
        self._watch: asyncio.TimerHandle | None = None

    def load(self) -> int:
        return len(self.queue)

    def send(self, response: Response, language: str, then: Then) -> None:
        self._count += 1
        self.queue.append(_Queued(self._count, response, language, then))
        self._input.write(question(self._count, response, language, self._pool.reader))
        if self._watch is None:
            self._look(0)

    def stop(self) -> None:
        self._stopped = True
        self._input.close()  # a process that has no more to read ends by itself
        if self.queue or not self.ready:
            self._process.kill()

    def _look(self, last: int) -> None:
        """Comes back from time to time. A page that was there the last time already has taken too long."""
        self._watch = None
        if not self.queue:
            return
        number = self.queue[0].number
        if number == last:
            self.late = True
            self._process.kill()
            return
        self._watch = asyncio.get_running_loop().call_later(self._pool.patience / 2, self._look, number)

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Other event loops have transports of their own, of the same shape.
        self._process = cast(asyncio.SubprocessTransport, transport)
        self._input = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        end = self._input.get_extra_info("socket") or self._input.get_extra_info("pipe")
        if end is not None:
            with suppress(ValueError):  # closed already: it has died at once
                widen(end.fileno())
        loop = asyncio.get_running_loop()
        self._watch = loop.call_later(self._pool.start_patience, self._process.kill)  # unless it is ready by then

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        received = self._received
        received += data
        start = 0
        while len(received) - start >= 4:
            end = start + 4 + int.from_bytes(received[start : start + 4], "little")
            if len(received) < end:
                break
            with memoryview(received) as view:
                number, page, _ = ANSWER.decode(view[start + 4 : end])
            start = end
            if number == READY or page is None:
                self.ready = True
                if self._watch is not None:
                    self._watch.cancel()
                    self._watch = None
                self._pool.arrived(self)
            else:
                self.queue.popleft().then(page)
        del received[:start]

    def process_exited(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._process.close()
        self.gone.set()
        if not self._stopped:
            self._pool.lost(self)

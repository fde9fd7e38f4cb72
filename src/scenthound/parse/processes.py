"""Parsing beside the crawl: processes that turn responses into pages, for crawls that one core cannot keep up with.

A crawl that keeps up stays alone; `Crew` starts processes when it is first offered a page. What such a process does,
and what goes to and fro, is told in `worker`.

A page on which a process dies, or which keeps it busy for longer than any honest page can, is given up; the pages
queued behind it go to a new process. So no page can take the crawl down with it, however broken.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable
from typing import cast

from msgspec import Struct

from scenthound.model import Page, Response
from scenthound.parse.page import parse
from scenthound.parse.worker import ANSWER, READY, frame, widen

DEPTH = 32
"""Pages queued at a process: enough that it never waits, few enough that none of them waits long."""

MOST = 4
"""Processes of a crew. One parses 500 pages a second; more than four outrun the crawl itself."""

PATIENCE = 30.0
"""Seconds that one page may take. The slowest of the hostile ones takes less than two."""

Then = Callable[[Page | None], None]


def crew_size() -> int:
    """A process for every core that the crawl leaves free."""
    return min(MOST, len(os.sched_getaffinity(0)) - 1) if hasattr(os, "sched_getaffinity") else 1


class Crew:
    """The processes of one crawl. To be used inside its event loop, and closed there."""

    def __init__(self, size: int | None = None, patience: float = PATIENCE, command: tuple[str, ...] = ()) -> None:
        self.size = crew_size() if size is None else size
        self.patience = patience
        self.command = command or (sys.executable, "-m", "scenthound.parse.worker")
        self._hands: list[_Hand] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._orphans: deque[_Queued] = deque()  # their process died before it came to them

    def offer(self, response: Response, language: str, then: Then) -> bool:
        """Whether the page is taken; if so, `then` is told, soon, what is on it: None where it could not be read."""
        free = min((hand for hand in self._hands if hand.ready), key=_Hand.load, default=None)
        if free is not None and free.load() < DEPTH:
            return free.send(response, language, then)
        if len(self._hands) + len(self._starting) < self.size:
            self._start()
        return False

    def _start(self) -> None:
        task = asyncio.get_running_loop().create_task(self._hire())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _hire(self) -> None:
        loop = asyncio.get_running_loop()
        hand = _Hand(self)
        try:
            await loop.subprocess_exec(lambda: hand, *self.command, stderr=asyncio.subprocess.DEVNULL)
        except OSError:
            self._go_without()
        else:
            self._hands.append(hand)

    def arrived(self, hand: _Hand) -> None:
        while self._orphans:
            orphan = self._orphans.popleft()
            hand.send(orphan.response, orphan.language, orphan.then)

    def lost(self, hand: _Hand) -> None:
        """A process has died: on a page, or because processes of ours cannot live here."""
        self._hands.remove(hand)
        self._orphans += hand.queue
        if not hand.ready:
            self._go_without()
        elif self._orphans:
            self._orphans.popleft().then(None)
            self._start()

    def _go_without(self) -> None:
        self.size = 0
        while self._orphans:
            self._orphans.popleft().parse_here()

    async def close(self) -> None:
        await asyncio.gather(*self._starting, return_exceptions=True)
        hands, self._hands = self._hands, []
        for hand in hands:
            hand.dismiss()
        await asyncio.gather(*(hand.gone.wait() for hand in hands))


class _Queued(Struct):
    """A page that was given to a process."""

    number: int
    response: Response
    language: str
    then: Then

    def parse_here(self) -> None:
        self.then(parse(self.response, self.language))


class _Hand(asyncio.SubprocessProtocol):
    """One process, and the pages it was given and has not answered yet."""

    def __init__(self, crew: Crew) -> None:
        self.queue: deque[_Queued] = deque()
        self.ready = False
        self.gone = asyncio.Event()
        self._crew = crew
        self._count = 0
        self._received = bytearray()
        self._dismissed = False
        self._watch: asyncio.TimerHandle | None = None

    def load(self) -> int:
        return len(self.queue)

    def send(self, response: Response, language: str, then: Then) -> bool:
        headers = tuple((str(name), str(value)) for name, value in response.headers)  # of a class of their own, maybe
        try:
            question = frame(
                (self._count + 1, language, Response(response.url, response.status, headers, response.body))
            )
        except UnicodeEncodeError:  # a header with bytes in it that are no text
            return False
        self._count += 1
        self.queue.append(_Queued(self._count, response, language, then))
        self._input.write(question)
        if self._watch is None:
            self._look(0)
        return True

    def dismiss(self) -> None:
        self._dismissed = True
        self._input.close()  # a process that has no more to read ends by itself
        if self.queue:
            self._process.kill()

    def _look(self, last: int) -> None:
        """Comes back from time to time. A page that was there the last time already has taken too long."""
        self._watch = None
        if not self.queue:
            return
        number = self.queue[0].number
        if number == last:
            self._process.kill()
            return
        self._watch = asyncio.get_running_loop().call_later(self._crew.patience / 2, self._look, number)

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Other event loops have transports of their own, of the same shape.
        self._process = cast(asyncio.SubprocessTransport, transport)
        self._input = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))
        end = self._input.get_extra_info("socket") or self._input.get_extra_info("pipe")
        if end is not None:
            widen(end.fileno())

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        received = self._received
        received += data
        start = 0
        while len(received) - start >= 4:
            end = start + 4 + int.from_bytes(received[start : start + 4], "little")
            if len(received) < end:
                break
            with memoryview(received) as view:
                number, page = ANSWER.decode(view[start + 4 : end])
            start = end
            if number == READY:
                self.ready = True
                self._crew.arrived(self)
            elif page is None:
                self.queue.popleft().parse_here()
            else:
                self.queue.popleft().then(page)
        del received[:start]

    def process_exited(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._process.close()
        self.gone.set()
        if not self._dismissed:
            self._crew.lost(self)

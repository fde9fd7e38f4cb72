"""Work in a thread with an event loop of its own, and what it tells, in order, to whoever listens here.

A notebook has a loop that runs already, a script has none, and neither should be held up by a crawl: so the crawl has
its own. What it tells is small; the pages themselves are in the library.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from scenthound.app.event_loop import run

T = TypeVar("T")
Work = Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]


class _End:
    """After the last word: the error that ended the work, if one did."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class BackgroundWork(Generic[T]):
    """Started when made. `work` is given the function by which it tells. One may listen: by `for` or `async for`."""

    def __init__(self, work: Work[T], name: str) -> None:
        self._told: SimpleQueue[T | _End] = SimpleQueue()
        self._wake: Callable[[], None] = lambda: None
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._calls: list[Callable[[], None]] = []  # asked for before the loop was there
        self._thread = Thread(target=self._run, args=(work,), name=name, daemon=True)
        self._thread.start()

    def _run(self, work: Work[T]) -> None:
        error: BaseException | None = None
        try:
            run(self._looped(work))
        except BaseException as raised:  # raised again where somebody listens: nobody watches this thread
            error = raised
        self._tell(_End(error))

    async def _looped(self, work: Work[T]) -> None:
        with self._lock:
            self._loop = asyncio.get_running_loop()
            for call in self._calls:
                self._loop.call_soon(call)
        await work(self._tell)

    def _tell(self, word: T | _End) -> None:
        self._told.put(word)
        self._wake()

    def call(self, what: Callable[[], None]) -> None:
        """Has it called in the work's own thread; after the work has ended, nothing happens."""
        with self._lock:
            if self._loop is None:
                self._calls.append(what)
            else:
                _call_soon(self._loop, what)

    def join(self) -> None:
        self._thread.join()

    def __iter__(self) -> Iterator[T]:
        while not isinstance(word := self._told.get(), _End):
            yield word
        if word.error is not None:
            raise word.error

    async def __aiter__(self) -> AsyncIterator[T]:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        self._wake = lambda: _call_soon(loop, woken.set)
        while True:
            woken.clear()
            while not self._told.empty():
                word = self._told.get()
                if not isinstance(word, _End):
                    yield word
                elif word.error is not None:
                    raise word.error
                else:
                    return
            # What was told between the last look and now has set the event, or will.
            await woken.wait()


def _call_soon(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended, and whoever ran in it with it
        loop.call_soon_threadsafe(what)

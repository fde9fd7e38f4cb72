"""What Ctrl-C does to something that runs for long.

Ctrl-C or SIGTERM once finishes what is under way and stops; twice gives that up too, and a third time is left
to the interpreter. Whatever happens, the library is left as after a clean end.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from typing import Any, Protocol

INTERRUPTED = 130
"""What a program returns that Ctrl-C ended, by the shell's convention."""


class Stoppable(Protocol):
    """A crawl, or something that makes crawls."""

    def stop(self, *, now: bool = False) -> None: ...


class Interrupts:
    """What Ctrl-C does, first and second time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.count = 0
        self._crawl: Stoppable | None = None
        self._task: asyncio.Task[Any] | None = None

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        caught = []
        for number in (signal.SIGINT, signal.SIGTERM):
            # Neither Windows nor a thread other than the main one has signal handlers on the loop.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(number, self.interrupt)
                caught.append(number)
        try:
            yield
        finally:
            for number in caught:
                loop.remove_signal_handler(number)

    def guard(self, crawl: Stoppable) -> None:
        self._crawl = crawl

    def interrupt(self) -> None:
        """Ctrl-C, or a key that means the same."""
        self.count += 1
        if self._crawl is None:
            if self._task is not None:
                self._task.cancel()
        elif self.count == 1:
            self.say("Stopping: finishing what is under way. Ctrl-C again stops at once.")
            self._crawl.stop()
        else:
            self._crawl.stop(now=True)
            asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

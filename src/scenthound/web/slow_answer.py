"""Answers that take seconds to make, kept until the library has changed: groups of pages, the map, the ranked sites."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from scenthound.protocols.crawl import Clock
from scenthound.protocols.library import Library

T = TypeVar("T")

TIMES_ITS_COST = 50.0
"""An answer does for so many times as long as it took to make although pages have come since: a crawl that is watched
loses at most 2 % to it."""

LONGEST = 60.0  # seconds for which it does


class SlowAnswer(Generic[T]):
    """An answer about one library. It is made by one thread at a time; others wait for it."""

    def __init__(self, make: Callable[[Library], T], clock: Clock = time.monotonic) -> None:
        self._make = make
        self._clock = clock
        self._lock = Lock()
        self._state: object = None
        self._does_until = 0.0
        self._kept: T | None = None

    def get(self, library: Library) -> T:
        with self._lock:
            state = (library.page_totals(), library.judged_by())
            if self._kept is None or (state != self._state and self._clock() >= self._does_until):
                begun = self._clock()
                self._kept, self._state = self._make(library), state
                now = self._clock()
                self._does_until = now + min(LONGEST, TIMES_ITS_COST * (now - begun))
            return self._kept

    def forget(self) -> None:
        """Something else than the library's pages has changed it."""
        with self._lock:
            self._kept = None

    def at_hand(self) -> T | None:
        """What was made last, however old; None: nothing yet."""
        return self._kept

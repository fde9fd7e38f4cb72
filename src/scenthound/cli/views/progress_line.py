"""How far something is that takes long, on one line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from scenthound.report.formatting import count

PATIENCE = 2.0
"""Seconds after which one wants to know how far it is."""


class ProgressLine:
    """A line on a terminal's stderr that says how far it is, once it has taken a while."""

    def __init__(self, doing: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.doing = doing
        self.clock = clock
        self._shows = sys.stderr.isatty()
        self._next = clock() + PATIENCE
        self._shown = False

    def __call__(self, done: int, whole: int) -> None:
        if self._shows and self.clock() >= self._next:
            self._next = self.clock() + 0.2
            self._shown = True
            sys.stderr.write(f"\r{self.doing} {count(done)} of {count(whole)} \x1b[K")
            sys.stderr.flush()

    def tell(self, doing: str, done: int, whole: int) -> None:
        """For work in several stages."""
        self.doing = doing
        self(done, whole)

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

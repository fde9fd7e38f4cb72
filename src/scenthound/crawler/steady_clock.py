"""Time for pacing: unix time when the crawl began, and from then on by a clock that nobody sets.

Delays, rests, deadlines and what expires are kept by it, so that a clock that is set back freezes no crawl and one that
is set forward lets nobody be asked too soon. What is stored has the time of the day.
"""

from __future__ import annotations

import time

from scenthound.protocols.crawl import Clock


class SteadyClock:
    def __init__(self, wall: Clock = time.time, ticks: Clock = time.monotonic) -> None:
        self._ticks = ticks
        self._ahead = wall() - ticks()

    def __call__(self) -> float:
        return self._ahead + self._ticks()


def pacing_for(clock: Clock) -> Clock:
    """The clock to keep pace by where times are taken from `clock`: one that is handed in keeps both."""
    return SteadyClock() if clock is time.time else clock

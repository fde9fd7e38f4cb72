"""Scores of one moment beside those of another.

A strategy that learns scores what waits anew, and all of it may rise or fall together, by more than links differ from
each other. Within an engine that means nothing. But workers hold their links against what others said of theirs a
moment ago, and the whole budget would go to whoever spoke while scores were high, now to one and now to another. So
what moves all links together is told slowly, over `SECONDS`: all learn the same, and it evens out. How links differ is
told at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, isfinite
from statistics import median

SECONDS = 3.0


class SteadyScale:
    """Remembers what links were worth when last looked at."""

    def __init__(self) -> None:
        self._known: dict[int, float] = {}
        self._behind = 0.0  # what is to be added to a score, so that it is on the scale that was told so far
        self._at = 0.0

    def shift(self, scores: Iterable[tuple[int, float]], now: float) -> float:
        """What to add to each of these scores, of links by their number. Links that are new do not move the scale."""
        known = {number: score for number, score in scores if isfinite(score)}
        moved = [score - self._known[number] for number, score in known.items() if number in self._known]
        self._behind = (self._behind - (median(moved) if moved else 0.0)) * exp(min(0.0, self._at - now) / SECONDS)
        self._known, self._at = known, now
        return self._behind

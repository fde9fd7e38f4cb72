"""Scenthound with the cheapest order and judge that look at pages at all: what the engine itself costs."""

from __future__ import annotations

import scenthound.judges.keywords
import scenthound.strategies.best_first  # noqa: F401  both are found by name otherwise, and a result's digest goes by imports
from throughput_parts import hound
from throughput_parts.race import Task


def main(given: Task) -> None:
    hound.main(given, strategy="best-first", judge="keywords")

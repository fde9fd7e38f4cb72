"""A failing input made as small as it can be while it fails in the same way."""

from __future__ import annotations

import time

from fuzz.runner import Failure, tried
from fuzz.targets import Target

MOST_TRIES = 2_000
MOST_SECONDS = 60.0


def smaller(target: Target, failure: Failure, patience: float) -> Failure:
    """Leaves out ever smaller pieces, as long as the kind of failure stays."""
    best, tries, end = failure, 0, time.monotonic() + MOST_SECONDS
    size = max(len(failure.data) // 2, 1)
    while tries < MOST_TRIES and time.monotonic() < end:
        start, found = 0, False
        while start < len(best.data) and tries < MOST_TRIES and time.monotonic() < end:
            data = best.data[:start] + best.data[start + size :]
            tries += 1
            result = tried(target, data, patience)
            if isinstance(result, Failure) and result.kind == failure.kind:
                best, found = result, True
            else:
                start += size
        if size == 1 and not found:
            break
        if not found or size > len(best.data):
            size = max(size // 2, 1)
    return best

"""How much memory a stretch of work took at most, beyond what the process had before.

The kernel's high-water mark counts what libraries written in C take, too. Where it cannot be set back (not Linux, or
forbidden), Python's own count stands in.
"""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATUS = Path("/proc/self/status")
SET_BACK = Path("/proc/self/clear_refs")


class PeakMemory:
    """Bytes, known once the work has ended."""

    bytes = 0


@contextmanager
def peak_memory() -> Iterator[PeakMemory]:
    peak = PeakMemory()
    gc.collect()
    try:
        SET_BACK.write_text("5")  # the high-water mark becomes what is used now
    except OSError:
        tracemalloc.start()
        try:
            yield peak
            peak.bytes = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        return
    before = _high_water()
    yield peak
    peak.bytes = _high_water() - before


def _high_water() -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", STATUS.read_text())
    assert found is not None
    return 1024 * int(found[1])

"""Python's collector of cyclic garbage, made rarer where there is next to none.

Pages, links and rows are values without cycles: what a crawl drops is freed at once, by counting references. The
collector knows nothing of that, and looks through whatever is there every time some hundreds of objects more are.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (20_000, 20, 50)
"""Objects more than were freed, and how often before older ones are looked at, too; Python's own: 700, 10, 10."""


_inside = 0
_before = gc.get_threshold()


@contextmanager
def rare_collection() -> Iterator[None]:
    """May be entered again before it is left, as by two crawls at once: the last to leave sets all as it was."""
    global _inside, _before
    if not _inside:
        _before = gc.get_threshold()
        gc.set_threshold(*RARELY)
    _inside += 1
    try:
        yield
    finally:
        _inside -= 1
        if not _inside:
            gc.set_threshold(*_before)

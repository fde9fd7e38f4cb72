"""For tests that would otherwise hang: the only clock that a test may fail by, and so slow that no machine is.

A test that wants to know how much work is done counts it. Where that cannot be counted, because it is done inside a
regular expression or a parser written in C, its input is so large that work which grows with the square of it would
take many minutes: then `no_hang` is enough to tell.
"""

import faulthandler
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 120.0
"""Seconds after which whatever takes a second or so is a hang."""


@contextmanager
def no_hang() -> Iterator[None]:
    """Ends the process, and says where it was, unless the block ends. It also ends what does not let Python run."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()

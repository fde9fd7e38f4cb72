"""A bound on the memory that a process may use, for as long as it reads something that may want all there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

DOCUMENT_MEMORY = 1 << 30
"""Bytes that reading a document may take; the largest honest PDF tried took a twentieth of that."""


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """The process may take so many bytes more than it has. Where a system has no such bound, there is none."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            there = int(file.read().split()[0]) * resource.getpagesize()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = there + more if hard == resource.RLIM_INFINITY else min(there + more, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

"""Files of lines that are only ever added to, by several processes at a time: what labels and notes have in common.

A writer holds a lock on the file for as long as it takes to write, and returns when the disk has the lines. One that
was killed meanwhile may leave a torn line at the end: nobody was told that it is stored, so it counts for nothing, and
the next writer cuts it off.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _hold(file: int) -> None:
        # Bytes far behind the end may be locked, and readers are not kept from those before them.
        os.lseek(file, 1 << 40, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _hold(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def held(path: Path) -> Iterator[int]:
    """The file, open to be added to, while others wait. It is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        _hold(file)
        yield file
    finally:
        os.close(file)


def append(file: int, path: Path, header: bytes, lines: bytes, is_line: Callable[[bytes], bool]) -> None:
    """Adds whole lines, on the disk when this returns. `is_line`: whether a last line without its end is whole."""
    _write_whole(file, _mended(file, path, header, is_line) + lines)


def looks(path: Path) -> tuple[int, int, int] | None:
    """How a file looks from outside: where that is the same, so is what it says."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _mended(file: int, path: Path, header: bytes, is_line: Callable[[bytes], bool]) -> bytes:
    """Cuts a torn last line off, and says what must come before the next: the header, or the end of a whole line."""
    written = path.read_bytes()
    whole, _, tail = written.rpartition(b"\n")
    if tail and whole and is_line(tail):
        return b"\n"  # somebody's editor left the end of the line out
    if tail:
        os.ftruncate(file, len(written) - len(tail))
    return b"" if whole else header + b"\n"


def _write_whole(file: int, lines: bytes) -> None:
    """In one go where the system lets us; what a full disk cuts off is mended by the next writer."""
    left = memoryview(lines)
    while left:
        left = left[os.write(file, left) :]
    os.fsync(file)

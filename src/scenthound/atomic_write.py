"""Files that are there whole or not at all.

A file is written beside its place under a name of its own (`.pages.csv.scenthound-k3x9a_2b.part`), and takes the
place when it is whole. A process that is killed meanwhile leaves that part behind: whoever writes to the same place
next removes it. The writer holds a lock on its part, which the system takes back when it dies, so that nobody
removes one in use.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TextIO

from scenthound.errors import LibraryFull

_MARK = ".scenthound-"

if sys.platform == "win32":  # pragma: no cover
    # Nobody can remove a file there that another process has open.

    def _seize(file: int) -> bool:
        return True

    def _remove_unused(part: Path) -> None:
        part.unlink()

else:
    import fcntl

    def _seize(file: int) -> bool:
        """Takes the lock, unless another process has it. Where the file system knows no locks, nobody gets one."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _remove_unused(part: Path) -> None:
        with part.open("rb") as file:
            if _seize(file.fileno()):
                part.unlink()  # while we hold it: its writer, if it has just been made, sees that it is gone


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends well, and is gone without a trace if not."""
    try:
        remove_left_over(path)
        with _part_of(path) as stream:
            try:
                yield stream  # type: ignore[misc]
                stream.flush()
                os.fsync(stream.fileno())
                os.chmod(stream.name, 0o666 & ~_umask())
                os.replace(stream.name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(stream.name)
                raise
    except OSError as error:
        raise LibraryFull(
            f"{path} cannot be written ({error.strerror or error}). Name another file, or make room."
        ) from error


def remove_left_over(path: Path) -> None:
    """Removes the parts of this file that processes left behind when they were killed."""
    ours = re.compile(re.escape(f".{path.name}{_MARK}") + r"[a-z0-9_]{8}\.part")
    with suppress(OSError):
        parts = [entry for entry in path.parent.iterdir() if ours.fullmatch(entry.name)]
        for part in parts:
            with suppress(OSError):
                _remove_unused(part)


def _part_of(path: Path) -> IO[str]:
    """A new part that we hold. One that somebody took for left over in the moment before that is made anew."""
    while True:
        stream = NamedTemporaryFile(  # noqa: SIM115
            "w",
            dir=path.parent,
            prefix=f".{path.name}{_MARK}",
            suffix=".part",
            encoding="utf-8",
            newline="",
            delete=False,
        )
        _seize(stream.fileno())
        if os.path.exists(stream.name):
            return stream
        stream.close()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

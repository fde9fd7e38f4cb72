"""One writer a folder: a lock the operating system takes back when its holder dies, however it dies."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from scenthound.errors import LibraryBusy, LibraryFull

NAME = "writing.lock"

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _seize(file: IO[str]) -> None:
        # Bytes far behind the end may be locked, and the holder's number in front of them stays readable.
        file.seek(1 << 20)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _seize(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Held from construction to `release`. The file stays: removing it would let two holders lock two files."""

    def __init__(self, folder: Path) -> None:
        try:
            self._file = open(folder / NAME, "a+", encoding="ascii", errors="replace")  # noqa: SIM115
        except OSError as error:
            raise LibraryFull(f"{folder} cannot be written to: {error.strerror}.") from error
        try:
            _seize(self._file)
        except OSError:
            holder = self._holder()
            self._file.close()
            raise LibraryBusy(
                f"Another crawl{holder} is writing to {folder}. Wait for it to end, stop it, or use another folder."
            ) from None
        self._sign()

    def _holder(self) -> str:
        self._file.seek(0)
        pid = self._file.read(20).strip()
        return f" (process {pid})" if pid.isdigit() else ""

    def _sign(self) -> None:
        try:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(str(os.getpid()))
            self._file.flush()
        except OSError:
            pass  # the lock holds without a signature, and a full disk is reported by what must be written

    def release(self) -> None:
        with suppress(OSError):  # a signature that a full disk did not take; the file is closed all the same
            self._file.close()

"""Libraries open for reading, lent to one thread at a time: to open one costs more than most questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from scenthound.library import open_library
from scenthound.library.folder import ADDRESS, DATABASE
from scenthound.protocols.library import Library

MOST_KEPT = 3


class Readers:
    """The libraries of one folder that nobody is reading just now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._free: list[tuple[tuple[int, int], Library]] = []
        self._lock = Lock()

    @contextmanager
    def lend(self) -> Iterator[Library]:
        """One for this thread. After an error it is not lent again; nor after another file took its file's place."""
        file = self._file()
        library = self._take(file) or open_library(self.folder, write=False)
        try:
            yield library
        except BaseException:
            library.close()
            raise
        with self._lock:
            if len(self._free) < MOST_KEPT:
                self._free.append((file, library))
                return
        library.close()

    def _take(self, file: tuple[int, int]) -> Library | None:
        with self._lock:
            while self._free:
                opened, library = self._free.pop()
                if opened == file:
                    return library
                library.close()
        return None

    def _file(self) -> tuple[int, int]:
        for name in (DATABASE, ADDRESS):
            with suppress(OSError):
                found = (self.folder / name).stat()
                return found.st_dev, found.st_ino
        return 0, 0

    def close(self) -> None:
        with self._lock:
            for _, library in self._free:
                library.close()
            self._free.clear()

"""The library in memory, held to what every library must do."""

from __future__ import annotations

from pathlib import Path

from scenthound.library import memory_library
from scenthound.protocols.library import Library
from tests.conformance.libraries import LibraryConformance


class TestMemoryLibrary(LibraryConformance):
    """A folder has one library here, whoever opens it: what was recorded is still there the next time."""

    def setup_method(self) -> None:
        self.opened: dict[Path, Library] = {}

    def open(self, folder: Path) -> Library:
        return self.opened.setdefault(folder, memory_library())

    def open_to_read(self, folder: Path) -> Library:
        return self.open(folder)

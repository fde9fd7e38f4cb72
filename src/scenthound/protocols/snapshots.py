"""What a strategy or judge has learned, at one moment of a crawl: kept in the library, so that the next crawl goes on.

    def snapshot(self) -> Snapshot:
        return Snapshot(1, {"pages": self.pages_}, {"weights": self.weights_.copy()})

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.pages_, self.weights_ = values["pages"], arrays["weights"].copy()

No code is in it and none is run by reading it: numbers, texts, lists and dicts as JSON has them, and arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Snapshot(Struct, frozen=True):
    """`version` is the class's own number for what is in it: one of another number is set aside.

    Arrays must not change any more: whoever goes on learning hands out copies. Those that come back are read-only.
    """

    version: int
    values: Mapping[str, Any] = {}  # as JSON has them: tuples come back as lists, keys as texts
    arrays: Mapping[str, Any] = {}  # of numpy, which costs too much time to import here

    def of_version(self, version: int) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Values and arrays; refused where it is of another version."""
        if self.version != version:
            raise ValueError(f"a snapshot of version {self.version}, and not of {version}")
        return self.values, self.arrays

    @property
    def bytes(self) -> int:
        """What its arrays hold."""
        return sum(array.nbytes for array in self.arrays.values())


class KeptSnapshots(Struct, frozen=True):
    """Snapshots that were taken at one moment, and which moment that was."""

    page: int  # the number of the last page stored before: `pages(after=page)` are those they do not know
    snapshots: Mapping[str, Snapshot]  # by what they are of: strategy, judge ...

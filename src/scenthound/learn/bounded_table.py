"""What is known of the pages seen last: a table that forgets the oldest entry when it is full."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from scenthound.urls import fingerprint

V = TypeVar("V")


class BoundedTable(Generic[V]):
    """URL -> value, for at most `size` URLs. The one written longest ago goes first.

    URLs are kept as 64-bit fingerprints: a thousand entries are about 100 KB plus what the values take.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[int, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, url: str, value: V) -> None:
        key = fingerprint(url)
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self.size:
            self._values.popitem(last=False)

    def get(self, url: str) -> V | None:
        return self._values.get(fingerprint(url))

    def by_fingerprint(self, key: int) -> V | None:
        """For links that carry the fingerprint of their page with them."""
        return self._values.get(key)

"""Which links need no place in the order any more: fingerprints of the URLs asked for last, twenty bytes each.

What came lately is in a dict, which keeps its order; the others are in arrays, sorted, each with its age. When the dict
has grown to `RECENT` both are put together. Beyond `most`, what was asked for longest ago is forgotten: its age is then
below `_forgotten`, and the next time it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

RECENT = 4_096

Fingerprints = npt.NDArray[np.int64]


class DoneLinks:
    def __init__(self, most: int, recent: int = RECENT) -> None:
        self.most = most
        self._bound = max(1, min(recent, most // 2))
        self._recent: dict[int, None] = {}
        self.take_back(np.zeros(0, np.int64))

    def __len__(self) -> int:
        return self._size

    @property
    def bytes(self) -> int:
        """Of the arrays: the dict has a bound of its own."""
        return self._oldest_first.nbytes + self._sorted.nbytes + self._ages.nbytes

    def among(self, links: Sequence[int]) -> list[bool]:
        """Of each, whether it is here."""
        recent = self._recent
        if not len(self._sorted):
            return [link in recent for link in links]
        wanted = np.array(links, np.int64)
        places = np.searchsorted(self._sorted, wanted)
        known = (self._sorted.take(places, mode="clip") == wanted) & (
            self._ages.take(places, mode="clip") >= self._forgotten
        )
        return [there or link in recent for link, there in zip(links, known.tolist(), strict=True)]

    def add(self, link: int) -> None:
        """It is now the last to be forgotten."""
        recent = self._recent
        if link in recent:
            del recent[link]
            recent[link] = None
            return
        self._size += not self.among([link])[0]
        recent[link] = None
        if self._size > self.most:
            self._forget_one()
        if len(recent) >= self._bound:
            self.take_back(self.kept())

    def _forget_one(self) -> None:
        self._size -= 1
        while int(self._oldest_first[self._forgotten]) in self._recent:  # added again since
            self._forgotten += 1
        self._forgotten += 1

    def kept(self) -> Fingerprints:
        """All of them, the oldest first."""
        recent = np.fromiter(self._recent, np.int64, len(self._recent))
        older = self._oldest_first[self._forgotten :]
        return np.concatenate([older[np.isin(older, recent, invert=True)], recent])

    def take_back(self, kept: Fingerprints) -> None:
        self._oldest_first = kept[-self.most :].copy()
        order = np.argsort(self._oldest_first)
        self._sorted = self._oldest_first[order]
        self._ages = order.astype(np.int32)  # of those sorted: their places among the oldest first
        self._forgotten = 0
        self._size = len(self._oldest_first)
        self._recent = {}

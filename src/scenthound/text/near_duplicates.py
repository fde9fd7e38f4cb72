"""Which stored page is nearly the same as this one: asked in one pass over the hashes of all of them.

Apart from `simhash`, because processes that only parse have no use for arrays, and start in half the time without.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.text.simhash import DISTANCE, unsigned


class NearDuplicates:
    """The hashes of stored pages: eight bytes and a URL each, asked in one pass."""

    def __init__(self) -> None:
        self._hashes: npt.NDArray[np.uint64] = np.zeros(1024, dtype=np.uint64)
        self._urls: list[str] = []

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, simhash: int, url: str) -> None:
        if not simhash:
            return
        if len(self._urls) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
        self._hashes[len(self._urls)] = unsigned(simhash)
        self._urls.append(url)

    def forget(self, url: str) -> None:
        """A page that is no longer there is nobody's original."""
        for place in [place for place, known in enumerate(self._urls) if known == url][::-1]:
            self._hashes = np.append(np.delete(self._hashes, place), np.uint64(0))
            del self._urls[place]

    def find(self, simhash: int) -> str | None:
        """The URL of the page nearest to this one, the first of equals; None where none is near."""
        if not simhash or not self._urls:
            return None
        distances = np.bitwise_count(self._hashes[: len(self._urls)] ^ np.uint64(unsigned(simhash)))
        nearest = int(distances.argmin())
        return self._urls[nearest] if distances[nearest] <= DISTANCE else None

"""Which stored page is nearly the same as this one, among any number of them.

Hashes that differ in at most `DISTANCE` bits are alike in one at least of `DISTANCE + 1` bands, whichever bits those
are (Manku et al. 3). So pages are filed by each band of their hash, and a page is compared with those it shares one
with: with a million stored, some sixty.

A site whose pages are all made of the same few words has hashes that share their bands by the thousand. Of each value
of a band only some are filed, by and by the later ones, so that no page takes longer the more of them are stored.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from scenthound.text.simhash import DISTANCE, unsigned

BANDS = DISTANCE + 1
WIDTH = 64 // BANDS
_MASK = (1 << WIDTH) - 1
MOST_ALIKE = 256
"""Pages that are filed under one value of a band: more than chance brings together among ten million."""

FEW = 60
"""Pages to compare with, up to which a loop is done before an array is made."""


class NearDuplicates:
    """The hashes of stored pages, and their URLs."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._urls: list[str] = []  # empty where the page was forgotten
        self._forgotten = 0
        self._files: tuple[dict[int, array[int]], ...] = tuple({} for _ in range(BANDS))  # value of a band -> pages

    def __len__(self) -> int:
        return len(self._urls) - self._forgotten

    def add(self, simhash: int, url: str) -> None:
        if not simhash:
            return
        simhash = unsigned(simhash)
        for file, value in self._places(simhash):
            alike = file.setdefault(value, array("I"))
            if len(alike) < MOST_ALIKE:
                alike.append(len(self._urls))
            else:
                alike[len(self._urls) % MOST_ALIKE] = len(self._urls)
        self._hashes.append(simhash)
        self._urls.append(url)

    def forget(self, url: str) -> None:
        """A page that is no longer there is nobody's original."""
        for page in [page for page, known in enumerate(self._urls) if known == url]:
            for file, value in self._places(self._hashes[page]):
                if page in file[value]:
                    file[value].remove(page)
            self._urls[page] = ""
            self._forgotten += 1

    def find(self, simhash: int) -> str | None:
        """The URL of the page nearest to this one, the first of equals; None where none is near."""
        if not simhash:
            return None
        simhash = unsigned(simhash)
        alike = [pages for file, value in self._places(simhash) if (pages := file.get(value))]
        if not alike:
            return None
        many = sum(map(len, alike)) > FEW
        distance, page = self._nearest_of_many(simhash, alike) if many else self._nearest(simhash, alike)
        return self._urls[page] if distance <= DISTANCE else None

    def _nearest(self, simhash: int, alike: list[array[int]]) -> tuple[int, int]:
        hashes = self._hashes
        return min(((hashes[page] ^ simhash).bit_count(), page) for pages in alike for page in pages)

    def _nearest_of_many(self, simhash: int, alike: list[array[int]]) -> tuple[int, int]:
        pages = np.frombuffer(b"".join(alike), np.uint32)
        distances = np.bitwise_count(np.frombuffer(self._hashes, np.uint64)[pages] ^ np.uint64(simhash))
        distance = int(distances.min())
        return distance, int(pages[distances == distance].min())

    def _places(self, simhash: int) -> Iterator[tuple[dict[int, array[int]], int]]:
        for file in self._files:
            yield file, simhash & _MASK
            simhash >>= WIDTH

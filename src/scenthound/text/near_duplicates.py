"""Which stored page is nearly the same as this one, among any number of them.

Hashes that differ in at most `DISTANCE` bits are alike in one at least of `DISTANCE + 1` bands, whichever bits those
are (Manku et al. 3). So pages are filed by each band of their hash, and a page is compared with those it shares one
with: with a million stored, some sixty.

A site whose pages are all made of the same few words has hashes that share their bands by the thousand. Of each value
of a band only some are filed, by and by the later ones, so that no page takes longer the more of them are stored.

All of it lies in arrays: a page takes 32 bytes and its URL.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from scenthound.text.simhash import DISTANCE, unsigned

BANDS = DISTANCE + 1
WIDTH = 64 // BANDS
_MASK = (1 << WIDTH) - 1
MOST_ALIKE = 256
"""Pages that are filed under one value of a band: more than chance brings together among ten million."""

MOST_CHAINED = 64
"""Of those, as many as are gone through one by one; where there are more, they have an array of their own."""

FEW = 60
"""Pages to compare with, up to which a loop is done before an array is made."""


class NearDuplicates:
    """The hashes of stored pages, and their URLs."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._urls = _Texts()
        self._forgotten: set[int] = set()
        self._bands = tuple(_Band() for _ in range(BANDS))

    def __len__(self) -> int:
        return len(self._hashes) - len(self._forgotten)

    @property
    def bytes(self) -> int:
        return self._hashes.itemsize * len(self._hashes) + self._urls.bytes + sum(band.bytes for band in self._bands)

    def add(self, simhash: int, url: str) -> None:
        if not simhash:
            return
        simhash = unsigned(simhash)
        page = len(self._hashes)
        for band, value in self._places(simhash):
            band.add(value, page)
        self._hashes.append(simhash)
        self._urls.append(url)

    def forget(self, url: str) -> None:
        """A page that is no longer there is nobody's original."""
        for page in self._urls.places_of(url):
            if page not in self._forgotten:
                for band, value in self._places(self._hashes[page]):
                    band.remove(value, page)
                self._forgotten.add(page)

    def find(self, simhash: int) -> str | None:
        """The URL of the page nearest to this one, the first of equals; None where none is near."""
        if not simhash:
            return None
        simhash = unsigned(simhash)
        alike = [pages for band, value in self._places(simhash) if (pages := band.pages(value))]
        if not alike:
            return None
        many = sum(map(len, alike)) > FEW
        distance, page = self._nearest_of_many(simhash, alike) if many else self._nearest(simhash, alike)
        return self._urls[page] if distance <= DISTANCE else None

    def _nearest(self, simhash: int, alike: list[Sequence[int]]) -> tuple[int, int]:
        hashes = self._hashes
        return min(((hashes[page] ^ simhash).bit_count(), page) for pages in alike for page in pages)

    def _nearest_of_many(self, simhash: int, alike: list[Sequence[int]]) -> tuple[int, int]:
        pages = np.concatenate([np.array(pages, np.uint32) for pages in alike])
        distances = np.bitwise_count(np.frombuffer(self._hashes, np.uint64)[pages] ^ np.uint64(simhash))
        distance = int(distances.min())
        return distance, int(pages[distances == distance].min())

    def _places(self, simhash: int) -> Iterator[tuple[_Band, int]]:
        for band in self._bands:
            yield band, simhash & _MASK
            simhash >>= WIDTH


class _Band:
    """Pages by the value of one band. Those of a value are a chain, from the last one back, in two arrays for all
    values: a list for each would be ten times as large. Pages are counted from 1 there; 0 ends a chain."""

    def __init__(self) -> None:
        self._last = array("I", bytes(4 << WIDTH))  # value -> its last page
        self._before = array("I")  # page -> the page of the same value before
        self._chained = bytearray(1 << WIDTH)  # value -> pages in its chain
        self._many: dict[int, array[int]] = {}  # the values that have no chain any more

    @property
    def bytes(self) -> int:
        arrays = (self._last, self._before, *self._many.values())
        return sum(each.itemsize * len(each) for each in arrays) + len(self._chained)

    def add(self, value: int, page: int) -> None:
        """Pages come in their order, each into every band."""
        self._before.append(0)
        if self._chained[value] == MOST_CHAINED:
            self._many[value] = array("I", reversed(self.pages(value)))
            self._last[value] = self._chained[value] = 0
        if (many := self._many.get(value)) is None:
            self._before[page] = self._last[value]
            self._last[value] = page + 1
            self._chained[value] += 1
        elif len(many) < MOST_ALIKE:
            many.append(page)
        else:
            many[page % MOST_ALIKE] = page

    def pages(self, value: int) -> Sequence[int]:
        if (many := self._many.get(value)) is not None:
            return many
        found, page, before = [], self._last[value], self._before
        while page:
            page -= 1
            found.append(page)
            page = before[page]
        return found

    def remove(self, value: int, page: int) -> None:
        if (many := self._many.get(value)) is not None:
            if page in many:
                many.remove(page)
            return
        chain = self.pages(value)
        place = chain.index(page)
        if place:
            self._before[chain[place - 1]] = self._before[page]
        else:
            self._last[value] = self._before[page]
        self._chained[value] -= 1


class _Texts:
    """A list of texts, end to end: a tenth of a million of Python's own would take 5 MB more than what they say."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")

    def __getitem__(self, place: int) -> str:
        return self._bytes[self._start(place) : self._ends[place]].decode("utf-8", "surrogatepass")

    @property
    def bytes(self) -> int:
        return len(self._bytes) + self._ends.itemsize * len(self._ends)

    def append(self, text: str) -> None:
        self._bytes += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    def places_of(self, text: str) -> list[int]:
        wanted, found = text.encode("utf-8", "surrogatepass"), []
        at = self._bytes.find(wanted)
        while 0 <= at < len(self._bytes):
            place = bisect_right(self._ends, at)
            if (self._start(place), self._ends[place]) == (at, at + len(wanted)):
                found.append(place)
            at = self._bytes.find(wanted, at + 1)
        return found

    def _start(self, place: int) -> int:
        return self._ends[place - 1] if place else 0

"""The graph of a crawl: which page links to which, as far as pages have been read.

    urls ──(UrlNumbers)──▶ 0, 1, 2, ... ──(Column)──▶ one value per URL, in an array
    visit ──(WebGraph.add)──▶ page, targets ──(OutLinks)──▶ a few pages at a time, round and round

Scores of graphs (PageRank, hubs and authorities) change everywhere when a page is added. Recomputing them costs more
with every page, so it is not done: a score is kept nearly right by going over a fixed number of links per new page,
always the next ones in a round over all pages. The cost per page so stays the same however large the graph is.

Memory, per URL: 24 to 48 bytes for its number, 5 for what `WebGraph` notes, 4 or 8 for each column of a strategy; per
link of a page that was read: 4. Arrays that are full are copied to larger ones: rarely, but then for a moment both are
there, and the page pays for it (0.2 s at a million URLs). Measured at the peak, with PageRank, 1.3 million URLs seen on
60,000 pages with 4.6 million links are 150 MB. Growth ends at `MOST_URLS`; URLs first seen after that have no number,
and their scores are those of a URL nobody knows anything about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound import urls
from scenthound.model import Link, Visit

IntArray = npt.NDArray[np.integer[Any]]
FloatArray = npt.NDArray[np.float64]

MOST_URLS = 20_000_000
SMALLEST = 1024
NONE = -1


class UrlNumbers:
    """Numbers URLs in the order they are first met: a hash table of fingerprints in two arrays.

    Open addressing, at most half full. All links of a page are looked up at once: each round of the loops below moves
    those one place on that found somebody else in theirs.
    """

    def __init__(self, most: int = MOST_URLS) -> None:
        self.most = most
        self._count = 0
        self._keys = np.zeros(SMALLEST, np.int64)
        self._numbers = np.full(SMALLEST, NONE, np.int32)

    def __len__(self) -> int:
        return self._count

    def find(self, found: Iterable[str]) -> IntArray:
        """The numbers of these URLs, NONE for those never met."""
        return self._find(np.fromiter(map(urls.fingerprint, found), np.int64))

    def add(self, found: Iterable[str]) -> IntArray:
        """The numbers of these URLs, those never met before included; NONE once there are too many. Each URL once."""
        keys = np.fromiter(dict.fromkeys(map(urls.fingerprint, found)), np.int64)
        numbers = self._find(keys)
        new = np.flatnonzero(numbers == NONE)[: self.most - self._count]
        if len(new):
            numbers[new] = np.arange(self._count, self._count + len(new))
            self._count += len(new)
            if 2 * self._count > len(self._keys):
                self._grow()
            self._place(keys[new], numbers[new])
        return numbers

    def keys(self) -> IntArray:
        """The fingerprints of all URLs, in the order of their numbers."""
        keys, taken = np.zeros(self._count, np.int64), self._numbers != NONE
        keys[self._numbers[taken]] = self._keys[taken]
        return keys

    def take_back(self, keys: IntArray) -> None:
        """Makes these the URLs that are known."""
        self._count = len(keys)
        self._make_table(max(SMALLEST, 1 << (2 * self._count).bit_length()))
        self._place(keys, np.arange(self._count, dtype=np.int32))

    def _find(self, keys: IntArray) -> IntArray:
        mask = len(self._keys) - 1
        numbers = np.full(len(keys), NONE, np.int32)
        seeking, at = np.arange(len(keys)), keys & mask
        while len(seeking):
            occupants = self._numbers[at]
            same = self._keys[at] == keys[seeking]
            numbers[seeking[same]] = occupants[same]
            on = (occupants != NONE) & ~same
            seeking, at = seeking[on], (at[on] + 1) & mask
        return numbers

    def _place(self, keys: IntArray, numbers: IntArray) -> None:
        mask = len(self._keys) - 1
        at = keys & mask
        while len(keys):
            free = self._numbers[at] == NONE
            self._numbers[at[free]] = numbers[free]
            placed = self._numbers[at] == numbers  # of several that want one place, one got it
            self._keys[at[placed]] = keys[placed]
            on = ~placed
            keys, numbers, at = keys[on], numbers[on], (at[on] + 1) & mask

    def _grow(self) -> None:
        """To a table that is at most half full, and of a power of two so that a mask finds the place."""
        taken = self._numbers != NONE
        keys, numbers = self._keys[taken], self._numbers[taken]
        self._make_table(1 << (2 * self._count).bit_length())
        self._place(keys, numbers)

    def _make_table(self, size: int) -> None:
        self._keys = np.zeros(size, np.int64)
        self._numbers = np.full(size, NONE, np.int32)


class Column:
    """One value per URL number, `start` for every URL nobody has set one for."""

    def __init__(self, dtype: npt.DTypeLike, start: float = 0.0) -> None:
        self.start = start
        self.values: npt.NDArray[Any] = np.full(SMALLEST, start, dtype)

    def reach(self, size: int) -> npt.NDArray[Any]:
        """The values, with room for that many numbers."""
        if size > len(self.values):
            fresh = np.full(max(size, 3 * len(self.values) // 2) - len(self.values), self.start, self.values.dtype)
            self.values = np.concatenate([self.values, fresh])
        return self.values

    def kept(self, size: int) -> npt.NDArray[Any]:
        """A copy of the values of so many numbers."""
        return self.reach(size)[:size].copy()

    def take_back(self, values: npt.NDArray[Any]) -> None:
        self.values = values.astype(self.values.dtype)
        self.reach(SMALLEST)

    def of(self, numbers: IntArray) -> npt.NDArray[Any]:
        """The values of these numbers; `start` where there is no number."""
        known = (numbers != NONE) & (numbers < len(self.values))
        values = np.full(len(numbers), self.start, self.values.dtype)
        values[known] = self.values[numbers[known]]
        return values


class WebGraph:
    """Which URLs are known, which of them are pages that were read, and on how many pages each stands.

    A page counts once however often it is added, a URL once however often a page shows it, and a page's links to itself
    not at all. A redirect is a page with one link, so that what links to the old name counts for the new one.
    """

    def __init__(self, most: int = MOST_URLS) -> None:
        self.numbers = UrlNumbers(most)
        self.backlinks = Column(np.int32)
        self._read = Column(np.bool_)

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, visit: Visit) -> list[tuple[int, IntArray]]:
        """Takes in a page; says which pages are new, by number, and the numbers of what each links to."""
        pages = [(visit.page.url, [link.url for link in visit.page.links])]
        if visit.link.kind == "redirect" and visit.link.source:
            pages.insert(0, (visit.link.source, [visit.page.url]))
        return [new for url, targets in pages if (new := self._add(url, targets)) is not None]

    def find(self, links: Sequence[Link]) -> IntArray:
        return self.numbers.find([link.url for link in links])

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        size = len(self)
        return {"urls": self.numbers.keys(), "backlinks": self.backlinks.kept(size), "read": self._read.kept(size)}

    def take_back(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.numbers.take_back(arrays["urls"])
        self.backlinks.take_back(arrays["backlinks"])
        self._read.take_back(arrays["read"])

    def _add(self, url: str, targets: Sequence[str]) -> tuple[int, IntArray] | None:
        numbers = self.numbers.add([url, *targets])
        source = int(numbers[0])
        read, backlinks = self._read.reach(len(self)), self.backlinks.reach(len(self))
        if source == NONE or read[source]:
            return None
        read[source] = True
        to = numbers[1:]
        to = to[to != NONE]
        backlinks[to] += 1
        return source, to


class Links(Struct, frozen=True):
    """The links of some pages: page i has `counts[i]` of them, and `targets` holds all, page by page."""

    pages: IntArray
    counts: IntArray
    targets: IntArray

    def spread(self, values: FloatArray) -> FloatArray:
        """A value per page, as a value per link."""
        return np.repeat(values, self.counts)

    def sums(self, values: FloatArray) -> FloatArray:
        """A value per link, summed up per page."""
        starts = np.cumsum(self.counts) - self.counts
        sums: FloatArray = np.add.reduceat(values, starts)
        return sums


class OutLinks:
    """The links of all pages that have any, in the order the pages were read, and a place in the round over them."""

    def __init__(self) -> None:
        self._pages = Column(np.int32)
        self._starts = Column(np.int64)
        self._targets = Column(np.int32)
        self._count = 0
        self._next = 0
        self._round = 0

    def __len__(self) -> int:
        """How many pages there are."""
        return self._count

    def append(self, page: int, targets: IntArray) -> None:
        if not len(targets):
            return
        start = int(self._starts.values[self._count])
        self._pages.reach(self._count + 1)[self._count] = page
        self._targets.reach(start + len(targets))[start : start + len(targets)] = targets
        self._count += 1
        self._starts.reach(self._count + 1)[self._count] = start + len(targets)

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        starts = self._starts.kept(self._count + 1)
        return {
            "pages": self._pages.kept(self._count),
            "starts": starts,
            "targets": self._targets.kept(int(starts[-1])),
            "round": np.array([self._next, self._round]),
        }

    def take_back(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self._count = len(arrays["pages"])
        self._pages.take_back(arrays["pages"])
        self._starts.take_back(arrays["starts"])
        self._targets.take_back(arrays["targets"])
        self._next, self._round = arrays["round"].tolist()

    def latest(self, n: int) -> Links:
        """The last n pages."""
        return self._slice(max(self._count - n, 0), self._count)

    def turn(self, links: int) -> Links:
        """The next pages in the round that have about so many links together: one page at least, all at most."""
        if self._next >= self._round:  # a round is over the pages there were at its start: new ones must not keep it
            self._next, self._round = 0, self._count
        first, starts = self._next, self._starts.values[: self._round + 1]
        last = int(np.searchsorted(starts, starts[first] + links, side="right")) - 1
        self._next = min(max(last, first + 1), self._round)
        return self._slice(first, self._next)

    def _slice(self, first: int, last: int) -> Links:
        starts = self._starts.values[first : last + 1]
        return Links(
            pages=self._pages.values[first:last],
            counts=np.diff(starts),
            targets=self._targets.values[starts[0] : starts[-1]],
        )

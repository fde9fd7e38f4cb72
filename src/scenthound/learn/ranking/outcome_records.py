"""What became of the links of a page, and of each of its lists: how relevant the pages behind them turned out to be.

    record of a page = (sum of outcomes + SHRINK * mean outcome of the crawl) / (their number + SHRINK)
    record of a list = (sum of outcomes + SHRINK * record of its page)        / (their number + SHRINK)

A list is a block of the page. Pages are numbered as they come; the last `PAGES` have records, with `LISTS` lists each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

PAGES, LISTS = 50_000, 8
FIRST_PAGES = 256
SHRINK = 3.0

Floats = npt.NDArray[np.float64]
Sums = npt.NDArray[np.float32]
"""Of relevances, and their number: a row for each list or page."""


class OutcomeRecords:
    def __init__(self) -> None:
        self.pages = 0
        self._table: Sums = np.zeros((FIRST_PAGES * LISTS, 2), np.float32)  # of each list
        self._of_pages: Sums = np.zeros((FIRST_PAGES, 2), np.float32)  # of all lists of a page
        self._sum, self._number = 0.0, 0

    def next_page(self) -> int:
        """The number of a page that has come; give `list_of` of it to `add` and `__call__`."""
        number = self.pages
        self.pages += 1
        if self.pages * LISTS > len(self._table) and len(self._table) < PAGES * LISTS:
            larger = np.zeros((min(2 * len(self._table), PAGES * LISTS), 2), np.float32)
            larger[: len(self._table)] = self._table
            self._use(larger)
        place = number % PAGES
        self._table[place * LISTS : (place + 1) * LISTS] = self._of_pages[place] = 0.0
        return number

    def _use(self, table: Sums) -> None:
        self._table, self._of_pages = table, table.reshape(-1, LISTS, 2).sum(axis=1)

    @classmethod
    def list_of(cls, page: int, block: int) -> int:
        return cls.lists_of(page, [block])[0]

    @staticmethod
    def lists_of(page: int, blocks: Iterable[int]) -> list[int]:
        first, last = page * LISTS, LISTS - 1
        return [first + (block if block < last else last) for block in blocks]

    def add(self, lists: npt.NDArray[np.int64], outcome: float) -> None:
        """A link that stood in these lists led to a page of this relevance."""
        known = lists[self._remembered(lists)] % (PAGES * LISTS)
        np.add.at(self._table, known, np.array([outcome, 1.0], np.float32))
        pages = known // LISTS
        self._of_pages[pages] = self._table.reshape(-1, LISTS, 2)[pages].sum(axis=1)
        self._sum += outcome
        self._number += 1

    def __call__(self, lists: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """For each row of lists, the mean record of their pages and of themselves; of -1, the mean of the crawl."""
        known = self._remembered(lists)
        places = np.where(known, lists, 0) % (PAGES * LISTS)
        usual = self._sum / self._number if self._number else 0.0
        whole = self._of_pages.take(places // LISTS, axis=0)  # of rows, in a tenth of the time of [ ]
        page = (whole[..., 0] + SHRINK * usual) / (whole[..., 1] + SHRINK)
        own = self._table.take(places, axis=0)
        of_list = (own[..., 0] + SHRINK * page) / (own[..., 1] + SHRINK)
        count = np.maximum(known.sum(axis=1), 1)
        none = ~known.any(axis=1)
        return tuple(  # type: ignore[return-value]
            np.where(none, usual, np.where(known, record, 0.0).sum(axis=1) / count) for record in (page, of_list)
        )

    def of_one(self, lists: Sequence[int]) -> tuple[float, float]:
        """The same for the lists of a single link."""
        usual = self._sum / self._number if self._number else 0.0
        oldest = max(0, (self.pages - PAGES) * LISTS)
        places = [number % (PAGES * LISTS) for number in lists if number >= oldest]
        if not places:
            return usual, usual
        of_pages = of_lists = 0.0
        for at in places:
            relevance, number = self._of_pages[at // LISTS].tolist()
            page = (relevance + SHRINK * usual) / (number + SHRINK)
            relevance, number = self._table[at].tolist()
            of_pages += page
            of_lists += (relevance + SHRINK * page) / (number + SHRINK)
        return of_pages / len(places), of_lists / len(places)

    def followed(self, lists: npt.NDArray[np.int64]) -> tuple[tuple[float, int], tuple[float, int]]:
        """Of one row of lists, what was followed from their pages, and from themselves: sum of relevance, number."""
        known = lists[self._remembered(lists)] % (PAGES * LISTS)
        pages = self._table.reshape(-1, LISTS, 2)[np.unique(known // LISTS)].sum(axis=(0, 1))
        own = self._table[np.unique(known)].sum(axis=0)
        return (float(pages[0]), int(pages[1])), (float(own[0]), int(own[1]))

    def _remembered(self, lists: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        known: npt.NDArray[np.bool_] = (lists >= 0) & (lists >= (self.pages - PAGES) * LISTS)
        return known

    def kept(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Values and arrays of a snapshot."""
        return {"pages": self.pages, "sum": self._sum, "number": self._number}, {"table": self._table.copy()}

    def take_back(self, values: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        self.pages, self._sum, self._number = values["pages"], values["sum"], values["number"]
        self._use(arrays["table"].copy())

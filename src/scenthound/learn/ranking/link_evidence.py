"""What all known in-links of a waiting link say together, in a fixed number of bytes a link.

| kept | of |
|---|---|
| the best value of each feature | all in-links |
| the words, hashed | the one whose first feature is best, the first of several |
| the sum of the relevance of parents, and their number | all in-links |
| which pages and lists they were on | the last `SOURCES` |
| the places of its site and its section among counts | the link |
| what a judge imagined of the words, and the version of the judge | the same words |

Rows are used again when their link was followed. Above `LINKS` waiting links, those found longest ago are forgotten:
what they have then is what the link alone says.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.relevance.imagined_pages import PARTS
from scenthound.learn.relevance.link_words import WIDTH
from scenthound.learn.relevance.word_places import Hashes

LINKS = 50_000
SOURCES = 4
FIRST_ROWS = 1_024
MADE_ANEW = ("imagined", "imagined_by")  # from the words, whenever they are asked for
COLUMNS = ("best", "words", "parents", "lists", "places")
NEVER = -1

Numbers = npt.NDArray[np.intp]
Values = npt.NDArray[np.float32]
Places = npt.NDArray[np.int32]
"""A row a link: where its site is counted, and where its section is."""

SITE, SECTION = 0, 1
"""Columns of places."""


class FoundLinks(Struct, frozen=True):
    """The links of one page: fingerprints of their URLs, and what each of them says.

    `words` gives those of the links with these numbers: of links that were found before they are seldom needed.
    """

    links: Sequence[int]
    values: Values
    words: Callable[[Iterable[int]], Hashes]
    lists: Sequence[int]
    places: Places


class LinkEvidence:
    """Rows of arrays, by the fingerprint of the link's URL."""

    def __init__(self, features: int, most: int = LINKS) -> None:
        self.most = most
        self._rows: dict[int, int] = {}
        self._free: list[int] = []
        self.best: Values = np.zeros((FIRST_ROWS, features), np.float32)
        self.words: Hashes = np.zeros((FIRST_ROWS, WIDTH), np.uint32)
        self.parents: Values = np.zeros((FIRST_ROWS, 2), np.float32)  # sum of relevance, number
        self.lists: npt.NDArray[np.int64] = np.full((FIRST_ROWS, SOURCES), -1, np.int64)
        self.places: Places = np.zeros((FIRST_ROWS, 2), np.int32)
        self.imagined: Values = np.zeros((FIRST_ROWS, PARTS), np.float32)
        self.imagined_by: npt.NDArray[np.int32] = np.full((FIRST_ROWS, 1), NEVER, np.int32)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, link: int) -> int | None:
        return self._rows.get(link)

    def rows_of(self, links: Iterable[int]) -> Numbers:
        """Of each its row, or -1."""
        return np.fromiter(map(self._rows.get, links, itertools.repeat(-1)), np.intp)

    def add(self, found: FoundLinks, relevance: float) -> Numbers:
        """One in-link each, from a page of this relevance; gives their rows."""
        rows, new = self._rows_for(found.links)
        self.best[new], self.parents[new], self.lists[new] = -np.inf, 0.0, -1
        better = found.values[:, 0] > self.best[rows, 0]
        self.words[rows[better]] = found.words(np.flatnonzero(better).tolist())
        self.imagined_by[rows[better]] = NEVER
        np.maximum.at(self.best, rows, found.values)
        self.add_parent(rows, relevance, found.lists)
        self.places[rows] = found.places
        return rows

    def met(self, links: Sequence[int]) -> dict[int, int]:
        """Of those that are known, by their numbers, the rows."""
        return {number: row for number, row in enumerate(map(self._rows.get, links)) if row is not None}

    def familiar(self, met: Mapping[int, int], least: int) -> dict[int, int]:
        """Of these, those that have so many in-links at least."""
        often = (self.parents[list(met.values()), 1] >= least).tolist()
        return dict(itertools.compress(met.items(), often))

    def add_parent(self, rows: Numbers | list[int], relevance: float, lists: Sequence[int]) -> None:
        """A page of this relevance has the links, in these lists."""
        np.add.at(self.parents, rows, np.array([relevance, 1.0], np.float32))
        place = self.parents[rows, 1].astype(np.intp) % SOURCES
        self.lists[rows, place] = lists

    def remove(self, link: int) -> None:
        if (row := self._rows.pop(link, None)) is not None:
            self._free.append(row)
            self.parents[row] = 0.0

    def move(self, link: int, target: int, places: Sequence[int]) -> None:
        """What is known of the link is now of its target, which has these places; unless that is known itself."""
        if target not in self._rows and (row := self._rows.pop(link, None)) is not None:
            self._rows[target] = row
            self.places[row] = places

    def imagined_with(self, rows: Numbers, version: int, imagine: Callable[[Hashes], npt.NDArray[Any]]) -> Values:
        """What a judge imagines of the links, asked only about those whose words it has not seen in this version."""
        if len(stale := rows[self.imagined_by[rows, 0] != version]):
            self.imagined[stale] = imagine(self.words[stale])
            self.imagined_by[stale] = version
        return self.imagined[rows]

    def imagined_of(self, row: int, version: int, imagine: Callable[[Hashes], npt.NDArray[Any]]) -> Values:
        """The same of a single link."""
        if self.imagined_by[row, 0] != version:
            self.imagined_with(np.array([row]), version, imagine)
        found: Values = self.imagined[row]
        return found

    def some(self, n: int) -> Numbers:
        """The rows of about n links that wait, evenly through all."""
        used = len(self._rows) + len(self._free)
        rows = np.arange(0, used, max(1, used // n))
        waiting: Numbers = rows[self.parents[rows, 1] > 0]
        return waiting

    def _rows_for(self, links: Sequence[int]) -> tuple[Numbers, list[int]]:
        """The row of each link, and which of them are new."""
        known, rows, new = self._rows, [], []
        if len(known) + len(links) > self.most:
            # The oldest make room. These are not old, and what was known of them is not said again.
            known.update([(link, known.pop(link)) for link in dict.fromkeys(links) if link in known])
        for link in links:
            if (row := known.get(link)) is None:
                row = known[link] = self._new_row()
                new.append(row)
            rows.append(row)
        return np.array(rows, np.intp), new

    def _new_row(self) -> int:
        if self._free:
            return self._free.pop()
        if len(self._rows) >= self.most:
            return self._rows.pop(next(iter(self._rows)))
        if (row := len(self._rows)) == len(self.best):
            more = min(2 * row, self.most)
            for name in (*COLUMNS, *MADE_ANEW):
                setattr(self, name, _longer(getattr(self, name), more))
        return row

    def kept(self) -> dict[str, Any]:
        """As arrays of a snapshot; rows stay where they are, so that sums over them come out the same."""
        used = len(self._rows) + len(self._free)
        return {
            "links": np.fromiter(self._rows, np.int64, len(self._rows)),
            "rows": np.fromiter(self._rows.values(), np.int64, len(self._rows)),
            "free": np.array(self._free, np.int64),
            **{name: getattr(self, name)[:used].copy() for name in COLUMNS},
        }

    def take_back(self, arrays: Mapping[str, Any]) -> None:
        self._rows = dict(zip(arrays["links"].tolist(), arrays["rows"].tolist(), strict=True))
        self._free = arrays["free"].tolist()
        for name in COLUMNS:
            setattr(self, name, _longer(arrays[name], max(FIRST_ROWS, len(arrays[name]))))
        self.imagined = np.zeros((len(self.best), PARTS), np.float32)
        self.imagined_by = np.full((len(self.best), 1), NEVER, np.int32)


def _longer(array: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    new = np.zeros((rows, array.shape[1]), array.dtype)
    new[: len(array)] = array
    return new

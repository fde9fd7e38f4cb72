"""Sequences of pages as numbers, each thing that repeats kept once.

Ten thousand sequences walk over the same thousand pages. What is observed at a place of a sequence is the sum of a
few *parts*, each of which belongs to a page or to a link: so parts are rows of one sparse matrix, a place names the
parts it adds up, places alike are one *row*, and sequences alike are one with a weight. Scores for all of them are
two sparse products.

    parts x features ──(weights)──▶ scores of parts ──(sums)──▶ scores of rows ──▶ sequences, by length

**What stands at a place** t, by the view:

    page     page t, the link that led to it, the anchor of the link it is left by: its state is that of page t,
             and links of one page differ by their anchors (Liu 3.2, as it stands)
    target   page t - 1, and the link from there to page t: its state is that of page t, before it is fetched

With `page` a link is ranked by the state of the page it stands on, seen with this link. With `target` it is ranked by
the state of the page it leads to, which is what Liu's flow chart speaks of ("the predicted state for each child
URL").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.chains.page_features import FeatureReader, Part, heading_of
from scenthound.model import Lessons, Link

View = Literal["page", "target"]
VIEWS: tuple[View, ...] = get_args(View)

LEAST = 2
"""Parts that must show a feature for it to be learned: what one page alone says teaches nothing."""

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


class SequenceBatch(Struct, frozen=True):
    """Sequences of one length T: rows and labels (N x T), and how often each sequence was there."""

    rows: Ints
    labels: Ints
    weights: Floats


class Chains(Struct, frozen=True, eq=False):
    """What a chain model is trained on; equal to itself alone, so that it can be a key."""

    columns: dict[str, int]  # feature -> its column
    parts: Any  # sparse, parts x features
    sums: Any  # sparse, rows x parts: what is added up to a row
    batches: tuple[SequenceBatch, ...]
    states: int

    @property
    def rows(self) -> Any:
        """Sparse, rows x features."""
        return self.sums @ self.parts

    @property
    def places(self) -> int:
        return int(sum(batch.labels.size * batch.weights.sum() / len(batch.weights) for batch in self.batches))


class SequenceReader:
    """Gathers the parts of the lessons, each once."""

    def __init__(self, lessons: Lessons, reader: FeatureReader, targets: Sequence[int]) -> None:
        self.lessons, self.reader = lessons, reader
        self.parts: list[Part] = []
        self._place: dict[tuple[object, ...], int] = {}
        self._own = {page: number for number, page in enumerate(targets)}
        self._links = [{link.url: link for link in reversed(page.links)} for page in lessons.pages]

    def page(self, page: int) -> int:
        return self._once(
            ("page", page), lambda: self.reader.of_page(self.lessons.pages[page], self._own.get(page, -1))
        )

    def link(self, before: int, page: int) -> int:
        """From page to page; a first page, with none before it (-1), is known by its URL."""
        return self._once(("link", before, page), lambda: self._of_link(before, page))

    def _of_link(self, before: int, page: int) -> Part:
        link = self.found(before, page)
        return self.reader.of_link(link, heading_of(self.lessons.pages[before], link) if before >= 0 else "")

    def child(self, page: int, after: int) -> int:
        found = self.found(page, after)
        text = found.anchor or found.title
        return self._once(("child", text), lambda: self.reader.of_anchor(text, "child "))

    def found(self, before: int, page: int) -> Link:
        """The link between two pages of the lessons; where none shows this very URL, one without words."""
        url = self.lessons.pages[page].url
        if before < 0:
            return Link(url)
        return self._links[before].get(url) or Link(url, self.lessons.pages[before].url)

    def _once(self, key: tuple[object, ...], read: Any) -> int:
        place = self._place.get(key)
        if place is None:
            place = self._place[key] = len(self.parts)
            self.parts.append(read())
        return place

    def row(self, view: View, before: int, page: int, after: int) -> tuple[int, ...]:
        """The parts of one place."""
        link = self.link(before, page)
        if view == "target":
            return (link,) if before < 0 else (self.page(before), link)
        return (self.page(page), link) if after < 0 else (self.page(page), link, self.child(page, after))


def chains(
    sequence_reader: SequenceReader,
    ways: Sequence[Sequence[int]],
    labels: Ints,
    states: int,
    view: View,
    least: int = LEAST,
) -> Chains:
    """Sequences of pages, by their places in the lessons, made into something to train on."""
    rows: dict[tuple[int, ...], int] = {}
    counted: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for way, times in Counter(map(tuple, ways)).items():
        around = zip((-1, *way[:-1]), way, (*way[1:], -1), strict=True)
        named = tuple(
            rows.setdefault(sequence_reader.row(view, before, page, after), len(rows)) for before, page, after in around
        )
        counted[named, tuple(int(labels[page]) for page in way)] += times
    columns = vocabulary(sequence_reader.parts, least)
    return Chains(
        columns=columns,
        parts=matrix(sequence_reader.parts, columns),
        sums=_incidence(list(rows), len(sequence_reader.parts)),
        batches=tuple(_batches(counted)),
        states=states,
    )


def vocabulary(parts: Sequence[Part], least: int = LEAST) -> dict[str, int]:
    """Feature -> column, for the features that enough parts show."""
    showing = Counter(name for part in parts for name in part)
    return {name: column for column, name in enumerate(sorted(name for name, n in showing.items() if n >= least))}


def matrix(parts: Sequence[Part], columns: dict[str, int]) -> Any:
    from scipy.sparse import csr_matrix

    cells = [[(columns[name], value) for name, value in part.items() if name in columns] for part in parts]
    starts = np.cumsum([0, *map(len, cells)])
    flat = [cell for row in cells for cell in row]
    where = np.array([column for column, _ in flat], dtype=np.intp)
    values = np.array([value for _, value in flat], dtype=np.float64)
    return csr_matrix((values, where, starts), shape=(len(parts), len(columns)))


def _incidence(rows: Sequence[tuple[int, ...]], parts: int) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.cumsum([0, *map(len, rows)])
    where = np.array([part for row in rows for part in row], dtype=np.intp)
    return csr_matrix((np.ones(len(where)), where, starts), shape=(len(rows), parts))


def _batches(counted: Counter[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[SequenceBatch]:
    by_length: dict[int, list[tuple[tuple[int, ...], tuple[int, ...], int]]] = {}
    for (rows, labels), times in counted.items():
        by_length.setdefault(len(rows), []).append((rows, labels, times))
    return [
        SequenceBatch(
            rows=np.array([rows for rows, _, _ in group], dtype=np.intp),
            labels=np.array([labels for _, labels, _ in group], dtype=np.intp),
            weights=np.array([times for _, _, times in group], dtype=np.float64),
        )
        for _, group in sorted(by_length.items())
        if group[0][0]
    ]

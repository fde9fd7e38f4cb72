"""The evaluation's own judge: cosine of tf-idf vectors, apart from whatever judge the crawl used.

    w(t, d) = f(t, d) / max f(., d) * idf(t)        idf(t) = log(N / N_t)        (Batsakis, eq. 1-2)

N and N_t count the pages of the whole recorded web where there is one (`DocumentCounts`), so that no crawl has a say
in how crawls are judged. The division by max f scales a whole vector and cancels in the cosine; it is left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Terms: TypeAlias = Mapping[str, int]
"""Stem -> how often, as in `Page.terms`."""


class DocumentCounts:
    """In how many pages of a collection each term occurs. Calling it gives the idf."""

    def __init__(self, documents: Iterable[Terms] = ()) -> None:
        self.documents = 0
        self.counts: dict[str, int] = {}
        for terms in documents:
            self.add(terms)

    def add(self, terms: Terms) -> None:
        self.documents += 1
        counts = self.counts
        for term in terms:
            counts[term] = counts.get(term, 0) + 1

    def __call__(self, term: str) -> float:
        """log(N / N_t); a term of no page in the collection counts as one of a single page."""
        return math.log(max(1, self.documents) / self.counts.get(term, 1))


class Vector(Struct, frozen=True, gc=False):
    """The tf-idf vector of one page, of length 1: only the columns that are not 0, and their weights."""

    columns: NDArray[np.int32]
    weights: NDArray[np.float64]


class TermSpace:
    """Makes vectors of pages. Terms become columns as they are met; each is weighed once, by its idf then.

    A space may serve a whole web, and a page's vector every crawl that downloads the page and every set of references.
    """

    def __init__(self, idf: Callable[[str], float]) -> None:
        self._idf = idf
        self._columns = _TermColumns()
        self._weights = np.zeros(1024)
        self._weighed = 0

    def vector(self, terms: Terms) -> Vector:
        columns = np.fromiter(map(self._columns.__getitem__, terms), dtype=np.int32, count=len(terms))
        if len(self._columns) > self._weighed:
            self._weigh_new_terms()
        weights = np.fromiter(terms.values(), dtype=np.float64, count=len(terms)) * self._weights[columns]
        length = math.sqrt(float(weights @ weights))
        return Vector(columns, weights / length if length else weights)

    def vectors(self, pages: Iterable[Terms]) -> list[Vector]:
        return [self.vector(terms) for terms in pages]

    def _weigh_new_terms(self) -> None:
        known, total = self._weighed, len(self._columns)
        if total > len(self._weights):
            self._weights = np.concatenate([self._weights, np.zeros(total)])  # twofold, so that growing costs little
        # The newest keys of a dictionary are its last. A term of negative idf tells as little as one of every page.
        new = list(itertools.islice(reversed(self._columns), total - known))
        self._weights[known:total] = [max(0.0, self._idf(term)) for term in reversed(new)]
        self._weighed = total


class _TermColumns(dict[str, int]):
    """A column number for each term, given when the term is first met."""

    def __missing__(self, term: str) -> int:
        column = self[term] = len(self)
        return column


class Similarities:
    """Cosines of pages to a fixed set of reference pages: `Similarities(references)(pages)`.

    The references are one matrix, a row for each term that any of them has; a page touches only the rows it shares.
    """

    def __init__(self, references: Sequence[Vector]) -> None:
        columns = np.unique(np.concatenate([np.zeros(0, np.int32), *(vector.columns for vector in references)]))
        self._row_of = np.full(int(columns[-1]) + 1 if len(columns) else 0, -1, dtype=np.int32)
        self._row_of[columns] = np.arange(len(columns))
        self._matrix = np.zeros((len(columns), len(references)))
        for index, vector in enumerate(references):
            self._matrix[self._row_of[vector.columns], index] = vector.weights

    def __call__(self, pages: Sequence[Vector]) -> NDArray[np.float64]:
        """A row for each page, a column for each reference; a page without terms is similar to nothing."""
        cosines = np.zeros((len(pages), self._matrix.shape[1]))
        for cosine, page in zip(cosines, pages, strict=True):
            met = page.columns < len(self._row_of)  # terms met after the references' own are none of theirs
            rows = self._row_of[page.columns[met]]
            shared = rows >= 0
            np.dot(page.weights[met][shared], self._matrix[rows[shared]], out=cosine)
        # Rounding may lift a page's cosine with itself a hair over 1.
        return np.minimum(cosines, 1.0, out=cosines)

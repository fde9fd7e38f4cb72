"""The nearest of many documents: one document against a set of examples, all cosines at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul

import numpy as np
import numpy.typing as npt

from scenthound.protocols.crawl import Idf

Array = npt.NDArray[np.float64]


class Nearest:
    """Examples as rows of a sparse matrix, each of length 1; a document's cosines are one product.

    The product costs a pass over the examples' terms, whatever the document holds: two hundred examples of
    three hundred terms are 60,000 multiplications, about what weighing the document itself takes.
    """

    def __init__(self, documents: Sequence[Mapping[str, int]], idf: Idf) -> None:
        self.idf = idf
        self._column = _Columns()
        rows = [(counts, weights) for counts in documents if (weights := self._unit(counts)).any()]
        columns = [self._column.setdefault(term, len(self._column)) for counts, _ in rows for term in counts]
        self._column.none = len(self._column)
        self._columns = np.array(columns, dtype=np.intp)
        self._weights = np.concatenate([weights for _, weights in rows]) if rows else np.zeros(0)
        self._starts = np.cumsum([0, *(len(weights) for _, weights in rows)], dtype=np.intp)

    def __len__(self) -> int:
        """How many examples there are that anything can be similar to."""
        return len(self._starts) - 1

    def cosines(self, counts: Mapping[str, int]) -> Array:
        """The cosine with each example that says anything, in order."""
        if not len(self):
            return np.zeros(0)
        products: Array = np.add.reduceat(self._products(counts), self._starts[:-1])
        return np.minimum(products, 1.0)

    def similarity(self, counts: Mapping[str, int]) -> float:
        """The cosine with the nearest example."""
        return float(self.cosines(counts).max(initial=0.0))

    def strongest(self, counts: Mapping[str, int], n: int) -> list[tuple[str, float]]:
        """The terms that make up most of the similarity to the nearest example, and how much of it each is."""
        cosines = self.cosines(counts)
        if not cosines.any():
            return []
        row = int(cosines.argmax())
        example = slice(self._starts[row], self._starts[row + 1])
        part_of = dict(zip(self._columns[example].tolist(), self._products(counts)[example].tolist(), strict=True))
        parts = [(term, part_of.get(self._column[term], 0.0)) for term in counts]
        return sorted(((term, part) for term, part in parts if part), key=lambda part: (-part[1], part[0]))[:n]

    def _products(self, counts: Mapping[str, int]) -> Array:
        """For each term of each example, what it adds to the cosine with the document."""
        document = np.zeros(self._column.none + 1)
        columns = np.fromiter(map(self._column.__getitem__, counts), dtype=np.intp, count=len(counts))
        document[columns] = self._unit(counts)
        document[-1] = 0.0
        return self._weights * document[self._columns]

    def _unit(self, counts: Mapping[str, int]) -> Array:
        """The tf-idf weights of a document, scaled to length 1 (so `max f` need not be looked for)."""
        weights = np.fromiter(map(mul, counts.values(), map(self.idf, counts)), dtype=np.float64, count=len(counts))
        length = np.sqrt(weights @ weights)
        return weights / length if length else weights


class _Columns(dict[str, int]):
    """Term -> column of the matrix; terms of no example share one more column, which is emptied."""

    none = 0

    def __missing__(self, term: str) -> int:
        return self.none

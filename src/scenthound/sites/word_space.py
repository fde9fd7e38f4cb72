"""The space pages of sites are compared in: which words count, how much, and a page as a row of it.

Counted are words that stand on at least two training sites, those of most sites first: a word of one site alone is
its name, and teaches nothing about sites of its kind. Nor does one that stands on every site, `contact` or the name of
a foundation that they all belong to, however rare it is in the language:

    weight(word) = idf(word) * ln(sites / sites that hold the word)

A page is the vector of its counts times these weights, scaled to length 1. Words that do not count still take their
share of the length: a page in another language is near to nothing here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from statistics import median

import numpy as np
import numpy.typing as npt

from scenthound.model import Page
from scenthound.protocols.crawl import Idf

Rows = npt.NDArray[np.float32]
Columns = npt.NDArray[np.intp]

MOST_WORDS = 4_000
"""Words that count at most. Training rows are dense: 5,000 pages take 80 MB."""

LEAST_SITES, FEW_SITES = 2, 8
"""A word stands on so many sites at least; among fewer than eight sites there are too few such words to ask for it."""


class WordSpace:
    """Word -> column and weight. `unseen` is what any other word weighs."""

    def __init__(self, words: Sequence[str], weights: npt.ArrayLike, unseen: float) -> None:
        self.words = tuple(words)
        self.weights = np.asarray(weights, dtype=np.float64)
        self.unseen = unseen
        self._column = {word: column for column, word in enumerate(self.words)}

    @classmethod
    def of(cls, sites: Sequence[Sequence[Page]], idf: Idf, most: int = MOST_WORDS) -> WordSpace:
        """The words of some sites."""
        holding = Counter(word for site in sites for word in {word for page in site for word in page.terms})
        least = LEAST_SITES if len(sites) >= FEW_SITES else 1
        shared = (word for word, n in holding.items() if least <= n < len(sites))
        words = sorted(shared, key=lambda word: (-holding[word], word))[:most]
        weights = [idf(word) * log(len(sites) / holding[word]) for word in words]
        return cls(words, weights, median(weights) if weights else 1.0)

    def __len__(self) -> int:
        return len(self.words)

    def cells(self, counts: Mapping[str, int]) -> tuple[Columns, npt.NDArray[np.float64]]:
        """Columns and values of the page's row; both empty for a page that says nothing."""
        column, known = self._column, [word for word in counts if word in self._column]
        columns = np.array([column[word] for word in known], dtype=np.intp)
        values = np.array([counts[word] for word in known], dtype=np.float64) * self.weights[columns]
        others = self.unseen**2 * sum(n * n for word, n in counts.items() if word not in column)
        length = np.sqrt(values @ values + others)
        return (columns, values / length) if len(known) and length else (columns[:0], values[:0])

    def rows(self, pages: Sequence[Page]) -> Rows:
        """One row a page; all zeros for a page that says nothing."""
        rows = np.zeros((len(pages), len(self)), dtype=np.float32)
        for row, page in zip(rows, pages, strict=True):
            columns, values = self.cells(page.terms)
            row[columns] = values
        return rows

"""Vectors of terms, learned from pages as they come: terms that stand among like words get like vectors.

Random indexing (Kanerva, Kristoferson, Holst 2000; Sahlgren 2005): every term has a random direction r, so that a page
is the sum of its terms' directions, and a term is the sum of the pages it stands in. No matrix is factored and nothing
is kept of a page, so a page costs the same whether it is the first or the millionth.

    w(t, p) = (1 + log n(t, p)) * idf(t), scaled to length 1 over the page
    c(p)    = unit(sum_t w(t, p) * r(t))
    v(t)    = sum over pages p that hold t of w(t, p) * (c(p) - m)          m: mean of c over the pages so far

| symbol | here |
|---|---|
| r(t) | numbers that are 1 or -1, drawn once |
| n(t, p) | how often the term stands in the page |
| m | what all pages have in common; without it, every text would be like every other |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import Memo
from scenthound.learn.links.feature_hashing import FeatureHasher
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import Analyzer

Floats: TypeAlias = npt.NDArray[np.float32]
Places: TypeAlias = npt.NDArray[np.intp]

BITS = 16
"""Terms are hashed into 2^16 places: with 64 dimensions, 21 MB, however many pages there are."""

REMEMBERED = 20_000
"""Texts whose terms are remembered, about 8 MB."""


def unit(vectors: Floats) -> Floats:
    """Each row with length 1; a row without length stays 0."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    scaled: Floats = vectors / np.maximum(lengths, 1e-12)
    return scaled


class TermVectors:
    """What was learned so far. `dimensions` is the length of every vector."""

    def __init__(self, idf: Idf, analyzer: Analyzer, chance: np.random.Generator, dimensions: int) -> None:
        size = 2**BITS
        self.idf = idf
        self.analyzer = analyzer
        self.place = FeatureHasher(size, kind=4)
        self.mean: Floats = np.zeros(dimensions, np.float32)
        self.pages = 0
        self._directions = (2 * chance.integers(0, 2, (size, dimensions), np.int8) - 1).astype(np.int8)
        self._vectors: Floats = np.zeros((size, dimensions), np.float32)
        self._texts = Memo(self._terms, REMEMBERED)

    def read(self, counts: Mapping[str, int]) -> Floats:
        """Learns from a page, given as counts of its terms; returns c(p), or zeros if it says nothing."""
        places = np.fromiter(map(self.place.__getitem__, counts), np.intp, len(counts))
        often = np.fromiter(counts.values(), np.float32, len(counts))
        rare = np.fromiter(map(self.idf, counts), np.float32, len(counts))
        weights = unit(((1.0 + np.log(often)) * rare).astype(np.float32))
        content = unit(weights @ self._directions[places].astype(np.float32))
        if content.any():
            self.pages += 1
            self.mean += (content - self.mean) / self.pages
            # Two terms of a page may share a place; then the last counts, which is no worse than their sum.
            self._vectors[places] += weights[:, None] * (content - self.mean)
        return content

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        """The vectors of all terms that were ever seen, and the mean."""
        seen = np.flatnonzero(self._vectors.any(axis=1)).astype(np.int32)
        return {"mean": self.mean.copy(), "seen": seen, "vectors": self._vectors[seen]}

    def take_back(self, pages: int, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        self.pages, self.mean = pages, arrays["mean"].copy()
        self._vectors = np.zeros_like(self._vectors)
        self._vectors[arrays["seen"]] = arrays["vectors"]

    def of_terms(self, weights: Mapping[str, float]) -> Floats:
        """The direction of some weighted terms together."""
        places = [self.place[term] for term in weights]
        return unit(np.fromiter(weights.values(), np.float32, len(places)) @ unit(self._vectors[places]))

    def away_from_the_mean(self, content: Floats) -> Floats:
        """A page, or the mean of several, as seen from the ordinary page; it can be compared with terms."""
        return unit(content - self.mean) if content.any() else content

    def likeness(self, texts: Sequence[str], direction: Floats) -> npt.NDArray[np.float64]:
        """Cosine of each text with a direction: a text is the sum of its terms, each as heavy as its idf.

        0 for a text of which no term was ever seen.
        """
        known = list(map(self._texts.__getitem__, texts))
        places = [place for terms, _ in known for place in terms]
        alike = np.zeros(len(texts))
        if not places:
            return alike
        distinct, which = np.unique(np.array(places, dtype=np.intp), return_inverse=True)
        vectors = unit(self._vectors[distinct])[which]
        vectors *= np.array([weight for _, weights in known for weight in weights], np.float32)[:, None]
        lengths = np.fromiter((len(terms) for terms, _ in known), np.intp, len(known))
        spoken = np.flatnonzero(lengths)
        sums: Floats = np.add.reduceat(vectors, (np.cumsum(lengths) - lengths)[spoken], axis=0)
        alike[spoken] = unit(sums) @ direction
        return alike

    def _terms(self, text: str) -> tuple[list[int], list[float]]:
        terms = self.analyzer.terms(text)
        return list(map(self.place.__getitem__, terms)), list(map(self.idf, terms))

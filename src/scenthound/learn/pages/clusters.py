"""Pages in groups of like content: K-Means on the sphere, and the nearest training pages of a new one.

Pages are tf-idf vectors of length 1, so that the nearest centre is the one of the greatest cosine, up to its length:

    |x - c|^2 = 1 - 2 x.c + |c|^2

First centres are drawn far apart (k-means++: each next one with probability in proportion to its squared distance from
the nearest so far), then pages and centres take turns until no page moves. A centre that loses all its pages takes the
page that is furthest from its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from scenthound.protocols.crawl import Idf

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Terms = Mapping[str, int]

ROUNDS = 100
MOST_TERMS = 3000
TRIES = 4
"""Beginnings that are tried; the one of the tightest clusters is kept."""


class ClusteredPages(Struct, frozen=True, tag="Pages"):  # its name in model files
    """Training pages as sparse rows of length 1; a new page is held against all of them at once.

    Row i is `weights[starts[i]:starts[i + 1]]`, in the columns beside them. Terms that only few pages share are left
    out where there are too many: what one page alone says makes no cluster.
    """

    columns: dict[str, int]
    idf: Floats  # of each column
    where: Ints
    weights: Floats
    starts: Ints

    @classmethod
    def of(cls, pages: Sequence[Terms], idf: Idf) -> ClusteredPages:
        holding = Counter(term for page in pages for term in page)
        terms = sorted(holding, key=lambda term: (-holding[term], term))[:MOST_TERMS]
        columns = {term: column for column, term in enumerate(terms)}
        blank = cls(
            columns, np.array([idf(term) for term in terms]), np.zeros(0, np.intp), np.zeros(0), np.zeros(1, np.intp)
        )
        rows = [blank.cells(page) for page in pages]
        return replace(
            blank,
            where=np.concatenate([where for where, _ in rows]) if rows else blank.where,
            weights=np.concatenate([weights for _, weights in rows]) if rows else blank.weights,
            starts=np.cumsum([0, *(len(where) for where, _ in rows)], dtype=np.intp),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def cells(self, page: Terms) -> tuple[Ints, Floats]:
        """tf-idf, length 1, of the terms that have a column."""
        columns = self.columns
        known = [(columns[term], n) for term, n in page.items() if term in columns]
        where = np.array([column for column, _ in known], dtype=np.intp)
        weights = np.array([n for _, n in known], dtype=np.float64) * self.idf[where]
        length = float(np.sqrt(weights @ weights))
        return where, weights / length if length else weights

    def dense(self) -> Floats:
        rows = np.zeros((len(self), len(self.columns)))
        rows[np.repeat(np.arange(len(self)), np.diff(self.starts)), self.where] = self.weights
        return rows

    def cosines(self, page: Terms) -> Floats:
        """With every training page."""
        document = np.zeros(len(self.columns))
        where, weights = self.cells(page)
        document[where] = weights
        sums = np.concatenate([[0.0], np.cumsum(self.weights * document[self.where])])
        found: Floats = sums[self.starts[1:]] - sums[self.starts[:-1]]
        return np.clip(found, 0.0, 1.0)


def k_means(
    rows: Floats, k: int, random: np.random.Generator, *, tries: int = TRIES, rounds: int = ROUNDS
) -> tuple[Ints, Floats]:
    """Cluster of each row, and the centres: the best of some tries. At most as many clusters as rows."""
    k = min(k, len(rows))
    if not k:
        return np.zeros(0, dtype=np.intp), np.zeros((0, rows.shape[1]))
    tried = [_once(rows, spread(rows, k, random), rounds) for _ in range(tries)]
    return min(tried, key=lambda found: distortion(rows, *found))


def distortion(rows: Floats, clusters: Ints, centres: Floats) -> float:
    """Sum of the squared distances of rows from their centres."""
    return float(((rows - centres[clusters]) ** 2).sum())


def spread(rows: Floats, k: int, random: np.random.Generator) -> Floats:
    """k rows to begin with, far apart (k-means++)."""
    chosen = [int(random.integers(len(rows)))]
    gap = ((rows - rows[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < k:
        total = float(gap.sum())
        at = random.choice(len(rows), p=gap / total) if total > 0 else random.integers(len(rows))
        chosen.append(int(at))
        gap = np.minimum(gap, ((rows - rows[chosen[-1]]) ** 2).sum(axis=1))
    return rows[chosen].copy()


def nearest(rows: Floats, centres: Floats) -> Ints:
    found: Ints = ((centres**2).sum(axis=1) - 2 * rows @ centres.T).argmin(axis=1)
    return found


def _once(rows: Floats, centres: Floats, rounds: int) -> tuple[Ints, Floats]:
    clusters = nearest(rows, centres)
    for _ in range(rounds):
        for cluster in range(len(centres)):
            members = clusters == cluster
            if not members.any():
                strayed = int(((rows - centres[clusters]) ** 2).sum(axis=1).argmax())
                members[strayed], clusters[strayed] = True, cluster
            centres[cluster] = rows[members].mean(axis=0)
        moved = nearest(rows, centres)
        if (moved == clusters).all():
            break
        clusters = moved
    return clusters, centres


def vote(likeness: Floats, clusters: Ints, neighbours: int) -> int:
    """The cluster that the nearest training pages are in: each votes with its cosine; the first cluster wins a draw."""
    best = np.argsort(-likeness, kind="stable")[:neighbours]
    return int(np.bincount(clusters[best], np.maximum(likeness[best], 0.0) + 1e-12).argmax())

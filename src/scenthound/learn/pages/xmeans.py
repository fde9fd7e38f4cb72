"""X-Means: K-Means that finds the number of clusters itself (Pelleg, Moore 2000).

Beginning with few clusters, each is split in two by K-Means on its own members, and the split is kept where it raises
the Bayesian information criterion, until none does or there are enough:

    BIC(K)     = log likelihood - p / 2 * log R,   p = K * (d + 1) parameters: K - 1 shares, K d centres, one variance
    variance   = sum |x - centre|^2 / (d * (R - K))
    likelihood = sum over clusters of n log n - n log R - n d / 2 * log(2 pi variance) - (n - 1) d / 2

R rows, n of them in the cluster. d is the number of dimensions the rows need, not the size of their vocabulary: rows
are turned first so that each of the few directions they vary in is a column (a page has a thousand words, but thirty
pages span thirty directions at most, and a penalty for ten thousand would forbid every split).
"""

from __future__ import annotations

from math import log, pi

import numpy as np

from scenthound.learn.pages.clusters import Floats, Ints, k_means

MOST = 20
FEWEST = 2
DIRECTIONS = 10
"""Directions that are kept, those of the greatest variance: what is beyond is noise of single pages."""


def x_means(rows: Floats, random: np.random.Generator, fewest: int = FEWEST, most: int = MOST) -> Ints:
    """The cluster of each row; the number of clusters between the two limits, and no more than there are rows."""
    if not len(rows):
        return np.zeros(0, dtype=np.intp)
    turned = turn(rows)
    clusters, _ = k_means(turned, fewest, random)
    settled: set[int] = set()
    while (count := int(clusters.max()) + 1) < most:
        waiting = [cluster for cluster in range(count) if cluster not in settled]
        if not waiting:
            break
        for cluster in waiting[: most - count]:
            if not _split(turned, clusters, cluster, random):
                settled.add(cluster)
    return clusters


def turn(rows: Floats, directions: int = DIRECTIONS) -> Floats:
    """The rows, in the directions in which they vary most: distances stay as they are but for what is left out."""
    centred = rows - rows.mean(axis=0)
    # The directions are eigenvectors of the smaller of the two products, which is quicker than a whole decomposition.
    wide = centred.shape[1] > centred.shape[0]
    squares, vectors = np.linalg.eigh(centred @ centred.T if wide else centred.T @ centred)
    kept = max(1, min(int((squares > 1e-12 * max(float(squares.max(initial=0.0)), 1e-12)).sum()), directions))
    squares, vectors = squares[::-1][:kept], vectors[:, ::-1][:, :kept]
    return np.asarray(vectors * np.sqrt(np.maximum(squares, 0.0)) if wide else centred @ vectors)


def bic(rows: Floats, clusters: Ints) -> float:
    """How good a clustering is, by the formula above; minus infinity where there are too few rows to say."""
    number, d = rows.shape
    members = [rows[clusters == cluster] for cluster in range(int(clusters.max()) + 1)]
    k = len(members)
    if number <= k:
        return -np.inf
    apart = sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in members)
    variance = max(apart / (d * (number - k)), 1e-12)
    value = -(k * (d + 1)) / 2 * log(number)
    for n in map(len, members):
        value += n * log(n) - n * log(number) - n * d / 2 * log(2 * pi * variance) - (n - 1) * d / 2
    return float(value)


def _split(rows: Floats, clusters: Ints, cluster: int, random: np.random.Generator) -> bool:
    """Splits the cluster in two, in place, if that is better."""
    inside = np.flatnonzero(clusters == cluster)
    if len(inside) < 4:
        return False
    part = rows[inside]
    halves, _ = k_means(part, 2, random)
    if min(np.bincount(halves, minlength=2)) < 1 or bic(part, halves) <= bic(part, np.zeros_like(halves)):
        return False
    clusters[inside[halves == 1]] = clusters.max() + 1
    return True

"""Each class of pages as the centroids of its clusters."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
Labels = npt.NDArray[np.intp]

ROUNDS = 12
PAGES_A_CLUSTER = 3
MOST_PAGES = 1_500
"""Pages of a class that are clustered; of more, so many are drawn. Centroids of a few kinds of pages need no more."""

SAME = 1e-5  # rows that are no farther from each other than rounding


def class_centroids(rows: Rows, labels: Labels, classes: int, clusters: int, random: Random) -> tuple[Rows, Labels]:
    """Centroids of length 1, class by class, and the class of each."""
    found = [_centroids(rows[labels == number], clusters, random) for number in range(classes)]
    class_of = np.repeat(np.arange(classes, dtype=np.intp), [len(centroids) for centroids in found])
    return np.concatenate(found), class_of


def _centroids(rows: Rows, clusters: int, random: Random) -> Rows:
    """Centroids of the rows' clusters: at most `clusters`, and at most one for every few rows."""
    generator = np.random.default_rng(random.getrandbits(64))
    places = np.flatnonzero(rows.any(axis=1))
    if not len(places):
        return np.zeros((0, rows.shape[1]), dtype=np.float32)
    if len(places) > MOST_PAGES:
        places = np.sort(generator.choice(places, MOST_PAGES, replace=False))
    telling = rows[places] / np.linalg.norm(rows[places], axis=1, keepdims=True)
    k = max(1, min(clusters, len(telling) // PAGES_A_CLUSTER))
    centroids = _first(telling, k, generator)
    k = len(centroids)
    before = None
    for _ in range(ROUNDS):
        own = (telling @ centroids.T).argmax(axis=1)
        if before is not None and (own == before).all():
            break
        before = own
        member = np.zeros((k, len(telling)), dtype=np.float32)
        member[own, np.arange(len(telling))] = 1.0
        sums = member @ telling
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centroids = np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1.0), centroids)
    return centroids[np.unique(before)] if before is not None else centroids


def _first(rows: Rows, k: int, generator: np.random.Generator) -> Rows:
    """K-Means++: each next one is drawn with a chance that grows with its distance from those drawn."""
    chosen = [int(generator.integers(len(rows)))]
    distance = _distances(rows, chosen[0])
    while len(chosen) < k and distance.sum() > SAME:
        chosen.append(int(generator.choice(len(rows), p=distance / distance.sum())))
        distance = np.minimum(distance, _distances(rows, chosen[-1]))
    return rows[chosen]


def _distances(rows: Rows, one: int) -> npt.NDArray[np.float64]:
    """Cosine distance of every row to one of them."""
    return np.asarray(np.clip(1.0 - rows @ rows[one], 0.0, None), dtype=np.float64)

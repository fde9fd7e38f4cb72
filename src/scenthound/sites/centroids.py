"""Each class of pages as the centroids of its clusters, and how near a page is to a class."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.learn.pages.clusters import k_means

Rows = npt.NDArray[np.float32]
Labels = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

ROUNDS = 12
"""One try of so many rounds: a class is clustered eleven times to learn it once, and has many like centroids anyway."""

PAGES_A_CLUSTER = 3
MOST_PAGES = 1_500
"""Pages of a class that are clustered; of more, so many are drawn. Centroids of a few kinds of pages need no more."""


NEAREST = 1e-6
"""How far from 0 and 1 a distance stays, so that its logarithm is neither infinite nor nought."""


def class_centroids(rows: Rows, labels: Labels, classes: int, clusters: int, random: Random) -> tuple[Rows, Labels]:
    """Centroids of length 1, class by class, and the class of each."""
    found = [_centroids(rows[labels == number], clusters, random) for number in range(classes)]
    class_of = np.repeat(np.arange(classes, dtype=np.intp), [len(centroids) for centroids in found])
    return np.concatenate(found), class_of


def _centroids(rows: Rows, clusters: int, random: Random) -> Rows:
    """Centroids of the clusters of pages that say anything: at most `clusters`, and at most one for every few pages."""
    generator = np.random.default_rng(random.getrandbits(64))
    places = np.flatnonzero(rows.any(axis=1))
    if len(places) > MOST_PAGES:
        places = np.sort(generator.choice(places, MOST_PAGES, replace=False))
    k = max(1, min(clusters, len(places) // PAGES_A_CLUSTER))
    telling = rows[places].astype(np.float64)
    telling /= np.linalg.norm(telling, axis=1, keepdims=True)
    _, centres = k_means(telling, k, generator, tries=1, rounds=ROUNDS)
    return np.asarray(centres / np.linalg.norm(centres, axis=1, keepdims=True), dtype=np.float32)


def nearest(cosines: npt.NDArray[np.floating[Any]], group_of: npt.NDArray[np.intp], groups: int) -> Floats:
    """Per row, the cosine distance to the nearest centroid of each group, inside (0, 1)."""
    best = np.zeros((len(cosines), groups))
    for group in range(groups):
        best[:, group] = cosines[:, group_of == group].max(axis=1, initial=0.0)
    return np.asarray(np.clip(1.0 - best, NEAREST, 1.0 - NEAREST))


def shares(distances: Floats) -> Floats:
    """`ln d_k / sum_j ln d_j`, along the last axis."""
    logs = np.log(distances)
    return np.asarray(logs / logs.sum(axis=-1, keepdims=True))


def log_odds(distances: Floats) -> Floats:
    """`ln(share / (1 - share))` of the first of two classes, which is `ln(ln d_0 / ln d_1)`."""
    logs = np.log(distances)
    return np.asarray(np.log(logs[:, 0] / logs[:, 1]))

"""Each class of pages as the centroids of its clusters."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

from scenthound.learn.pages.clusters import k_means

Rows = npt.NDArray[np.float32]
Labels = npt.NDArray[np.intp]

ROUNDS = 12
"""One try of so many rounds: a class is clustered eleven times to learn it once, and has many like centroids anyway."""

PAGES_A_CLUSTER = 3
MOST_PAGES = 1_500
"""Pages of a class that are clustered; of more, so many are drawn. Centroids of a few kinds of pages need no more."""


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

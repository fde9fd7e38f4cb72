"""The HMM crawler's training and its step: lessons to clusters and tables, a visit to a belief (Batsakis 2.5, 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from scenthound.learn.chains import belief
from scenthound.learn.chains.hmm import Hmm, counted
from scenthound.learn.chains.labels import STATES, labels, ways
from scenthound.learn.pages.clusters import ClusteredPages, Floats, Ints, k_means, vote
from scenthound.learn.pages.xmeans import x_means
from scenthound.model import Lessons, Page, Visit
from scenthound.page_memo import of_lessons
from scenthound.protocols.crawl import Context, Idf
from scenthound.text import idf
from scenthound.text.vectors import Vector, centroid, norm, weigh

Clustering = Literal["k-means", "x-means"]

CENTROID_TERMS = 2000
"""Terms of the centroid that are kept, the heaviest: the rest adds nothing to a cosine."""


class HmmModel(Struct, frozen=True):
    """All that training leaves behind."""

    tables: Hmm
    pages: ClusteredPages
    clusters: Ints  # of each training page
    centroid: dict[str, float]  # of the relevant pages, length 1

    def step(self, visit: Visit, neighbours: int, scaled: bool = False) -> Floats:
        """The belief about the visited page, by eq. 5 to the letter; `scaled`: of sum 1."""
        before = belief.unpacked(visit.memory, STATES, scaled=scaled)
        step = self.tables.filtered if scaled else self.tables.as_printed
        return step(before, self.cluster(visit.page, neighbours))

    def cluster(self, page: Page, neighbours: int) -> int:
        return vote(self.pages.cosines(page.terms), self.clusters, neighbours)

    def filtered(self, lessons: Lessons, neighbours: int) -> tuple[Ints, Ints]:
        """Pages along every way of some lessons, by place, and the likeliest state of each, given the way so far."""
        clusters = [self.cluster(page, neighbours) for page in lessons.pages]
        pages: list[int] = []
        told: list[int] = []
        for way in sorted(set(map(tuple, ways(lessons)))):
            here: Floats | None = None
            for page in way:
                here = self.tables.filtered(here, clusters[page])
                pages.append(page)
                told.append(int(here.argmax()))
        return np.array(pages, dtype=np.intp), np.array(told, dtype=np.intp)


def teach(lessons: Lessons, context: Context, clustering: Clustering, k: int, smoothing: float = 1.0) -> HmmModel:
    """Clusters the training pages and counts."""
    seed = context.random.getrandbits(64)
    pages, clusters = x_clusters(lessons, seed) if clustering == "x-means" else clustered(lessons, context.idf, k, seed)
    tables = counted(labels(lessons), clusters, ways(lessons), STATES, int(clusters.max()) + 1, smoothing)
    return HmmModel(tables, pages, clusters, centre(lessons.targets, context.idf))


@of_lessons
def clustered(lessons: Lessons, weights: Idf, k: int, seed: int) -> tuple[ClusteredPages, Ints]:
    """The training pages, and the cluster of each: the relevant ones by themselves."""
    pages = ClusteredPages.of([page.terms for page in lessons.pages], weights)
    return pages, apart(pages, labels(lessons), k, np.random.default_rng(seed))


@of_lessons
def x_clusters(lessons: Lessons, seed: int) -> tuple[ClusteredPages, Ints]:
    """The training pages, and the cluster of each: as many as X-Means finds."""
    terms = [page.terms for page in lessons.pages]
    pages = ClusteredPages.of(terms, idf.trained(terms))
    return pages, x_means(pages.dense(), np.random.default_rng(seed))


def apart(pages: ClusteredPages, states: Ints, k: int, random: np.random.Generator) -> Ints:
    """The relevant pages as one cluster, 0, by themselves; all others in the k - 1 that follow."""
    clusters = np.zeros(len(pages), dtype=np.intp)
    others = np.flatnonzero(states != 0)
    if len(others):
        clusters[others] = 1 + k_means(pages.dense()[others], k - 1, random)[0]
    return clusters


def centre(targets: Sequence[Page], weights: Idf) -> Vector:
    """The mean of the relevant pages' vectors, each of length 1 first: c_r of eq. 11 and 12."""
    rows = [weigh(page.terms, weights) for page in targets]
    mean = centroid([{term: weight / norm(row) for term, weight in row.items()} for row in rows if norm(row)])
    heaviest = sorted(mean.items(), key=lambda entry: (-entry[1], entry[0]))[:CENTROID_TERMS]
    return dict(heaviest)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.learn.pages.clusters import ClusteredPages, Floats, Ints, distortion, k_means, nearest, vote
from scenthound.text import idf


def blobs(centres: int, each: int, spread: float, seed: int, size: int = 6) -> tuple[Floats, Ints]:
    random = np.random.default_rng(seed)
    middles = random.normal(size=(centres, size)) * 4
    rows = np.concatenate([middle + random.normal(size=(each, size)) * spread for middle in middles])
    return rows, np.repeat(np.arange(centres), each)


def same_partition(a: Ints, b: Ints) -> bool:
    return len(set(zip(a.tolist(), b.tolist(), strict=True))) == len(set(a.tolist())) == len(set(b.tolist()))


@pytest.mark.parametrize("k", [2, 4, 5])
def test_clear_clusters_are_found(k: int) -> None:
    rows, truth = blobs(k, 20, 0.3, seed=k)
    clusters, centres = k_means(rows, k, np.random.default_rng(1))
    assert same_partition(clusters, truth)
    for cluster in range(k):
        assert centres[cluster] == pytest.approx(rows[clusters == cluster].mean(axis=0))


def test_as_tight_as_scikit_learn_s() -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    rows, _ = blobs(6, 15, 2.5, seed=3)
    ours = distortion(rows, *k_means(rows, 4, np.random.default_rng(2)))
    theirs = cluster.KMeans(4, n_init=4, random_state=2).fit(rows).inertia_
    assert ours <= 1.1 * theirs


@settings(max_examples=30)
@given(st.integers(0, 8), st.integers(1, 6), st.integers(0, 3))
def test_any_number_of_rows_and_clusters(number: int, k: int, seed: int) -> None:
    rows = np.random.default_rng(seed).integers(0, 2, size=(number, 3)).astype(np.float64)
    clusters, centres = k_means(rows, k, np.random.default_rng(seed))
    assert len(clusters) == number
    assert len(centres) == min(k, number)
    if number:
        assert (clusters == nearest(rows, centres)).all()


def test_pages_are_compared_as_cosines() -> None:
    documents = [{"bird": 2, "nest": 1}, {"rail": 3}, {"bird": 1, "rail": 1}]
    pages = ClusteredPages.of(documents, idf.none())
    assert len(pages) == 3
    # (2, 1) and (1, 0): 2 / sqrt(5); (1, 1) and (1, 0): 1 / sqrt(2)
    assert pages.cosines({"bird": 7, "unknown": 3}) == pytest.approx([2 / 5**0.5, 0.0, 0.5**0.5])
    assert pages.cosines({}) == pytest.approx([0, 0, 0])
    assert (pages.dense() @ pages.dense().T).diagonal() == pytest.approx([1, 1, 1])


def test_empty_pages_are_rows_too() -> None:
    pages = ClusteredPages.of([{}, {"bird": 1}, {}], idf.none())
    assert pages.cosines({"bird": 1}) == pytest.approx([0, 1, 0])
    assert len(ClusteredPages.of([], idf.none())) == 0


def test_neighbours_vote_with_their_likeness() -> None:
    clusters = np.array([2, 1, 1, 0])
    assert vote(np.array([0.9, 0.5, 0.3, 0.1]), clusters, 3) == 2  # 0.9 against 0.8
    assert vote(np.array([0.7, 0.5, 0.3, 0.1]), clusters, 3) == 1
    assert vote(np.array([0.7, 0.5, 0.3, 0.1]), clusters, 1) == 2
    assert vote(np.zeros(4), clusters, 4) == 1

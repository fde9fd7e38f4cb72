"""Classes as centroids of their clusters."""

from random import Random

import numpy as np
import pytest

from scenthound.sites import centroids as module
from scenthound.sites.centroids import class_centroids


def blobs(*centres: list[float], n: int = 10, seed: int = 0) -> np.ndarray:  # type: ignore[type-arg]
    noise = np.random.default_rng(seed).normal(0, 0.02, (len(centres) * n, len(centres[0])))
    rows = np.repeat(np.array(centres), n, axis=0) + noise
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_class_of_two_kinds_of_pages_has_two_centroids() -> None:
    rows = blobs([1, 0, 0], [0, 1, 0], [0, 0, 1])
    labels = np.array([0] * 20 + [1] * 10)
    found, class_of = class_centroids(rows, labels, 2, 2, Random(1))
    assert class_of.tolist()[:2] == [0, 0]
    own = found[class_of == 0]
    assert sorted(own.argmax(axis=1)) == [0, 1]
    assert own.max(axis=1) == pytest.approx([1, 1], abs=0.01)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(found)), abs=1e-5)


def test_one_cluster_is_the_direction_of_the_mean() -> None:
    rows = blobs([1, 0], [0, 1])
    found, _ = class_centroids(rows, np.zeros(20, dtype=np.intp), 1, 1, Random(1))
    mean = rows.mean(axis=0)
    assert found[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_few_pages_make_few_clusters_and_empty_ones_none() -> None:
    rows = np.zeros((8, 3), dtype=np.float32)
    rows[:4] = blobs([1, 0, 0], n=4)
    found, class_of = class_centroids(rows, np.array([0] * 4 + [1] * 4), 2, 5, Random(1))
    assert class_of.tolist() == [0]
    assert len(found) == 1


def test_copies_of_one_page_are_one_cluster() -> None:
    rows = np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (30, 1))
    found, _ = class_centroids(rows, np.zeros(30, dtype=np.intp), 1, 4, Random(1))
    assert np.unique(found.round(4), axis=0) == pytest.approx(np.array([[0.6, 0.8]]))


def test_of_many_pages_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 12)
    rows = blobs([1, 0, 0], [0, 1, 0], n=200)
    found, _ = class_centroids(rows, np.zeros(400, dtype=np.intp), 1, 2, Random(4))
    assert sorted(found.argmax(axis=1)) == [0, 1]

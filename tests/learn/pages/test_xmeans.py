from __future__ import annotations

from math import log, pi

import numpy as np
import pytest

from scenthound.learn.pages.xmeans import bic, turn, x_means
from tests.learn.pages.test_clusters import blobs, same_partition


@pytest.mark.parametrize(("k", "seed"), [(2, 1), (3, 2), (5, 3), (7, 4)])
def test_the_number_of_clusters_is_found(k: int, seed: int) -> None:
    rows, truth = blobs(k, 30, 0.3, seed)
    assert same_partition(x_means(rows, np.random.default_rng(0)), truth)


def test_one_cloud_is_not_split_beyond_the_least() -> None:
    rows = np.random.default_rng(5).normal(size=(80, 4))
    assert len(set(x_means(rows, np.random.default_rng(0)).tolist())) == 2
    assert len(set(x_means(rows, np.random.default_rng(0), fewest=1).tolist())) == 1


def test_no_more_than_allowed() -> None:
    rows, _ = blobs(8, 10, 0.1, seed=6)
    assert len(set(x_means(rows, np.random.default_rng(0), most=4).tolist())) == 4


def test_bic_worked_by_hand() -> None:
    rows = np.array([[0.0], [2.0], [10.0], [12.0]])
    # one cluster: mean 6, squares 36 + 16 + 16 + 36 = 104, variance 104 / 3; p = 2
    one = 0.0 - 4 / 2 * log(2 * pi * 104 / 3) - 3 / 2 - 2 / 2 * log(4)
    assert bic(rows, np.zeros(4, dtype=np.intp)) == pytest.approx(one)
    # two: squares 1 + 1 + 1 + 1 = 4, variance 4 / 2 = 2; p = 4; each 2 log 2 - 2 log 4 - log(4 pi) - 1/2
    two = 2 * (2 * log(2) - 2 * log(4) - log(2 * pi * 2) - 0.5) - 4 / 2 * log(4)
    assert bic(rows, np.array([0, 0, 1, 1])) == pytest.approx(two)
    assert bic(rows, np.arange(4)) == -np.inf


def test_turning_keeps_distances() -> None:
    rows = np.random.default_rng(7).normal(size=(6, 50))
    turned = turn(rows)
    assert turned.shape[1] <= 6
    assert np.linalg.norm(turned[0] - turned[3]) == pytest.approx(np.linalg.norm(rows[0] - rows[3]))


def test_few_rows_and_rows_alike() -> None:
    assert len(x_means(np.zeros((0, 3)), np.random.default_rng(0))) == 0
    assert x_means(np.ones((1, 3)), np.random.default_rng(0)).tolist() == [0]
    assert len(x_means(np.ones((9, 3)), np.random.default_rng(0))) == 9

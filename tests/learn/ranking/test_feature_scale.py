"""One scale for all links that wait, whoever has them."""

from __future__ import annotations

import numpy as np

from scenthound.learn.ranking import feature_scale
from scenthound.learn.ranking.feature_scale import HIGH, LOW, FeatureScale, OtherScales


def of(values: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([values.mean(axis=0), values.std(axis=0)])


def test_alone_it_is_ones_own() -> None:
    own = np.array([[1.0], [2.0]])
    assert OtherScales().merged(10, own) is own


def test_of_several_it_is_that_of_all_their_links() -> None:
    draw = np.random.default_rng(1)
    mine, theirs, others = draw.normal(0, 1, (30, 4)), draw.normal(5, 2, (70, 4)), draw.normal(-1, 3, (11, 4))
    scales = OtherScales()
    scales.hear("a", 70, of(theirs))
    scales.hear("b", 11, of(others))
    assert np.allclose(scales.merged(30, of(mine)), of(np.concatenate([mine, theirs, others])))


def test_the_last_word_of_each_counts_and_not_for_ever(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(feature_scale, "STALE", 3)
    scales, own, far = OtherScales(), np.array([[0.0], [1.0]]), np.array([[9.0], [1.0]])
    scales.hear("a", 10, far)
    scales.hear("a", 10, own)
    assert np.array_equal(scales.merged(10, own), own)
    scales.hear("gone", 10, far)
    assert scales.merged(10, own)[0, 0] > 0
    for _ in range(3):
        scales.hear("a", 10, own)
    assert np.array_equal(scales.merged(10, own), own)


def test_a_feature_is_measured_in_deviations_from_what_waits_and_in_few_of_them() -> None:
    scale = FeatureScale([0.0, 0.0, 0.5])
    assert scale(np.array([[1.0, 2.0, 3.0]])).tolist() == [[1.0, 2.0, 3.0]], "nothing waits yet"
    scale.find(np.array([[1.0, 7.0, 0.1], [3.0, 7.0, 0.3]]), 2)
    # The second is the same for all; the third differs by less than means anything.
    assert np.allclose(scale(np.array([[4.0, 7.5, 0.7]])), [[2.0, 0.5, 1.0]])
    assert scale(np.array([99.0, -99.0, 0.2])).tolist() == [HIGH, LOW, 0.0]


def test_ones_own_scale_is_told_and_that_of_all_is_used_and_kept() -> None:
    scale, again = FeatureScale([0.0]), FeatureScale([0.0])
    mine, theirs = np.array([[0.0], [2.0]]), np.array([[8.0], [10.0]])
    scale.hear("a", 2, of(theirs))
    scale.find(mine, 2)
    assert scale.own is not None
    assert np.array_equal(scale.own, of(mine))
    assert np.allclose(scale(np.array([5.0])), 0.0), "the mean of all four"
    again.take_back(scale.kept())
    assert again(np.array([7.0])).tolist() == scale(np.array([7.0])).tolist()

"""Figures of judges: against scikit-learn, by hand, and for any input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from scenthound.lab.measures.judgements import (
    MEASURES,
    ReliabilityBin,
    auc,
    average_precision,
    best_f1,
    brier,
    calibration_error,
    f1_at,
    figures,
    reliability,
)

TIMED = {"ms-a-page", "fit-seconds"}
PAGES = st.lists(st.tuples(st.booleans(), st.sampled_from([n / 16 for n in range(17)])), min_size=1, max_size=60)
"""Few different scores, so that ties are common."""


def arrays(pages: list[tuple[bool, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([each[0] for each in pages], dtype=bool), np.array([each[1] for each in pages])


@given(pages=PAGES, threshold=st.floats(0, 1))
def test_as_scikit_learn_has_them(pages: list[tuple[bool, float]], threshold: float) -> None:
    truth, scores = arrays(pages)
    found = figures(truth, scores, threshold)
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(truth, scores, pos_label=1))
    if not truth.any():
        return
    kept = scores >= threshold
    for name, theirs in (
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
        ("f1", metrics.f1_score),
    ):
        assert found[name] == pytest.approx(theirs(truth, kept, zero_division=0)), name
    assert found["average-precision"] == pytest.approx(metrics.average_precision_score(truth, scores))
    if not truth.all():
        assert found["auc"] == pytest.approx(metrics.roc_auc_score(truth, scores))


@given(pages=PAGES)
def test_no_threshold_beats_the_best(pages: list[tuple[bool, float]]) -> None:
    truth, scores = arrays(pages)
    if truth.any():
        assert best_f1(truth, scores) == pytest.approx(max(f1_at(truth, scores, each) for each in scores))


@given(pages=PAGES, seed=st.integers(0, 1000))
def test_the_order_of_pages_does_not_matter(pages: list[tuple[bool, float]], seed: int) -> None:
    truth, scores = arrays(pages)
    order = np.random.default_rng(seed).permutation(len(truth))
    one, other = figures(truth, scores, 0.5), figures(truth[order], scores[order], 0.5)
    assert one == pytest.approx(other, nan_ok=True)


@given(truth=st.lists(st.booleans(), min_size=1, max_size=60))
def test_a_constant_judge_at_the_base_rate_is_calibrated_and_knows_nothing(truth: list[bool]) -> None:
    true = np.array(truth)
    scores = np.full(len(true), true.mean())
    found = figures(true, scores, 0.5)
    assert found["calibration-error"] == pytest.approx(0, abs=1e-12)
    assert found["adaptive-calibration-error"] == pytest.approx(0, abs=1e-12)
    assert found["brier"] == pytest.approx(true.mean() * (1 - true.mean()))
    if 0 < true.mean() < 1:
        assert found["auc"] == 0.5
        assert found["average-precision"] == pytest.approx(true.mean())


@given(truth=st.lists(st.booleans(), min_size=1, max_size=60).filter(any))
def test_a_perfect_judge(truth: list[bool]) -> None:
    true = np.array(truth)
    found = figures(true, true.astype(float), 0.5)
    assert (found["brier"], found["f1"], found["best-f1"], found["average-precision"]) == (0, 1, 1, 1)
    assert found["calibration-error"] == found["adaptive-calibration-error"] == 0


@given(pages=PAGES)
def test_errors_are_shares_and_bins_hold_every_page_once(pages: list[tuple[bool, float]]) -> None:
    truth, scores = arrays(pages)
    for adaptive in (False, True):
        diagram = reliability(truth, scores, adaptive=adaptive)
        assert sum(each.pages for each in diagram) == len(truth)
        assert sum(each.pages * each.relevant for each in diagram) == pytest.approx(truth.sum())
        assert sum(each.pages * each.score for each in diagram) == pytest.approx(scores.sum())
        assert 0 <= calibration_error(diagram) <= 1


def test_calibration_error_by_hand() -> None:
    # Two bins: [0, 0.5) holds 0.1 and 0.3 (mean 0.2, one of two true), [0.5, 1] holds 0.5, 0.9 and 1.0 (0.8, two of 3).
    truth = np.array([False, True, True, False, True])
    scores = np.array([0.1, 0.3, 0.5, 0.9, 1.0])
    diagram = reliability(truth, scores, bins=2)
    assert [each.pages for each in diagram] == [2, 3]
    assert diagram[0] == pytest.approx(ReliabilityBin(0.2, 0.5, 2))
    assert diagram[1] == pytest.approx(ReliabilityBin(0.8, 2 / 3, 3))
    assert calibration_error(diagram) == pytest.approx((2 * 0.3 + 3 * (0.8 - 2 / 3)) / 5)


def test_adaptive_bins_hold_equally_many_pages_but_keep_ties_together() -> None:
    truth = np.array([False] * 8 + [True] * 2)
    scores = np.array([0.0] * 6 + [0.01, 0.02, 0.8, 0.9])
    assert [each.pages for each in reliability(truth, scores, bins=2)] == [8, 2]
    assert [each.pages for each in reliability(truth, scores, adaptive=True, bins=2)] == [6, 4]
    assert [each.pages for each in reliability(truth, scores, adaptive=True, bins=5)] == [6, 2, 2]


def test_figures_by_hand() -> None:
    truth = np.array([True, False, True, False])
    scores = np.array([0.9, 0.9, 0.4, 0.1])
    found = figures(truth, scores, 0.5)
    assert (found["precision"], found["recall"], found["f1"], found["kept"]) == (0.5, 0.5, 0.5, 0.5)
    assert found["best-f1"] == pytest.approx(2 * 2 / (3 + 2))
    assert average_precision(truth, scores) == pytest.approx(0.5 * 0.5 + 0.5 * 2 / 3)
    assert auc(truth, scores) == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    assert brier(truth, scores) == pytest.approx((0.01 + 0.81 + 0.36 + 0.01) / 4)


def test_what_cannot_be_said_is_nan() -> None:
    none = figures(np.array([False, False]), np.array([0.2, 0.9]), 0.5)
    assert all(math.isnan(none[name]) for name in ("f1", "precision", "recall", "best-f1", "average-precision", "auc"))
    assert none["kept"] == 0.5
    empty = figures(np.array([], dtype=bool), np.array([]), 0.5)
    assert all(map(math.isnan, empty.values()))


def test_every_figure_says_what_it_means() -> None:
    found = figures(np.array([True]), np.array([1.0]), 0.5)
    assert set(found) == set(MEASURES) - TIMED
    assert all(each.doc for each in MEASURES.values())

"""What is said of pages whose sites were held back, and what follows from it."""

from __future__ import annotations

from math import exp
from random import Random

import numpy as np
import pytest

from scenthound.sites.held_back import HeldBack, cross_checked, error_rate, middle


def test_balance_takes_away_the_pull_of_the_larger_class() -> None:
    odds, truth = np.array([-1.0, -1.5, -3.0, -3.5]), np.array([True, True, False, False])
    assert error_rate(odds, truth) == 0.5
    bias = middle(odds, truth)
    assert bias == pytest.approx(-2.25)
    assert error_rate(odds - bias, truth) == 0.0
    assert middle(odds, np.array([True] * 4)) == 0.0


def test_a_page_is_checked_by_what_other_sites_taught() -> None:
    """Sites of both classes in each fold, alike within a class: every page is put right, by pages of the other fold."""
    rows = np.tile(np.eye(2, dtype=np.float32), (4, 1))
    rows[7] = 0.0  # a page that says nothing
    labels = np.array([0, 1] * 4)
    odds = cross_checked(rows, labels, np.array([0, 0, 0, 0, 1, 1, 1, 1]), [True, False], 1, Random(1))
    assert np.isnan(odds).tolist() == [False] * 7 + [True]
    assert ((odds[:7] > 0) == (labels[:7] == 0)).all()


def test_a_site_has_no_say_in_how_it_is_read() -> None:
    odds = np.array([3.0, np.nan, 1.0, -1.0, -2.0])
    held = HeldBack(odds, np.array([True, True, True, False, False]), np.array([0, 0, 1, 2, 3]))
    bias, p_err = held.balance(without=0)
    assert (bias, p_err) == (pytest.approx(-0.25), 0.0)
    confidences, error = held.confidences(0)
    assert confidences == [pytest.approx(1 / (1 + exp(-3.25))), 0.5]
    assert error == 0.0
    assert held.balance() == (pytest.approx(0.25), 0.0)
    assert HeldBack(-odds, held.truth, held.sites).error_rate() == 0.5  # wrong more often than right says nothing

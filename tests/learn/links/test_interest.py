from __future__ import annotations

from math import log

import numpy as np
import pytest

from scenthound.learn.links.interest import InterestRatios, RunningMean


def test_ratios_by_hand() -> None:
    usual, interest = RunningMean(), InterestRatios(3)
    for events, truth in (([0], 1.0), ([0], 1.0), ([0, 1], 0.0), ([1], 0.0)):
        interest.saw(np.array(events), truth)
        usual.saw(truth)
    assert usual.mean == 0.5
    assert usual.variance == 0.25
    # P(C) = 1/2; event 0: (2 + 1/2) / (3 + 1); event 1: (0 + 1/2) / (2 + 1); event 2 was never seen
    ratios = interest.log_ratios(np.array([0, 1, 2]), usual)
    assert ratios.tolist() == pytest.approx([log(0.625 / 0.5), log(1 / 6 / 0.5), 0.0])


def test_what_may_be_chance_says_nothing() -> None:
    usual, interest = RunningMean(), InterestRatios(2)
    for n in range(100):
        usual.saw(n % 2)
    for truth in (1.0, 1.0, 1.0, 0.0):
        interest.saw(np.array([0]), truth)  # 0.25 over the usual; the standard error is 0.5 / sqrt(4): S = 1
    events = np.array([0])
    assert interest.log_ratios(events, usual, significance=0.99)[0] > 0
    assert interest.log_ratios(events, usual, significance=1.01)[0] == 0


def test_before_anything_relevant_was_seen_nothing_tells() -> None:
    usual, interest = RunningMean(), InterestRatios(1)
    assert (usual.mean, usual.variance) == (0.0, 0.0)
    usual.saw(0.0)
    interest.saw(np.array([0]), 0.0)
    assert interest.log_ratios(np.array([0]), usual).tolist() == [0.0]

from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.chains.layer_bayes import train


def test_worked_by_hand() -> None:
    model = train([{"bird": 2}, {"rail": 1}, {"rail": 1, "bird": 1}], [0, 1, 1], 2)
    # V = 2; class 0: bird 3/4, rail 1/4; class 1: bird 2/5, rail 3/5; prior (1+1)/5, (2+1)/5
    odds = np.array([2 / 5 * (3 / 4) ** 2 * 1 / 4, 3 / 5 * (2 / 5) ** 2 * 3 / 5])
    assert model.posterior({"bird": 2, "rail": 1, "other": 9}) == pytest.approx(odds / odds.sum())
    assert model.posterior({}) == pytest.approx([2 / 5, 3 / 5])
    assert train([{"a": 1}, {"a": 1}], [0, 0], 2, even=True).posterior({}) == pytest.approx([0.5, 0.5])


def test_a_long_text_speaks_with_the_voice_of_fifty_words() -> None:
    model = train([{"bird": 3, "rail": 1}, {"rail": 3, "bird": 1}], [0, 1], 2)
    assert model.posterior({"bird": 50}) == pytest.approx(model.posterior({"bird": 5000}))


def test_nothing_to_learn_from() -> None:
    assert train([], [], 3).posterior({"bird": 1}) == pytest.approx([1 / 3] * 3)

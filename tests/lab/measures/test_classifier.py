"""The classifier that judges crawls: learns from what it is given, and says what it lacks."""

import sys

import numpy as np
import pytest

from scenthound.errors import UsageError
from scenthound.lab.measures.classifier import train, training_pages

BIRDS = [{"bird": 3, "nest": 1 + n % 2, f"w{n}": 1} for n in range(10)]
TRAINS = [{"train": 3, "rail": 1 + n % 2, f"w{n}": 1} for n in range(30)]


def test_it_tells_topics_apart() -> None:
    pytest.importorskip("sklearn")
    classify = train(BIRDS[:5], TRAINS[:20])
    assert classify(BIRDS[5:]).all()
    assert not classify(TRAINS[20:]).any()
    assert classify([]).shape == (0,)
    assert classify([{}, {"unheard": 2}]).dtype == np.bool_


def test_the_same_pages_give_the_same_classifier() -> None:
    pytest.importorskip("sklearn")
    mixed = [{"bird": 1, "train": 1, f"w{n}": 2} for n in range(30)]
    assert np.array_equal(train(BIRDS, TRAINS)(mixed), train(BIRDS, TRAINS)(mixed))


def test_one_kind_of_page_teaches_nothing() -> None:
    pytest.importorskip("sklearn")
    with pytest.raises(UsageError, match="both kinds"):
        train(BIRDS, [])


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sklearn.feature_extraction", "sklearn.feature_extraction.text", "sklearn.svm"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match="extra `learn`"):
        train(BIRDS, TRAINS)


def test_irrelevant_pages_are_filled_up_to_two_for_each_relevant_one() -> None:
    relevant = {f"bird{n}": terms for n, terms in enumerate(BIRDS[:3])}
    irrelevant = {"train0": TRAINS[0]}
    others = {f"train{n}": terms for n, terms in enumerate(TRAINS)} | relevant | {"target": BIRDS[9]}
    for seed in range(20):
        good, bad = training_pages(relevant, irrelevant, others, targets={"target"}, seed=seed)
        assert good == BIRDS[:3]
        assert len(bad) == 6
        assert all("train" in terms for terms in bad)
        assert bad.count(TRAINS[0]) == 1
        assert training_pages(relevant, irrelevant, others, targets={"target"}, seed=seed) == (good, bad)


def test_few_other_pages_are_all_taken() -> None:
    _, bad = training_pages({"b": BIRDS[0]}, {}, {"t": TRAINS[0]})
    assert bad == [TRAINS[0]]

from __future__ import annotations

from math import exp, sqrt
from random import Random

import numpy as np
import pytest

from scenthound.learn.links.feature_hashing import FeatureHasher
from scenthound.learn.links.link_features import DENSE, LinkFeatures, Rows
from scenthound.learn.links.online import OnlineLogistic
from scenthound.model import Keyword, Link, Topic
from scenthound.text import idf

TOPIC = Topic("x", (Keyword("dengue fever", 1.0),))


def row(*cells: tuple[int, float]) -> Rows:
    return Rows(np.array([place for place, _ in cells]), np.array([value for _, value in cells]), np.array([0]))


def test_one_lesson_by_hand() -> None:
    model = OnlineLogistic(4, rate=0.5)
    example = row((0, 1.0), (2, 2.0))
    assert model(example) == pytest.approx([0.5])
    model.learn(example, 1.0)  # error -0.5: gradients -0.5 and -1; squares 1.25 and 2
    assert model.weights.tolist() == pytest.approx([0.25 / sqrt(1.25), 0.0, 0.5 / sqrt(2), 0.0])
    assert model(example) == pytest.approx([1 / (1 + exp(-(0.25 / sqrt(1.25) + 1.0 / sqrt(2))))])


def test_only_some_places_learn() -> None:
    model = OnlineLogistic(4, rate=0.5)
    model.learn(row((0, 1.0), (2, 2.0), (3, 1.0)), 0.0, among=np.array([3]))
    assert np.flatnonzero(model.weights).tolist() == [3]


def test_expects_the_mean_of_what_came() -> None:
    model, chance = OnlineLogistic(3, rate=0.5), Random(1)
    for _ in range(4000):
        sign = chance.randrange(2)
        model.learn(row((0, 1.0), (1 + sign, 1.0)), (0.7 if sign else 0.1) + chance.uniform(-0.1, 0.1))
    assert model(row((0, 1.0), (1, 1.0))) == pytest.approx([0.1], abs=0.03)
    assert model(row((0, 1.0), (2, 1.0))) == pytest.approx([0.7], abs=0.03)


def test_no_rows() -> None:
    features = LinkFeatures(TOPIC, idf.none(), 256)
    assert OnlineLogistic(256, 0.1)(features.rows([], [])).tolist() == []


def test_a_link_as_a_row() -> None:
    features = LinkFeatures(TOPIC, idf.none(), 2**16)
    link = Link("http://a.example/dengue", anchor="dengue", context="about dengue rash")
    rows = features.rows([link, Link("http://b.example/")], [0.25, 0.5])
    first = slice(0, int(rows.starts[1]))
    # anchor: dengue; context: dengue, rash; URL: example, dengue
    assert rows.values[first].tolist() == pytest.approx([1, 0.25, 1 / sqrt(2), 0.5, *[1 / sqrt(5)] * 5])
    words = rows.places[first][DENSE:].tolist()
    assert min(words) >= DENSE
    assert len(set(words)) == 5, "one word is told apart in anchor, context and URL"
    assert rows.values[int(rows.starts[1]) :].tolist() == pytest.approx([1, 0.5, 0, 0, 1.0])


def test_places_do_not_change_from_run_to_run() -> None:
    assert (FeatureHasher(1000, 1)["dengue"], FeatureHasher(1000, 2)["dengue"]) == (
        FeatureHasher(1000, 1)["dengue"],
        FeatureHasher(1000, 2)["dengue"],
    )
    slots = FeatureHasher(100, 1, first=90)
    assert {slots[str(n)] for n in range(300)} == set(range(90, 100))
    assert 0 <= FeatureHasher(7, 3)["\ud800"] < 7

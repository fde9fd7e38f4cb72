from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.ranking.link_model import FIRST_GUESS, LinkModel
from scenthound.learn.relevance.link_words import WIDTH, Words, link_words
from scenthound.learn.relevance.word_places import Hashes


def text(anchor: Words = (), context: Words = (), address: Words = ()) -> Hashes:
    return link_words([anchor], [context], [address])


def test_at_first_all_links_are_alike() -> None:
    guess = 1 / (1 + np.exp(-FIRST_GUESS))
    assert LinkModel()(text(("a",), ("b",), ("c",))).tolist() == pytest.approx([guess])
    assert LinkModel()(text()).tolist() == pytest.approx([guess])
    assert len(LinkModel()(np.zeros((0, WIDTH), np.uint32))) == 0


def test_words_are_learned_in_their_place() -> None:
    model = LinkModel()
    for _ in range(40):
        model.learn(text(anchor=("student",)), 1.0)
        model.learn(text(anchor=("basket",)), 0.0)
    good, poor = model(text(anchor=("student",)))[0], model(text(anchor=("basket",)))[0]
    elsewhere = model(text(context=("student",)))[0]
    assert good > 0.7 > 0.3 > poor
    assert poor < elsewhere < good


def test_many_at_once_are_as_one_by_one() -> None:
    model = LinkModel()
    model.learn(text(("a", "b"), ("a",), ("c",)), 1.0)
    links = [text(("a",)), text(), text(("b",), ("a", "d"), ("c", "e"))]
    together = np.concatenate(links)
    assert model(together).tolist() == pytest.approx([model(each)[0] for each in links])
    assert [model.of_one(each[0]) for each in links] == pytest.approx(model(together).tolist())


def test_what_is_taken_back_is_the_same() -> None:
    model, other = LinkModel(), LinkModel()
    model.learn(text(("a",)), 1.0)
    other.take_back(model.kept())
    model.learn(text(("a",)), 1.0)  # what was handed out does not change with it
    assert other(text(("a",)))[0] != model(text(("a",)))[0]
    other.learn(text(("a",)), 1.0)
    assert other(text(("a",)))[0] == model(text(("a",)))[0]

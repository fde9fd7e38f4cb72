"""What the words of links tell about the pages behind them, learned from those that were followed.

    p(link) = 1 / (1 + exp(-(b + sum of w_k(word) / sqrt(words))))      k: in the anchor, around it, in the address

Online logistic regression (`links.online`): the expected relevance of the page, from words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scenthound.learn.links.link_features import Floats, Rows
from scenthound.learn.links.online import OnlineLogistic
from scenthound.learn.relevance.link_words import ADDRESSES, ANCHORS, CONTEXTS
from scenthound.learn.relevance.word_places import Hashes, places_of

KIND = 1 << 16
"""Places for the words of each kind; the bias has the place behind them."""

KINDS = (ANCHORS, CONTEXTS, ADDRESSES)
FIRST_FIELD = 8  # places of words are salted by field, and pages have the first seven
RATE = 0.3
FIRST_GUESS = -2.0


class LinkModel:
    """Of links whose words are rows, as `link_words` makes them."""

    def __init__(self) -> None:
        self._model = OnlineLogistic(len(KINDS) * KIND + 1, RATE)
        self._model.weights[-1] = FIRST_GUESS

    def __call__(self, words: Hashes) -> Floats:
        return self._model(_rows(words))

    def learn(self, words: Hashes, relevance: float) -> None:
        """Of one link, a single row."""
        self._model.learn(_rows(words), relevance)

    def kept(self) -> dict[str, Any]:
        return {"weights": self._model.weights.copy(), "squares": self._model.squares.copy()}

    def take_back(self, arrays: Mapping[str, Any]) -> None:
        self._model.weights, self._model.squares = arrays["weights"].copy(), arrays["squares"].copy()


def _rows(words: Hashes) -> Rows:
    number = len(words)
    bias = np.full((number, 1), len(KINDS) * KIND, np.intp)
    of_words = [
        places_of(FIRST_FIELD + kind, words[:, columns]) % KIND + kind * KIND for kind, columns in enumerate(KINDS)
    ]
    places = np.hstack([bias, *of_words])
    there = np.hstack([np.ones((number, 1), bool), words != 0])
    counts = there.sum(axis=1)
    values = np.broadcast_to((1.0 / np.sqrt(np.maximum(counts - 1, 1)))[:, None], places.shape).copy()
    values[:, 0] = 1.0
    return Rows(places[there].astype(np.intp), values[there], np.cumsum(counts) - counts)

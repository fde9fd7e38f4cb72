"""What the words of links tell about the pages behind them, learned from those that were followed.

    p(link) = 1 / (1 + exp(-(b + sum of w_k(word) / sqrt(words))))      k: in the anchor, around it, in the address

Online logistic regression (`links.online`): the expected relevance of the page, from words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.learn.links.link_features import Floats, Rows
from scenthound.learn.links.online import OnlineLogistic
from scenthound.learn.relevance.link_words import ADDRESSES, ANCHORS, CONTEXTS, WIDTH
from scenthound.learn.relevance.word_places import Hashes, salt_of

KIND = 1 << 16
"""Places for the words of each kind; the bias has the place behind them."""

KINDS = (ANCHORS, CONTEXTS, ADDRESSES)
FIRST_FIELD = 8  # places of words are salted by field, and pages have the first seven
RATE = 0.3
FIRST_GUESS = -2.0


_SALTS: Hashes = np.zeros(WIDTH, np.uint32)  # of each column of a row, as its kind is salted
_STARTS: npt.NDArray[np.intp] = np.zeros(WIDTH, np.intp)  # where the places of its kind begin
for _kind, _columns in enumerate(KINDS):
    _SALTS[_columns], _STARTS[_columns] = salt_of(FIRST_FIELD + _kind), _kind * KIND


class LinkModel:
    """Of links whose words are rows, as `link_words` makes them."""

    def __init__(self, taught: Floats | None = None) -> None:
        self._model = OnlineLogistic(len(KINDS) * KIND + 1, RATE)
        self._model.weights[-1] = FIRST_GUESS
        if taught is not None:
            self._model.weights, self._model.squares = taught.copy()

    def taught(self) -> Floats:
        """What it knows, for one that begins with it."""
        return np.stack([self._model.weights, self._model.squares])

    def __call__(self, words: Hashes) -> Floats:
        weights = np.where(words != 0, self._model.weights.take(_places(words)), 0.0)
        counts = np.count_nonzero(words, axis=1)
        sums = self._model.weights[-1] + weights.sum(axis=1) / np.sqrt(np.maximum(counts, 1))
        expected: Floats = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
        return expected

    def of_one(self, words: Hashes) -> float:
        """The same of a single link, whose words are a plain array: in a third of the time."""
        weights = self._model.weights
        places = _places(words)[words != 0]
        return likely(float(weights[-1]) + float(weights[places].sum()) / max(len(places), 1) ** 0.5)

    def learn(self, words: Hashes, relevance: float) -> None:
        """Of one link, a single row."""
        self._model.learn(_row(words), relevance)

    def kept(self) -> dict[str, Any]:
        """As arrays of a snapshot: the weights that were ever changed, which are few of all there are."""
        places = np.flatnonzero((self._model.squares != 1.0) | (self._model.weights != 0.0))
        return {
            "places": places,
            "weights": self._model.weights[places],
            "squares": self._model.squares[places],
        }

    def take_back(self, arrays: Mapping[str, Any]) -> None:
        self._model.weights[:], self._model.squares[:] = 0.0, 1.0
        self._model.weights[arrays["places"]] = arrays["weights"]
        self._model.squares[arrays["places"]] = arrays["squares"]


def likely(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-min(30.0, max(-30.0, log_odds))))


def _places(words: Hashes) -> npt.NDArray[np.intp]:
    """Where the weight of each word is; that of an empty place means nothing."""
    return ((words ^ _SALTS) & np.uint32(KIND - 1)).astype(np.intp) + _STARTS


def _row(words: Hashes) -> Rows:
    """Of a single link, the bias and its words."""
    found = _places(words)[words != 0]
    places, values = np.empty(len(found) + 1, np.intp), np.empty(len(found) + 1)
    places[0], places[1:] = len(KINDS) * KIND, found
    values[0], values[1:] = 1.0, 1.0 / sqrt(max(len(found), 1))
    return Rows(places, values, _START)


_START: npt.NDArray[np.intp] = np.zeros(1, np.intp)

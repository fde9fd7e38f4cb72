"""What the words of links tell about the pages behind them, learned from those that were followed.

    p(link) = 1 / (1 + exp(-(b + sum of w_k(word) / sqrt(words))))      k: in the anchor, around it, in the address

Online logistic regression (`links.online`): the expected relevance of the page, from words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scenthound.bounded_cache import Memo
from scenthound.learn.links.link_features import Floats, Rows
from scenthound.learn.links.online import OnlineLogistic
from scenthound.learn.ranking.link_texts import LinkTexts, Words
from scenthound.learn.relevance.word_places import Places, place

KIND = 1 << 16
"""Places for the words of each kind; the bias has the place behind them."""

KINDS = ("anchors", "contexts", "addresses")
FIRST_FIELD = 8  # places of words are salted by field, and pages have the first seven
REMEMBERED = 20_000
RATE = 0.3
FIRST_GUESS = -2.0


class LinkModel:
    def __init__(self) -> None:
        self._model = OnlineLogistic(len(KINDS) * KIND + 1, RATE)
        self._model.weights[-1] = FIRST_GUESS
        self._places = [_memo(kind) for kind in range(len(KINDS))]

    def __call__(self, texts: LinkTexts) -> Floats:
        return self._model(self._rows(texts))

    def learn(self, texts: LinkTexts, relevance: float) -> None:
        """Of one link."""
        self._model.learn(self._rows(texts), relevance)

    def _rows(self, texts: LinkTexts) -> Rows:
        bias = np.array([len(KINDS) * KIND], np.int32)
        parts: list[Places] = []
        lengths: list[int] = []
        for said in zip(texts.anchors, texts.contexts, texts.addresses, strict=True):
            mine = [bias, *(places[words] for places, words in zip(self._places, said, strict=True))]
            parts += mine
            lengths.append(sum(map(len, mine)))
        counts = np.array(lengths, np.intp)
        starts = np.cumsum(counts) - counts
        values = np.repeat(1.0 / np.sqrt(np.maximum(counts - 1, 1)), counts)
        values[starts] = 1.0
        places = np.concatenate(parts) if parts else np.zeros(0, np.int32)
        return Rows(places.astype(np.intp), values, starts)

    def kept(self) -> dict[str, Any]:
        return {"weights": self._model.weights.copy(), "squares": self._model.squares.copy()}

    def take_back(self, arrays: Mapping[str, Any]) -> None:
        self._model.weights, self._model.squares = arrays["weights"].copy(), arrays["squares"].copy()


def _memo(kind: int) -> Memo[Words, Places]:
    def places(words: Words) -> Places:
        found: Places = place(FIRST_FIELD + kind, words) % KIND + kind * KIND
        return found

    return Memo(places, REMEMBERED)

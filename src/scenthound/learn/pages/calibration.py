"""From the score of a classifier to a probability, by Platt's method.

    P(relevant | score) = 1 / (1 + exp(-(slope * score + offset)))

fitted to scores of pages the classifier was not trained on: the training pages are dealt into folds, and each fold is
scored by a classifier trained on the others. Instead of 0 and 1 the fit aims at 1 / (n- + 2) and (n+ + 1) / (n+ + 2),
so that a few clean examples do not make certainty (Platt 1999; Lin, Lin, Weng 2007).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tanh
from typing import Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.pages.naive_bayes import Terms

FOLDS = 4
FLATTEST = 1e-3
"""The least slope: where the examples show no difference the order of scores is still the best guess there is."""


class PageModel(Protocol):
    """Anything that orders pages: the higher the score, the likelier relevant."""

    def score(self, terms: Terms) -> float: ...


Train = Callable[[Sequence[Terms], Sequence[Terms]], PageModel]


class Sigmoid(Struct, frozen=True):
    slope: float
    offset: float

    def __call__(self, score: float) -> float:
        return 0.5 * (1.0 + tanh(0.5 * (self.slope * score + self.offset)))


class Calibrated(Struct, frozen=True):
    """A page model with its sigmoid: terms in, probability out."""

    model: PageModel
    sigmoid: Sigmoid

    def __call__(self, terms: Terms) -> float:
        return self.sigmoid(self.model.score(terms))


def calibrated(train: Train, relevant: Sequence[Terms], irrelevant: Sequence[Terms]) -> Calibrated:
    """A model trained on all the pages, its sigmoid on folds of them; on the very pages where there is but one."""
    model = train(relevant, irrelevant)
    folds = min(FOLDS, len(relevant), len(irrelevant))
    scores, labels = [], []
    for fold in range(folds):
        judge = model
        if folds > 1:
            judge = train(_without(relevant, fold, folds), _without(irrelevant, fold, folds))
        for pages, label in ((relevant, True), (irrelevant, False)):
            scores += [judge.score(terms) for terms in pages[fold::folds]]
            labels += [label] * len(pages[fold::folds])
    return Calibrated(model, fit(scores, labels))


def _without(pages: Sequence[Terms], fold: int, folds: int) -> list[Terms]:
    return [terms for number, terms in enumerate(pages) if number % folds != fold]


def fit(scores: Sequence[float], labels: Sequence[bool], rounds: int = 50) -> Sigmoid:
    """The sigmoid of greatest likelihood: Newton's method on standardised scores, overshooting steps halved."""
    s, positive = np.array(scores), np.array(labels)
    good, bad = int(positive.sum()), int((~positive).sum())
    aim = np.where(positive, (good + 1) / (good + 2), 1 / (bad + 2))
    middle, width = float(s.mean()), float(s.std()) or 1.0
    x = np.stack([(s - middle) / width, np.ones_like(s)], axis=1)
    w = np.zeros(2)
    loss = _loss(x, aim, w)
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - aim)
        if np.abs(gradient).max() < 1e-9:
            break
        step = np.linalg.solve((x.T * (p * (1 - p))) @ x + 1e-12 * np.eye(2), gradient)
        while (new := _loss(x, aim, w - step)) > loss and np.abs(step).max() > 1e-12:
            step = step / 2
        w, loss = w - step, new
    slope = max(float(w[0]) / width, FLATTEST)
    return Sigmoid(slope, float(w[1]) - float(w[0]) / width * middle)


def _loss(x: npt.NDArray[np.float64], aim: npt.NDArray[np.float64], w: npt.NDArray[np.float64]) -> float:
    z = x @ w
    return float(np.logaddexp(0, z).sum() - aim @ z)

"""How well a strategy learned: what its training showed, and what it makes of pages it has not seen.

Pages are dealt into those to learn from and those to be examined on. A second strategy of the same kind and
parameters is trained on the first part and asked about the second; the one that will crawl is trained on all. What is
asked depends on what a strategy can say:

    state     `TellsStates`, where it does: the state of each page along the ways held out.
              Accuracy, and who is taken for whom (confusion, by hop distances).
    features  `TellsFeatures`: for each state the features that speak most for it.
    curve     the objective after each iteration.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from scenthound.learn.chains.labels import STATES, held_out, labels
from scenthound.model import Lessons
from scenthound.protocols.crawl import Context
from scenthound.protocols.hooks import hook

SHARE = 0.2
STRONGEST = 10


class TellsStates(Protocol):
    """A strategy that can be examined: places of pages among the lessons, and the state it takes each to be in."""

    def states_of(self, lessons: Lessons, context: Context) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...


class TellsFeatures(Protocol):
    """A strategy that can say, for each state, which n features speak most for it, and how loudly."""

    def strongest_features(self, n: int) -> Sequence[Sequence[tuple[str, float]]]: ...


class Assessment(Struct, frozen=True):
    """How training went, in numbers and names."""

    pages: int
    edges: int
    sequences: int
    seconds: float  # CPU time of training on all lessons
    curve: tuple[float, ...] = ()  # the objective after each iteration, where there is one
    examined: int = 0  # pages held out that were asked about
    accuracy: float | None = None  # share of them whose state was told rightly
    usual: float | None = None  # the share one gets by always saying the most frequent state
    mean_error: float | None = None  # by how many hops it was wrong, on average
    confusion: tuple[tuple[int, ...], ...] = ()  # row: the true state; column: the state told
    strongest: tuple[tuple[tuple[str, float], ...], ...] = ()  # for each state: features and weights


def assess(strategy: Any, context: Context, random: Random, share: float = SHARE) -> Assessment:
    """Trains the strategy on all lessons of the context, and a twin of it on some, to be examined on the others."""
    lessons = context.lessons
    assert lessons is not None, "there is nothing to assess without lessons"
    started = time.process_time()
    strategy.train(context)
    seconds = time.process_time() - started
    teller = hook(strategy, TellsFeatures)
    report = Assessment(
        pages=len(lessons.pages),
        edges=len(lessons.edges),
        sequences=len(lessons.sequences),
        seconds=seconds,
        curve=tuple(getattr(strategy, "training_curve", ())),
        strongest=tuple(map(tuple, teller.strongest_features(STRONGEST))) if teller is not None else (),
    )
    if hook(strategy, TellsStates) is None:
        return report
    taught, asked = held_out(lessons, share, random)
    if 0 not in taught.states or not asked.pages:
        return report
    return _examined(report, _twin(strategy), taught, asked, context)


def _examined(report: Assessment, twin: Any, taught: Lessons, asked: Lessons, context: Context) -> Assessment:
    there = replace(context, lessons=taught, random=Random(0))
    twin.train(there)
    places, told = twin.states_of(asked, there)
    if not len(places):
        return report
    true = labels(asked)[places]
    confusion = np.zeros((STATES, STATES), dtype=int)
    np.add.at(confusion, (true, told), 1)
    return replace(
        report,
        examined=len(places),
        accuracy=float((true == told).mean()),
        usual=float(np.bincount(true, minlength=STATES).max() / len(true)),
        mean_error=float(np.abs(true - told).mean()),
        confusion=tuple(tuple(row) for row in confusion.tolist()),
    )


def _twin(strategy: Any) -> Any:
    """A strategy of the same kind and parameters that has learned nothing."""
    given = {field.name: getattr(strategy, field.name) for field in dataclasses.fields(strategy) if field.init}
    return type(strategy)(**given)

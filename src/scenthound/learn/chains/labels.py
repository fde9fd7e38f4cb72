"""The hidden states: how many hops a page is from a relevant one, as few enough classes to learn.

    T0      a target
    T1..T3  so many hops from one
    T4      four hops or more, or no target in reach

Liu has the last state stand for "k - 1 or more hops", so what lies beyond joins it. A page from which no target was
reached does, too: within the lessons it is as far as a page can be, and a state of its own would be learned from what
the collection happened to leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from scenthound.errors import ConfigError
from scenthound.model import Lessons
from scenthound.protocols.crawl import Context

STATES = 5
"""T0..T4, as Liu and the context graphs have them."""

Ints = npt.NDArray[np.intp]


def labels(lessons: Lessons, states: int = STATES) -> Ints:
    """The state of every page: -1 and all that is beyond the last state are the last state."""
    hops = np.array(lessons.states, dtype=np.intp)
    return np.where((hops < 0) | (hops >= states), states - 1, hops)


def ways(lessons: Lessons) -> tuple[tuple[int, ...], ...]:
    """The sequences to learn from; where there are none, every edge is one of two pages."""
    return lessons.sequences or lessons.edges


def lessons_of(context: Context, name: str) -> Lessons:
    """What there is to train on; the user's error if it is nothing, or teaches nothing."""
    lessons = context.lessons
    if lessons is None or not lessons.pages:
        raise untrained(name)
    if 0 not in lessons.states:
        raise ConfigError(
            f'The strategy "{name}" learns ways to relevant pages, and its lessons hold no relevant page. '
            "Mark some pages as relevant, or collect from other targets, and train again."
        )
    return lessons


def untrained(name: str) -> ConfigError:
    """What is said to somebody who crawls with a strategy that has not been taught."""
    return ConfigError(
        f'The strategy "{name}" must be trained before it can crawl. Do so with: scenthound train FOLDER --model {name}'
    )


def flip_labels(lessons: Lessons, share: float, random: Random) -> Lessons:
    """The same lessons with this share of the pages in a wrong state: how much do learners mind a careless teacher?

    The pages are drawn, each gets one of the other states of 0..4, all equally likely. All else stays as it is, pages
    from which no target is reached (-1) among it: some learners leave these out.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError("share must be between 0 and 1")
    states, right = list(lessons.states), labels(lessons)
    for page in random.sample(range(len(states)), round(share * len(states))):
        states[page] = random.choice([state for state in range(STATES) if state != right[page]])
    return replace(lessons, states=tuple(states))


def held_out(lessons: Lessons, share: float, random: Random) -> tuple[Lessons, Lessons]:
    """Lessons to learn from, and lessons to be examined on: no page is in both.

    Pages are dealt out, so that the examination is of pages never seen, as in a crawl. A sequence is cut where it
    changes sides; pieces of a single page are of no use to either.
    """
    order = list(range(len(lessons.pages)))
    random.shuffle(order)
    examined = set(order[: round(share * len(order))])
    return _only(lessons, set(order) - examined), _only(lessons, examined)


def _only(lessons: Lessons, kept: set[int]) -> Lessons:
    place = {page: number for number, page in enumerate(sorted(kept))}
    return Lessons(
        pages=tuple(lessons.pages[page] for page in place),
        edges=tuple((place[a], place[b]) for a, b in lessons.edges if a in place and b in place),
        states=tuple(lessons.states[page] for page in place),
        sequences=tuple(tuple(place[page] for page in piece) for way in ways(lessons) for piece in _cut(way, kept)),
    )


def _cut(way: Sequence[int], kept: set[int]) -> list[list[int]]:
    """The runs of kept pages of a way, those of two pages and more."""
    pieces: list[list[int]] = [[]]
    for page in way:
        if page in kept:
            pieces[-1].append(page)
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]

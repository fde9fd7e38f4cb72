"""A trained chain, MEMM or CRF, at work: from lessons to a model, from a visit to the priority of every link.

Inference goes along the way to a page, one step a page: the belief about the page before is stored with the link, so
nothing is gone through twice and a restart loses nothing. Of a page all parts but its links are scored once; anchors,
URLs and headings are remembered with their scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, count, islice

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.chains import belief, crf, memm
from scenthound.learn.chains.fitting import ITERATIONS, Fit, Weights, check_installed
from scenthound.learn.chains.labels import STATES, Ints, labels, ways
from scenthound.learn.chains.page_features import (
    Called,
    FeatureReader,
    FeatureSet,
    Part,
    SeenFeatures,
    by_name,
    by_row,
    description_of,
    is_table_one,
    places,
    some_targets,
)
from scenthound.learn.chains.sequence_batches import Chains, SequenceReader, View, chains
from scenthound.learn.chains.viterbi import Steps, best_path
from scenthound.model import Lessons, Link, Page, Ranked, Topic, Visit
from scenthound.page_memo import of_lessons
from scenthound.protocols.crawl import Idf

REMEMBERED = 50_000
"""Anchors and URLs whose scores are remembered, 5 MB or so for each."""

Floats = npt.NDArray[np.float64]
Read = Callable[[Sequence[str]], SeenFeatures]

KINDS = {"memm": memm, "crf": crf}


class ChainModel(Struct, frozen=True):
    """All that training leaves behind."""

    kind: str  # memm or crf
    view: View
    features: FeatureSet
    columns: dict[str, int]
    weights: Weights
    targets: list[dict[str, int]]
    description: dict[str, int]
    curve: tuple[float, ...] = ()

    def reader(self, topic: Topic, idf: Idf, called: Called = by_name, unknown: int | None = None) -> FeatureReader:
        return FeatureReader(topic, idf, self.targets, self.description, self.features, called, unknown)

    def strongest(self, n: int) -> list[list[tuple[str, float]]]:
        """For each state the features that speak most for it, against the mean of all states."""
        apart = self.weights.features - self.weights.features.mean(axis=1, keepdims=True)
        names = list(self.columns)
        best = np.argsort(-apart, axis=0, kind="stable")[:n]
        return [
            [(names[row], round(float(apart[row, state]), 4)) for row in best[:, state]]
            for state in range(apart.shape[1])
        ]

    def paths(self, lessons: Lessons, topic: Topic, idf: Idf) -> tuple[Ints, Ints]:
        """The likeliest states along every way of some lessons: pages by their places, and the state of each."""
        sequence_reader = SequenceReader(lessons, self.reader(topic, idf), [])
        pages: list[int] = []
        told: list[int] = []
        for way in sorted(set(map(tuple, ways(lessons)))):
            around = zip((-1, *way[:-1]), way, (*way[1:], -1), strict=True)
            rows = [sequence_reader.row(self.view, before, page, after) for before, page, after in around]
            scores = np.array([sum(self.scores(sequence_reader.parts[part]) for part in row) for row in rows])
            steps = np.log(np.maximum(KINDS[self.kind].transitions(self.weights, scores[1:]), 1e-300))
            first = np.log(KINDS[self.kind].start(self.weights, scores[:1])[0])
            pages += way
            told += best_path(first, steps)
        return np.array(pages, dtype=np.intp), np.array(told, dtype=np.intp)

    def scores(self, part: Part) -> Floats:
        """What a part adds to the score of each state."""
        columns = self.columns
        found = [(columns[name], value) for name, value in part.items() if name in columns]
        if not found:
            return np.zeros(self.weights.start.shape)
        where, values = zip(*found, strict=True)
        added: Floats = np.array(values) @ self.weights.features[list(where)]
        return added


class ChainSettings(Struct, frozen=True):
    """How a chain is trained."""

    kind: str
    features: FeatureSet = "all"
    view: View = "target"
    variance: float = 0.03
    pairs: bool = True  # also learn every edge of the lessons, as a sequence of two pages
    iterations: int = ITERATIONS


def teach(lessons: Lessons, topic: Topic, idf: Idf, settings: ChainSettings) -> ChainModel:
    """A model from lessons."""
    check_installed()
    read = read_lessons(lessons, topic, idf, settings.features, settings.view, settings.pairs)
    fitted = fitted_to(lessons, read.chains, settings.kind, settings.variance, settings.iterations)
    return ChainModel(
        kind=settings.kind,
        view=settings.view,
        features=settings.features,
        columns=read.chains.columns,
        weights=fitted.weights,
        targets=read.targets,
        description=read.description,
        curve=fitted.curve,
    )


class ReadLessons(Struct, frozen=True):
    """Lessons as a chain is fitted to them, whichever chain it is."""

    chains: Chains
    targets: list[dict[str, int]]
    description: dict[str, int]


@of_lessons
def read_lessons(
    lessons: Lessons, topic: Topic, idf: Idf, features: FeatureSet, view: View, pairs: bool
) -> ReadLessons:
    goals = [page for page, state in enumerate(lessons.states) if state == 0 and lessons.pages[page].terms]
    published = is_table_one(features)
    chosen = goals if published else some_targets(goals)
    targets = [dict(lessons.pages[page].terms) for page in chosen]
    description = description_of(topic, [lessons.pages[page] for page in goals])
    sequence_reader = SequenceReader(
        lessons, FeatureReader(topic, idf, targets, description, features), [] if published else chosen
    )
    taught = [*ways(lessons), *(lessons.edges if pairs and lessons.sequences else ())]
    singles = [(page,) for page in range(len(lessons.pages))]
    return ReadLessons(chains(sequence_reader, taught or singles, labels(lessons), STATES, view), targets, description)


@of_lessons
def fitted_to(lessons: Lessons, read: Chains, kind: str, variance: float, iterations: int) -> Fit:
    """Weights that make the lessons, as they were read, likeliest."""
    found: Fit = KINDS[kind].train(read, variance, iterations)
    return found


class Forecast:
    """Ranks the links of a visit by what a model believes of the way so far, and hands the belief on to them."""

    def __init__(self, model: ChainModel, topic: Topic, idf: Idf, best: bool = False, discount: float = 0.0) -> None:
        self.model, self.best, self.discount = model, best, discount
        self.reader = reader = model.reader(topic, idf, by_row(model.columns), len(model.columns))
        self._weights: Floats = np.vstack([model.weights.features, np.zeros(STATES)])  # the last row: of the unknown
        self._steps = Steps(model.weights.transitions, each=model.kind == "memm", best=best)
        if model.view == "target":
            near = partial(reader.anchors, kind="near ")
            self._scores = RememberedRows(self._weights, reader.anchors, reader.urls, near, reader.places)
        else:
            self._scores = RememberedRows(self._weights, partial(reader.anchors, kind="child "))

    def beliefs(self, visit: Visit) -> Floats:
        """A row for each link: of the state of its target, or, with the view `page`, of this page seen with it."""
        before = belief.unpacked(visit.memory, STATES)
        page = self.reader.page(visit.page)
        if self.model.view == "target":
            before = self._begin(visit.link) if before is None else before
            return self._steps(before, self._scores(page, *self._texts(visit.page)))
        page = SeenFeatures(page.there, {0: {**page.valued[0], **self.reader.of_link(visit.link)}})
        scores = self._scores(page, [link.anchor or link.title for link in visit.page.links])
        return self._opening(scores) if before is None else self._steps(before, scores)

    def rank(self, visit: Visit) -> list[Ranked]:
        links = visit.page.links
        if not links:
            return []
        beliefs = self.beliefs(visit)
        order = belief.discounted(beliefs, self.discount) if self.discount else belief.priorities(beliefs)
        return list(map(Ranked, links, order.tolist(), belief.packed(beliefs)))

    def _begin(self, link: Link) -> Floats:
        """A page nothing is remembered of: a seed, or one that another strategy ranked."""
        first: Floats = self._opening(self._scores.of(self.reader.of_link(Link(link.url)))[None, :])[0]
        return first

    def _opening(self, scores: Floats) -> Floats:
        found: Floats = KINDS[self.model.kind].start(self.model.weights, scores)
        return found

    def _texts(self, page: Page) -> tuple[list[str], ...]:
        """What is known of the links of a page: words, addresses, headings, where they lead to."""
        links = page.links
        headings = [block.heading for block in page.blocks] or [""]
        known = len(headings)
        addresses = [link.url for link in links]
        return (
            [link.anchor or link.title for link in links],
            addresses,
            [headings[link.block if link.block < known else 0] for link in links],
            places(addresses, page.url),
        )


class RememberedRows:
    """Texts of several kinds -> score of each state, worked out once; forgotten as a whole when full.

    All that is new on a page is read kind by kind and scored in one go: a call of NumPy costs more than a dozen rows.
    A new text gets the next place of the table just by being asked for; which ones did the dictionary tells by its end.
    """

    def __init__(self, weights: Floats, *read: Read) -> None:
        """`weights`: of features by their rows, the last one all 0."""
        self._weights, self._nothing = weights, [len(weights) - 1]
        self._read = read
        self._table: Floats = np.zeros((1024, weights.shape[1]))
        self._forget()

    def _forget(self) -> None:
        self._scored, self._next = 0, count().__next__
        self._known = [defaultdict[str, int](self._next) for _ in self._read]

    def __call__(self, page: SeenFeatures, *kinds: Sequence[str]) -> Floats:
        """For each link what its page and its texts, one of every kind, add up to."""
        number = len(kinds[0])
        if self._scored + 1 + number * len(kinds) > REMEMBERED:
            self._forget()
        there, valued = list(page.there), dict(page.valued)
        wanted = [self._next()] * number  # a page has a place, too, though nobody asks for it again
        for texts, known, read in zip(kinds, self._known, self._read, strict=True):
            before = len(known)
            wanted += map(known.__getitem__, texts)
            if new := len(known) - before:
                seen = read([*islice(reversed(known), new)][::-1])
                if seen.valued:
                    valued.update((len(there) + place, part) for place, part in seen.valued.items())
                there += seen.there
        self._score(there, valued)
        found: Floats = np.add.reduce(self._table.take(wanted, axis=0).reshape(1 + len(kinds), number, STATES), axis=0)
        return found

    def of(self, part: Part) -> Floats:
        """What one part adds to the score of each state; not remembered."""
        added: Floats = np.array([*part.values(), 0.0]) @ self._weights.take([*part, *self._nothing], axis=0)
        return added

    def _score(self, there: Sequence[Collection[int]], valued: Mapping[int, Part]) -> None:
        """The next places of the table: sums of rows of weights, and what has a value of its own on top of them."""
        first, last = self._scored, self._scored + len(there)
        while len(self._table) < last:
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        parts = [rows or self._nothing for rows in there]  # `reduceat` cannot sum no rows
        *starts, end = accumulate(map(len, parts), initial=0)
        rows = np.fromiter(chain.from_iterable(parts), np.intp, end)
        np.add.reduceat(self._weights.take(rows, axis=0), starts, axis=0, out=self._table[first:last])
        for place, part in valued.items():
            self._table[first + place] += self.of(part)
        self._scored = last

"""A trained chain, MEMM or CRF, at work: from lessons to a model, from a visit to the priority of every link.

Inference goes along the way to a page, one step a page: the belief about the page before is stored with the link, so
nothing is gone through twice and a restart loses nothing. Of a page all parts but its links are scored once; words of
anchors and URLs are remembered with their scores, because the pages of a site share most of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn import belief, crf, memm
from scenthound.learn.chains import Lectern, View, chains
from scenthound.learn.fitting import ITERATIONS, Weights
from scenthound.learn.labels import STATES, Ints, labels, ways
from scenthound.learn.page_features import (
    Called,
    FeatureSet,
    Part,
    Reader,
    by_name,
    by_row,
    description_of,
    places,
    some_targets,
)
from scenthound.learn.viterbi import Steps, best_path
from scenthound.model import Lessons, Link, Page, Ranked, Topic, Visit
from scenthound.protocols import Idf

REMEMBERED = 50_000
"""Anchors and URLs whose scores are remembered, 5 MB or so for each."""

Floats = npt.NDArray[np.float64]
Read = Callable[[str], Part]

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

    def reader(self, topic: Topic, idf: Idf, called: Called = by_name) -> Reader:
        return Reader(topic, idf, self.targets, self.description, self.features, called)

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
        lectern = Lectern(lessons, self.reader(topic, idf), [])
        pages: list[int] = []
        told: list[int] = []
        for way in sorted(set(map(tuple, ways(lessons)))):
            around = zip((-1, *way[:-1]), way, (*way[1:], -1), strict=True)
            rows = [lectern.row(self.view, before, page, after) for before, page, after in around]
            scores = np.array([sum(self.scores(lectern.parts[part]) for part in row) for row in rows])
            steps = np.log(np.maximum(KINDS[self.kind].moves(self.weights, scores[1:]), 1e-300))
            first = np.log(KINDS[self.kind].opening(self.weights, scores[:1])[0])
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


class Settings(Struct, frozen=True):
    """How a chain is trained."""

    kind: str
    features: FeatureSet = "all"
    view: View = "target"
    variance: float = 0.03
    pairs: bool = True  # also learn every edge of the lessons, as a sequence of two pages
    iterations: int = ITERATIONS


def teach(lessons: Lessons, topic: Topic, idf: Idf, settings: Settings) -> ChainModel:
    """A model from lessons."""
    goals = [page for page, state in enumerate(lessons.states) if state == 0 and lessons.pages[page].terms]
    chosen = some_targets(goals)
    targets = [dict(lessons.pages[page].terms) for page in chosen]
    description = description_of(topic, [lessons.pages[page] for page in goals])
    lectern = Lectern(lessons, Reader(topic, idf, targets, description, settings.features), chosen)
    taught = [*ways(lessons), *(lessons.edges if settings.pairs and lessons.sequences else ())]
    data = chains(
        lectern, taught or [(page,) for page in range(len(lessons.pages))], labels(lessons), STATES, settings.view
    )
    fitted = KINDS[settings.kind].train(data, settings.variance, settings.iterations)
    return ChainModel(
        kind=settings.kind,
        view=settings.view,
        features=settings.features,
        columns=data.columns,
        weights=fitted.weights,
        targets=targets,
        description=description,
        curve=fitted.curve,
    )


class Forecast:
    """Ranks the links of a visit by what a model believes of the way so far, and hands the belief on to them."""

    def __init__(self, model: ChainModel, topic: Topic, idf: Idf, best: bool = False, discount: float = 0.0) -> None:
        self.model, self.best, self.discount = model, best, discount
        self.reader = reader = model.reader(topic, idf, by_row(model.columns))
        self._weights: Floats = np.vstack([model.weights.features, np.zeros(STATES)])  # the last row: of the unknown
        self._steps = Steps(model.weights.transitions, each=model.kind == "memm", best=best)
        if model.view == "target":
            near: Read = lambda text: reader.of_anchor(text, "near ")  # noqa: E731
            self._scores = Remembered(self._weights, reader.of_anchor, reader.of_url, near, reader.of_place)
        else:
            self._scores = Remembered(self._weights, lambda text: reader.of_anchor(text, "child "))

    def beliefs(self, visit: Visit) -> Floats:
        """A row for each link: of the state of its target, or, with the view `page`, of this page seen with it."""
        before = belief.unpacked(visit.memory, STATES)
        page = self.reader.of_page(visit.page)
        if self.model.view == "target":
            before = self._begin(visit.link) if before is None else before
            return self._steps(before, self._scores(page, *self._texts(visit.page)))
        page |= self.reader.of_link(visit.link)
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
        found: Floats = KINDS[self.model.kind].opening(self.model.weights, scores)
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


class Remembered:
    """Texts of several kinds -> score of each state, worked out once; forgotten as a whole when full.

    All that is new on a page is scored in one go, whatever its kind: a call of NumPy costs more than a dozen rows.
    """

    def __init__(self, weights: Floats, *read: Read) -> None:
        """`weights`: of features by their rows, the last one all 0."""
        self._weights, self._none = weights, len(weights) - 1
        self._known = [Numbered(each, self._add) for each in read]
        self._table: Floats = np.zeros((1024, weights.shape[1]))
        self._scored = self._count = 0
        self._rows: list[int] = []  # of all features of what is new, one after the other
        self._values: list[float] = []
        self._starts: list[int] = []

    def __call__(self, page: Part, *kinds: Sequence[str]) -> Floats:
        """For each link what its page and its texts, one of every kind, add up to."""
        number = len(kinds[0])
        if self._count + 1 + number * len(kinds) > REMEMBERED:
            self._scored = self._count = 0
            for known in self._known:
                known.clear()
        wanted = [self._add(page)] * number
        for texts, known in zip(kinds, self._known, strict=True):
            wanted += map(known.__getitem__, texts)
        self._score()
        found: Floats = self._table.take(wanted, axis=0).reshape(1 + len(kinds), number, STATES).sum(axis=0)
        return found

    def of(self, part: Part) -> Floats:
        """What one part adds to the score of each state; not remembered."""
        added: Floats = np.array([*part.values(), 0.0]) @ self._weights[[*part, self._none]]
        return added

    def _add(self, part: Part) -> int:
        """The place in the table that what is new will have."""
        self._starts.append(len(self._rows))
        self._rows.append(self._none)  # so that a part without features has a row, too
        self._values.append(0.0)
        self._rows += part
        self._values += part.values()
        self._count += 1
        return self._count - 1

    def _score(self) -> None:
        while len(self._table) < self._count:
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        weighed = self._weights[self._rows] * np.array(self._values)[:, None]
        np.add.reduceat(weighed, self._starts, axis=0, out=self._table[self._scored : self._count])
        self._scored = self._count
        self._rows, self._values, self._starts = [], [], []


class Numbered(dict[str, int]):
    """Texts of one kind -> their places in a table; a new one is read, and handed on to be given a place."""

    def __init__(self, read: Read, add: Callable[[Part], int]) -> None:
        super().__init__()
        self._read, self._add = read, add

    def __missing__(self, text: str) -> int:
        place = self[text] = self._add(self._read(text))
        return place

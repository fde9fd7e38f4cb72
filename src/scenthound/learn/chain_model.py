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
    PLACES,
    FeatureSet,
    Part,
    Reader,
    description_of,
    place,
    some_targets,
    surroundings,
)
from scenthound.learn.viterbi import advance, best_path
from scenthound.model import Lessons, Link, Ranked, Topic, Visit
from scenthound.protocols import Idf

REMEMBERED = 50_000
"""Anchors and URLs whose scores are remembered, 5 MB or so for each."""

Floats = npt.NDArray[np.float64]
Moves = Callable[[Weights, Floats], Floats]

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

    def reader(self, topic: Topic, idf: Idf) -> Reader:
        return Reader(topic, idf, self.targets, self.description, self.features)

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

    def __init__(self, model: ChainModel, topic: Topic, idf: Idf, best: bool = False) -> None:
        self.model, self.reader, self.best = model, model.reader(topic, idf), best
        self._moves: Moves = KINDS[model.kind].moves
        self._opening: Moves = KINDS[model.kind].opening
        reader = self.reader
        if model.view == "target":
            near: Callable[[str], Part] = lambda text: reader.of_anchor(text, "near ")  # noqa: E731
            self._scores = Remembered(model, reader.of_anchor, reader.of_url, near)
        else:
            self._scores = Remembered(model, lambda text: reader.of_anchor(text, "child "))
        self._places = np.array([model.scores({shape: 1.0}) for shape in PLACES])

    def beliefs(self, visit: Visit) -> Floats:
        """A row for each link: of the state of its target, or, with the view `page`, of this page seen with it."""
        before = belief.unpacked(visit.memory, STATES)
        page = self.model.scores(self.reader.of_page(visit.page))
        if self.model.view == "target":
            if before is None:
                before = self._begin(visit.link)
            return advance(before, self._moves(self.model.weights, page + self._of_links(visit)), self.best)
        page = page + self.model.scores(self.reader.of_link(visit.link))
        scores = page + self._scores([link.anchor or link.title for link in visit.page.links])[0]
        if before is None:
            return self._opening(self.model.weights, scores)
        return advance(before, self._moves(self.model.weights, scores), self.best)

    def rank(self, visit: Visit) -> list[Ranked]:
        links = visit.page.links
        if not links:
            return []
        beliefs = self.beliefs(visit)
        told = zip(links, belief.priorities(beliefs).tolist(), belief.packed(beliefs), strict=True)
        return [Ranked(link, priority, memory) for link, priority, memory in told]

    def _begin(self, link: Link) -> Floats:
        """A page nothing is remembered of: a seed, or one that another strategy ranked."""
        seed = Link(link.url)
        first: Floats = self._opening(self.model.weights, self.model.scores(self.reader.of_link(seed))[None, :])[0]
        return first

    def _of_links(self, visit: Visit) -> Floats:
        """What each link adds to the scores of the page it stands on."""
        page, links = visit.page, visit.page.links
        if not self.reader.others:
            return np.zeros((len(links), STATES))
        folder, host = surroundings(page.url)
        addresses = [link.url for link in links]
        said = [link.anchor or link.title for link in links]
        anchors, of_urls, near = self._scores(said, addresses, [block.heading for block in page.blocks] or [""])
        headings = [link.block if link.block < len(near) else 0 for link in links]
        places = self._places[[place(url, folder, host) for url in addresses]]
        scores: Floats = anchors + near[headings] + of_urls + places
        return scores


class Remembered:
    """Texts of several kinds -> score of each state, worked out once; forgotten as a whole when full.

    All that is new on a page is scored in one go, whatever its kind: a call of NumPy costs more than a dozen rows.
    """

    def __init__(self, model: ChainModel, *read: Callable[[str], Part]) -> None:
        self._read, self._columns, self._weights = read, model.columns, model.weights.features
        self._known: tuple[dict[str, int], ...] = tuple({} for _ in read)
        self._count = 0
        self._table: Floats = np.zeros((1024, STATES))

    def __call__(self, *kinds: Sequence[str]) -> list[Floats]:
        """For each kind of text, a row for each text."""
        if self._count + sum(map(len, kinds)) > REMEMBERED:
            self._count = 0
            for known in self._known:
                known.clear()
        new: list[Part] = []
        for texts, known, read in zip(kinds, self._known, self._read, strict=True):
            for text in texts:
                if text not in known:
                    known[text] = self._count + len(new)
                    new.append(read(text))
        if new:
            self._add(new)
        return [self._table[[known[text] for text in texts]] for texts, known in zip(kinds, self._known, strict=True)]

    def _add(self, parts: Sequence[Part]) -> None:
        column, first = self._columns, self._count
        columns: list[int] = []
        values: list[float] = []
        ends = [0]
        for part in parts:
            for name, value in part.items():
                if name in column:
                    columns.append(column[name])
                    values.append(value)
            ends.append(len(columns))
        self._count = first + len(parts)
        while len(self._table) < self._count:
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        sums = np.zeros((len(columns) + 1, STATES))
        np.cumsum(self._weights[columns] * np.array(values)[:, None], axis=0, out=sums[1:])
        reached = sums[ends]
        self._table[first : self._count] = reached[1:] - reached[:-1]

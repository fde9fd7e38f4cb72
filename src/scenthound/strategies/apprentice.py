from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache
from scenthound.learn.chains.labels import lessons_of
from scenthound.learn.links.link_features import LinkFeatures
from scenthound.learn.links.online import OnlineLogistic
from scenthound.learn.links.row_lesson import RowLesson, row_lesson
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.learn.snapshot_arrays import column, keys_of, refill
from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.urls import fingerprint

BEFORE_LEARNING = (-2.0, 2.0, 2.0, 1.0)
"""Weights of bias, page, anchor and context to begin with: best-first, until experience says otherwise."""

PARENTS = 100_000
"""Pages whose relevance is kept for rescoring their links, about 12 MB."""


@strategy("apprentice")
@dataclass
class Apprentice:
    """A second classifier, on links, taught by what their targets turned out to be (Batsakis 2.5).

    Believes that the judge, who sees pages, can teach an apprentice, who sees only links, what a good link looks like
    on this part of the web: which words around it, which words in its URL, on how good a page.

        priority = p(link) = 1 / (1 + exp(-w . x(link)))
        after each page:     w moves against (p(link) - relevance) * x(link), at its own rate for each feature

    | symbol | meaning, parameter |
    |---|---|
    | x | bias; relevance of the page; cosine of anchor and of context with the query; words of anchor, context, URL |
    | w | weights: an array of 2^`bits` numbers into which the words are hashed; it never grows |
    | rate | `rate`: how far one lesson moves them (AdaGrad) |

    The target is the relevance itself rather than yes or no, so p is the relevance expected, whatever the threshold.
    Before the first lesson the weights are those of best-first, or what links among training pages taught
    (`scenthound train FOLDER --model apprentice`). A link that brings no page teaches only the words of
    its URL: it says that the place is dead, not that its name is off the topic. Every `rescore_every` pages the links
    that wait are judged anew.

    Of Chakrabarti, Punera and Subramanyam (2002) this keeps the two roles, the features around the link and the
    learning during the crawl; naive Bayes became logistic regression, because the features overlap, and the distance
    of words from the link became two kinds, inside the anchor and around it.

    Source: Batsakis 2.5, on Chakrabarti, Punera, Subramanyam, "Accelerated focused crawling through online relevance
    feedback" (2002).
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    rate: float = 0.3
    bits: int = 18
    rescore_every: int = 50

    taught_: npt.NDArray[np.float64] | None = field(init=False, repr=False, default=None)  # weights, sums of squares
    features_: LinkFeatures = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    model_: OnlineLogistic = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    # relevance of pages, to rescore their links; how many there were, and their mean
    relevance_: BoundedCache[int, float] = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    pages_: int = field(init=False, repr=False, default=0, metadata=MADE_IN_BEGIN)
    mean_: float = field(init=False, repr=False, default=0.0, metadata=MADE_IN_BEGIN)
    learned_: RowLesson | None = field(init=False, repr=False, default=None, metadata=MADE_IN_BEGIN)  # last

    can_do_without: ClassVar[bool] = True  # lessons, that is: it learns from examples and as it goes

    def __post_init__(self) -> None:
        if not 0.0 < self.rate <= 10.0:
            raise ValueError("rate must be above 0, and 10 at most")
        if not 8 <= self.bits <= 26:
            raise ValueError("bits must be between 8 and 26: 2^bits numbers are kept")
        if self.rescore_every < 1:
            raise ValueError("rescore_every must be at least 1")

    def train(self, context: Context) -> None:
        """One lesson for each link among the pages of the lessons; a target is relevant, any other page is not."""
        lessons = lessons_of(context, "apprentice")
        self.taught_ = None
        self.begin(context)
        shown = [{link.url: link for link in reversed(page.links)} for page in lessons.pages]
        for source, target in lessons.edges:
            if (link := shown[source].get(lessons.pages[target].url)) is not None:
                row = self.features_.rows([link], [float(lessons.states[source] == 0)])
                self.model_.learn(row, float(lessons.states[target] == 0))
        self.taught_ = np.stack([self.model_.weights, self.model_.squares])

    def begin(self, context: Context) -> None:
        self.features_ = LinkFeatures(context.topic, context.idf, 2**self.bits)
        self.model_ = OnlineLogistic(2**self.bits, self.rate)
        self.model_.weights[: len(BEFORE_LEARNING)] = BEFORE_LEARNING
        if self.taught_ is not None:
            self.model_.weights, self.model_.squares = self.taught_.copy()
        self.relevance_ = BoundedCache(PARENTS)
        self.pages_, self.mean_, self.learned_ = 0, 0.0, None

    def retopic(self, context: Context) -> None:
        """Anchors and contexts are compared with the new keywords; what was learned of words stays."""
        self.features_ = LinkFeatures(context.topic, context.idf, 2**self.bits)

    def learn(self, visit: Visit) -> None:
        row = None
        if visit.link.kind != "seed":  # a seed was not found on a page: there is nothing to learn about links
            parent = _unpacked(visit.memory)
            row = self.features_.rows([visit.link], [self._of_parent(visit.link) if parent is None else parent])
        self._learn(RowLesson(row, visit.relevance, page=fingerprint(visit.page.url)))

    def missed(self, link: Link) -> None:
        row = self.features_.rows([link], [self._of_parent(link)])
        self._learn(RowLesson(row, 0.0, among=np.array(self.features_.of_url(link.url), dtype=np.intp)))

    def _learn(self, lesson: RowLesson) -> None:
        if lesson.row is not None:
            self.model_.learn(lesson.row, lesson.outcome, among=lesson.among)
        if lesson.page is not None:
            self.relevance_.put(lesson.page, lesson.outcome)
            self.pages_ += 1
            self.mean_ += (lesson.outcome - self.mean_) / self.pages_
        self.learned_ = lesson

    def experience(self) -> Snapshot | None:
        lesson, self.learned_ = self.learned_, None
        return lesson.packed() if lesson is not None else None

    def take_experience(self, experience: Snapshot, teller: str) -> None:
        self._learn(row_lesson(experience))
        self.learned_ = None  # it is another's

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links, memory = visit.page.links, _packed(visit.relevance)
        expected = self.model_(self.features_.rows(links, [visit.relevance] * len(links)))
        return [Ranked(link, priority, memory) for link, priority in zip(links, expected.tolist(), strict=True)]

    def rescore(self, links: Sequence[Link]) -> list[float]:
        expected: list[float] = self.model_(self.features_.rows(links, list(map(self._of_parent, links)))).tolist()
        return expected

    def snapshot(self) -> Snapshot:
        parents = self.relevance_
        arrays = {
            "weights": self.model_.weights.copy(),
            "squares": self.model_.squares.copy(),
            "parents": keys_of(parents),
            "relevances": column(parents.entries.values(), len(parents)),
        }
        return Snapshot(1, {"pages": self.pages_, "mean": self.mean_}, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        self.model_.weights, self.model_.squares = arrays["weights"].copy(), arrays["squares"].copy()
        refill(self.relevance_, arrays["parents"], arrays["relevances"].tolist())
        self.pages_, self.mean_ = values["pages"], values["mean"]

    def _of_parent(self, link: Link) -> float:
        """The relevance of the page a link is on; that of the ordinary page where it is long forgotten."""
        relevance = self.relevance_.get(fingerprint(link.source))
        return self.mean_ if relevance is None else relevance


def _packed(relevance: float) -> bytes:
    return struct.pack("<f", relevance)


def _unpacked(memory: bytes | None) -> float | None:
    """What `_packed` packed; None if it was something else, by another strategy or an older version."""
    if memory is None or len(memory) != 4:
        return None
    relevance: float = struct.unpack("<f", memory)[0]
    return relevance if 0.0 <= relevance <= 1.0 else None

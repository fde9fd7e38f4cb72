from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache
from scenthound.learn.chains.hmm_model import centre
from scenthound.learn.chains.labels import labels, lessons_of, untrained
from scenthound.learn.chains.layer_bayes import LayerBayes, train
from scenthound.learn.links.genetic import TrialWeb, breed
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.learn.snapshot_arrays import column, keys_of, refill
from scenthound.model import Lessons, Link, MergeRule, Page, Ranked, Visit
from scenthound.protocols.crawl import Context, Idf, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.text.vectors import cosine, weigh
from scenthound.urls import fingerprint

REMEMBERED = 100_000
"""Waiting links whose score and order are kept for a change of mode, about 20 MB."""

Floats = npt.NDArray[np.float64]


@strategy("genetic-hybrid")
@dataclass
class GeneticHybrid:
    """Two crawlers in turn: one bred on the training graph, one that goes breadth first (Batsakis 2.5, last paragraph).

    Believes that what leads to targets can be bred, and that breeding gets stuck where it has been good: now and then
    one should look around without an opinion.

        score    = g_1 cosine(page, c_r) + g_2 cosine(anchor, c_r) + g_3 P(near | words of link) + g_4 [same host]
        priority = score                        for `phase` pages at a time
                 = -(how many links were found before)      in every `breadth_every`-th of these phases

    | symbol | meaning, parameter |
    |---|---|
    | g | weights of the fittest individual after 12 generations of 16; fitness is the recall area of trial crawls |
    | c_r | centroid of the relevant training pages, tf-idf |
    | near | the link leads to a page at most one hop from a target; naive Bayes on anchor and URL |
    | `phase` | pages between two changes of mode; the links that wait are ranked anew at each |
    | `breadth_every` | each so-manieth phase is breadth first; 0 = never |

    At a change of mode the best 1,000 waiting links are ranked anew (the engine's limit); others keep their place.

    Must be trained, on a graph: `scenthound train FOLDER --model genetic-hybrid`. Source: Batsakis 2.5.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    phase: int = 10
    breadth_every: int = 4

    genes_: Floats = field(init=False, repr=False)
    curve_: tuple[float, ...] = field(init=False, repr=False)
    centroid_: dict[str, float] = field(init=False, repr=False)
    near_: LayerBayes = field(init=False, repr=False)
    idf_: Idf = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    analyzer_: Analyzer = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    pages_: int = field(init=False, repr=False, default=0, metadata=MADE_IN_BEGIN)
    found_: int = field(init=False, repr=False, default=0, metadata=MADE_IN_BEGIN)
    waiting_: BoundedCache[int, tuple[float, int]] = field(
        init=False, repr=False, metadata=MADE_IN_BEGIN
    )  # score, order

    def __post_init__(self) -> None:
        if self.phase < 1:
            raise ValueError("phase must be at least 1")
        if self.breadth_every < 0:
            raise ValueError("breadth_every must not be negative")

    @property
    def rescore_every(self) -> int:
        return self.phase

    @property
    def merge(self) -> MergeRule:
        return "max"

    def train(self, context: Context) -> None:
        lessons = lessons_of(context, "genetic-hybrid")
        self._know(context)
        self.centroid_ = centre(lessons.targets, context.idf)
        states = labels(lessons)
        links = _links(lessons)
        near = [int(states[target] <= 1) for _, target, _ in links]
        self.near_ = train([self._words(link) for _, _, link in links], near, 2)
        features = self._of_edges(lessons, links)
        edges = [(source, target) for source, target, _ in links]
        web = TrialWeb(len(lessons.pages), edges, features, np.flatnonzero(states == 0).tolist())
        starts = sorted({source for source, _ in edges}) or [0]
        self.genes_, self.curve_ = breed(web, starts, np.random.default_rng(context.random.getrandbits(64)))

    def begin(self, context: Context) -> None:
        if not hasattr(self, "genes_"):
            raise untrained("genetic-hybrid")
        self._know(context)
        self.pages_ = self.found_ = 0
        self.waiting_ = BoundedCache(REMEMBERED)

    @property
    def training_curve(self) -> tuple[float, ...]:
        return self.curve_

    def learn(self, visit: Visit) -> None:
        self.pages_ += 1
        waiting = self.waiting_.entries
        for link, score in zip(visit.page.links, self._scores(visit.page, visit.page.links), strict=True):
            self.found_ += 1
            waiting[number := fingerprint(link.url)] = score, self.found_
            waiting.move_to_end(number)
        self.waiting_.forget()

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links, known = visit.page.links, self.waiting_.entries
        numbers = [fingerprint(link.url) for link in links]
        if not all(number in known for number in numbers):  # a feed: links without a page
            scores = self._scores(visit.page, links)
            return [
                Ranked(link, self._priority((score, self.found_))) for link, score in zip(links, scores, strict=True)
            ]
        return [Ranked(link, self._priority(known[number])) for link, number in zip(links, numbers, strict=True)]

    def rescore(self, links: Sequence[Link]) -> list[float]:
        return [self._priority(self.waiting_.get(fingerprint(link.url)) or (0.0, 0)) for link in links]

    def snapshot(self) -> Snapshot:
        waiting, size = self.waiting_.entries.values(), len(self.waiting_)
        arrays = {
            "links": keys_of(self.waiting_),
            "scores": column((score for score, _ in waiting), size),
            "orders": column((order for _, order in waiting), size, np.int64),
        }
        return Snapshot(1, {"pages": self.pages_, "found": self.found_}, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        refill(self.waiting_, arrays["links"], zip(arrays["scores"].tolist(), arrays["orders"].tolist(), strict=True))
        self.pages_, self.found_ = values["pages"], values["found"]

    def _priority(self, known: tuple[float, int]) -> float:
        score, order = known
        return -float(order) if self._breadth_first() else score

    def _scores(self, page: Page, links: Sequence[Link]) -> list[float]:
        scores: list[float] = (self._rows(page, links) @ self.genes_).tolist()
        return scores

    def _breadth_first(self) -> bool:
        return bool(self.breadth_every) and (self.pages_ // self.phase) % self.breadth_every == self.breadth_every - 1

    def _know(self, context: Context) -> None:
        self.idf_, self.analyzer_ = context.idf, analyzer(context.topic.language)

    def _of_edges(self, lessons: Lessons, links: Sequence[tuple[int, int, Link]]) -> Floats:
        rows = np.zeros((len(links), 4))
        by_page: dict[int, list[int]] = {}
        for number, (source, _, _) in enumerate(links):
            by_page.setdefault(source, []).append(number)
        for source, numbers in by_page.items():
            rows[numbers] = self._rows(lessons.pages[source], [links[number][2] for number in numbers])
        return rows

    def _rows(self, page: Page, links: Sequence[Link]) -> Floats:
        """The four features of each link."""
        likeness = self._likeness(page.terms)
        host = page.url.split("/", 3)[:3]
        rows = [
            (
                likeness,
                self._likeness(self.analyzer_.counts(link.anchor or link.title)),
                float(self.near_.posterior(self._words(link))[-1]),
                float(link.url.split("/", 3)[:3] == host),
            )
            for link in links
        ]
        return np.array(rows).reshape(len(links), 4)

    def _likeness(self, terms: Mapping[str, int]) -> float:
        return cosine(weigh(terms, self.idf_), self.centroid_) if terms else 0.0

    def _words(self, link: Link) -> Counter[str]:
        words = Counter("anchor " + term for term in self.analyzer_.terms(link.anchor or link.title))
        words.update("url " + term for term in self.analyzer_.terms(link.url.partition("//")[2].partition("/")[2]))
        return words


def _links(lessons: Lessons) -> list[tuple[int, int, Link]]:
    """Every edge with the link that makes it; one without words where no link shows that very URL."""
    shown = [{link.url: link for link in reversed(page.links)} for page in lessons.pages]
    return [
        (source, target, shown[source].get(url) or Link(url, lessons.pages[source].url))
        for source, target in lessons.edges
        if (url := lessons.pages[target].url)
    ]

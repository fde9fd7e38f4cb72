from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from scenthound.errors import ConfigError
from scenthound.learn.chains.labels import lessons_of
from scenthound.learn.model_file import MADE_IN_BEGIN
from scenthound.learn.pages.calibration import Calibrated, Train, calibrated
from scenthound.learn.pages.naive_bayes import Terms
from scenthound.learn.pages.page_models import KINDS, Kind, trainer
from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.analysis import analyzer
from scenthound.text.background import background

BACKGROUND_PAGES = 20
BACKGROUND_WORDS = 300
FIRST_LESSON = 10
"""Pages visited before they stand in for counterexamples; trained anew whenever their number has doubled."""


@strategy("classifier")
@dataclass
class Classifier:
    """The links of a page go by the probability that the page is relevant, says a classifier (Batsakis 2.5).

    Believes that relevant pages link to relevant pages, and that examples teach to tell them from others.

        priority = P(relevant | page) = 1 / (1 + exp(-(slope * score(page) + offset)))

    | symbol | meaning, parameter |
    |---|---|
    | score | of the classifier `model`: `bayes` (naive Bayes), `svm` (linear SVM), `net` (neural), `tree` (decision) |
    | slope, offset | fitted to the training pages, each scored by a classifier that has not seen it (Platt) |
    | visited | `visited`: how many visited pages are used at most, where there are no counterexamples |

    Trained once, on the topic's examples and counterexamples. Without counterexamples it begins with pages of random
    words as frequent as they are in the language at large, and replaces them by what it meets: after 10, 20, 40 ...
    pages, up to `visited`, the less relevant half of them is what the examples are told from. (Not: all below the
    threshold. A threshold may be set too high, and would turn the topic's own pages into counterexamples.)

    Where there are lessons (`scenthound train FOLDER --model classifier`) their targets join the examples, and their
    other pages the counterexamples.

    All but `bayes` need the extra `learn` (scikit-learn) for training; the crawl itself does without.

    Source: Batsakis 2.5, on Chakrabarti, van den Berg, Dom (1999) and Pant, Srinivasan (2005).
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    model: Kind = "bayes"
    visited: int = 160

    taught_: tuple[list[dict[str, int]], list[dict[str, int]]] | None = field(init=False, repr=False, default=None)
    relevant_: list[Terms] = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    # relevance and terms of pages visited
    pool_: list[tuple[float, Terms]] | None = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    train_: Train = field(init=False, repr=False, metadata=MADE_IN_BEGIN)
    probability_: Calibrated | None = field(init=False, repr=False, metadata=MADE_IN_BEGIN)

    can_do_without: ClassVar[bool] = True  # lessons, that is: it learns from examples and as it goes

    def __post_init__(self) -> None:
        if self.model not in KINDS:
            raise ValueError(f"model is one of {', '.join(KINDS)}, not {self.model!r}")
        if self.visited < 0:
            raise ValueError("visited must not be negative")

    def train(self, context: Context) -> None:
        """Takes the pages of the lessons for examples, and those that are no targets for counterexamples."""
        lessons = lessons_of(context, "classifier")
        both = list(zip(lessons.pages, lessons.states, strict=True))
        relevant = [dict(page.terms) for page, state in both if state == 0 and page.terms]
        others = [dict(page.terms) for page, state in both if state != 0 and page.terms]
        self.taught_ = relevant, others

    def begin(self, context: Context) -> None:
        taught, taught_others = self.taught_ or ([], [])
        self.train_ = trainer(self.model, context.idf, context.random.getrandbits(31))
        self.relevant_ = [*(page.terms for page in context.examples if page.terms), *taught]
        if not self.relevant_:
            raise ConfigError(
                'The strategy "classifier" learns from example pages, and the topic has none with text. '
                'Add examples = [...] under [topic], or use strategy = "best-first".'
            )
        irrelevant: list[Terms] = [*(page.terms for page in context.counterexamples if page.terms), *taught_others]
        self.pool_ = None if irrelevant else []
        self._train(irrelevant or list(_ordinary_pages(context.topic.language, context.random)))

    def _train(self, irrelevant: Sequence[Terms]) -> None:
        self.probability_ = calibrated(self.train_, self.relevant_, irrelevant) if irrelevant else None

    def learn(self, visit: Visit) -> None:
        pool = self.pool_
        if pool is None or len(pool) >= self.visited or not visit.page.terms:
            return
        pool.append((visit.relevance, visit.page.terms))
        if len(pool) in _lessons(self.visited):
            self._train_on(pool)

    def _train_on(self, pool: Sequence[tuple[float, Terms]]) -> None:
        pool_by_relevance = sorted(pool, key=lambda page: page[0])
        self._train([terms for _, terms in pool_by_relevance[: len(pool) // 2]])

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priority = self.probability_(visit.page.terms) if self.probability_ else 0.5
        return [Ranked(link, priority) for link in visit.page.links]

    def snapshot(self) -> Snapshot:
        pool = None if self.pool_ is None else [(relevance, dict(terms)) for relevance, terms in self.pool_]
        return Snapshot(1, {"pool": pool})

    def restore(self, snapshot: Snapshot) -> None:
        """Trains once more on the pages that its last lesson was about, which comes to the same."""
        kept = snapshot.of_version(1)[0]["pool"]
        self.pool_ = None if kept is None else [(relevance, terms) for relevance, terms in kept]
        taught = [lesson for lesson in _lessons(self.visited) if lesson <= len(kept or ())]
        if self.pool_ is not None and taught:
            self._train_on(self.pool_[: taught[-1]])


def _lessons(most: int) -> Iterator[int]:
    lesson = FIRST_LESSON
    while lesson <= most:
        yield lesson
        lesson *= 2


def _ordinary_pages(language: str, random: Random) -> Iterator[Terms]:
    """Pages about nothing: words drawn as often as the language has them. None for a language nothing is known of."""
    table = background(language)
    if table is None:
        return
    terms, shares = list(table.frequency), list(table.frequency.values())
    counts = analyzer(language).counts
    for _ in range(BACKGROUND_PAGES):
        yield counts(" ".join(random.choices(terms, shares, k=BACKGROUND_WORDS)))

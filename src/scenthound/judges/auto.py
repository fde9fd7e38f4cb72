from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from msgspec.structs import replace

from scenthound.errors import ConfigError
from scenthound.judges.threshold import EVEN
from scenthound.learn.relevance import page_faults
from scenthound.learn.relevance.imagined_pages import PARTS, imagined
from scenthound.learn.relevance.kernel_logistic import Floats
from scenthound.learn.relevance.keyword_evidence import PLAINLY, KeywordEvidence
from scenthound.learn.relevance.known_pages import known_pages
from scenthound.learn.relevance.page_rows import PageRow, page_row
from scenthound.learn.relevance.page_sample import PageSample
from scenthound.learn.relevance.relevance_model import RelevanceModel, fitted, position_of, probability
from scenthound.learn.relevance.row_arrays import model_back, model_kept, rows_back, rows_kept
from scenthound.learn.relevance.telling_words import telling_words
from scenthound.learn.relevance.word_places import Hashes
from scenthound.model import Page
from scenthound.protocols.crawl import Context
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import judge
from scenthound.text.nearest import Nearest

FIRST_FIT = 16
"""Pages seen before what is ordinary here is believed; it is worked out anew whenever they have doubled."""

MOST_VOUCHED = 200
"""Examples and labelled pages of each kind that it learns from, the latest ones: more cost time and teach little."""

MOST_TAUGHT = 300
"""Pages of lessons besides, of each kind, from all over them: those of one kind or one site may stand together."""

FAULTY = 0.2
"""What is left of the probability of a page with a fault, such as one stuffed with words."""

SNAPSHOT = 1
"""The version of its snapshots: to be raised whenever pages or weights come to mean something else."""

LIKE = 0.3
"""The cosine of two pages of one topic, where there are no two examples to measure it on."""


@judge("auto")
@dataclass
class Auto:
    """The probability that a page is relevant, from whatever is known of the topic; 0.5 is as likely as not.

    It begins with the keywords: how much of them a page says, where, and how far that is from what an ordinary page
    of this web says. Pages that say most of them teach it which other words, addresses and forms go with the topic.
    Example pages, counterexamples and labels teach it more, and weigh more. It learns anew whenever the number of pages
    seen has doubled, from a bounded sample of them.
    """

    threshold: ClassVar[float] = EVEN
    page_reader: ClassVar[str] = "scenthound.learn.relevance.page_words:read"

    version_: int = field(init=False, default=0)  # how often there was something to learn
    due_: bool = field(init=False, default=False, repr=False)  # it learns before its next word, and not for nothing
    language_: str = field(init=False, default="en", repr=False)
    evidence_: KeywordEvidence = field(init=False, repr=False)
    relevant_: list[PageRow] = field(init=False, repr=False)
    irrelevant_: list[PageRow] = field(init=False, repr=False)
    labels_: frozenset[str] = field(init=False, repr=False, default=frozenset())
    nearest_: Nearest = field(init=False, repr=False)
    sample_: PageSample | None = field(init=False, repr=False, default=None)
    model_: RelevanceModel | None = field(init=False, repr=False, default=None)
    last_: tuple[Page, PageRow] | None = field(init=False, repr=False, default=None)
    learned_: tuple[PageRow, bool] | None = field(init=False, repr=False, default=None)  # and whether it is kept

    def begin(self, context: Context) -> None:
        """May come again, with another topic or other examples: what was seen is kept."""
        self.language_ = context.topic.language
        self.evidence_ = KeywordEvidence(context.topic, context.idf)
        taught, untaught = _of_lessons(context)
        self.relevant_ = self._rows((*taught, *context.examples[-MOST_VOUCHED:]))
        self.irrelevant_ = self._rows((*untaught, *context.counterexamples[-MOST_VOUCHED:]))
        if not self.evidence_ and not self.relevant_:
            raise ConfigError(
                "No keyword of the topic says anything, and no example page has text. Add keywords under [topic], "
                "such as the words you would type into a search engine, or examples."
            )
        self.labels_ = frozenset(context.labels)
        self.nearest_ = Nearest([page.terms for page in context.examples], context.idf)
        if self.sample_ is None:
            self.sample_ = PageSample(self.evidence_)
        else:
            self.sample_.rank_again(self.evidence_)
        self._has_news()

    def retopic(self, context: Context) -> None:
        """Goes by the new words at once, and by what pages taught until it begins anew, which takes a while."""
        self.evidence_ = KeywordEvidence(context.topic, context.idf)
        if self.model_ is not None:
            self.model_ = replace(self.model_, evidence=self.evidence_)
        self.version_ += 1

    @staticmethod
    def position(relevance: float) -> float:
        return position_of(relevance)

    def saw(self, page: Page) -> None:
        row = self._row(page)
        self.learned_ = row, self._saw(row)

    def _saw(self, row: PageRow | None) -> bool:
        """Whether the page stays in the sample; None: it is known that it does not."""
        assert self.sample_ is not None, "begin comes first"
        kept = self.sample_.add(row)
        seen = self.sample_.seen
        if seen >= FIRST_FIT and seen & (seen - 1) == 0:
            self._has_news()
        return kept

    def experience(self) -> Snapshot | None:
        """A page that did not come into the sample of its own worker does not come into that of all, and only counts:
        most of a long crawl are such."""
        (row, kept), self.learned_ = self.learned_ or (None, False), None
        if row is None:
            return None
        urls, arrays = rows_kept([row], "row") if kept else ([], {})
        return Snapshot(SNAPSHOT, {"row": urls}, arrays)

    def take_experience(self, experience: Snapshot, teller: str) -> None:
        values, arrays = experience.of_version(SNAPSHOT)
        rows = rows_back(values["row"], arrays, "row") if values["row"] else [None]
        self._learn_if_due()  # as one does who judges the page before it is shown to it
        self._saw(rows[0])

    def __call__(self, page: Page) -> float:
        if not page.terms:
            return 0.0
        self._learn_if_due()
        row = self._row(page)
        likely = self.model_(row) if self.model_ is not None else self._at_first(page, row)
        return likely * FAULTY if page_faults.faults(page, row, self.language_) else likely

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        """What speaks most for the page, and against it, in units of log odds; the sum over all is what it has."""
        self._learn_if_due()
        words = telling_words(page, self._row(page), self.language_, self.evidence_, self.model_)
        return sorted(words, key=lambda word: (-abs(word[1]), word[0]))[:n]

    def snapshot(self) -> Snapshot:
        assert self.sample_ is not None, "begin comes first"
        fair, best = self.sample_.kept()
        fair_urls, fair_rows = rows_kept(fair, "fair")
        best_urls, best_rows = rows_kept(best, "best")
        model, weights = model_kept(self.model_) if self.model_ is not None else (None, {})
        values = {"version": self.version_, "due": self.due_, "seen": self.sample_.seen, "model": model}
        return Snapshot(SNAPSHOT, {**values, "fair": fair_urls, "best": best_urls}, fair_rows | best_rows | weights)

    def restore(self, snapshot: Snapshot) -> None:
        assert self.sample_ is not None, "begin comes first"
        values, arrays = snapshot.of_version(SNAPSHOT)
        fair, best = rows_back(values["fair"], arrays, "fair"), rows_back(values["best"], arrays, "best")
        self.model_ = model_back(values["model"], arrays, self.evidence_) if values["model"] is not None else None
        self.sample_.take_back(values["seen"], fair, best)
        self.version_, self.due_ = values["version"], values["due"]

    def imagine(self, words: Hashes) -> Floats:
        self._learn_if_due()
        return np.zeros((len(words), PARTS)) if self.model_ is None else imagined(self.model_, words)

    def _has_news(self) -> None:
        self.due_ = True
        self.version_ += 1

    def _learn_if_due(self) -> None:
        if self.due_:
            self.due_ = False
            self._learn()

    def _learn(self) -> None:
        assert self.sample_ is not None
        seen = self.sample_.rows() if self.sample_.seen >= FIRST_FIT else []
        known, vouched = known_pages(self.relevant_, self.irrelevant_, seen, self.evidence_, self.labels_)
        self.model_ = None  # first: it takes 7 MB, which the next one can have
        self.model_ = fitted(known, seen, self.evidence_, vouched)

    def _at_first(self, page: Page, row: PageRow) -> float:
        """Before anything is known but the keywords, or a few pages that are alike: whichever says more."""
        said = self.evidence_(row) / PLAINLY
        return probability(max(said, self.nearest_.similarity(page.terms) / LIKE))

    def _rows(self, pages: Iterable[Page]) -> list[PageRow]:
        return [page_row(page, self.language_) for page in pages if page.terms]

    def _row(self, page: Page) -> PageRow:
        """Made once for the page that is judged, shown and explained."""
        if self.last_ is None or self.last_[0] is not page:
            self.last_ = (page, page_row(page, self.language_))
        return self.last_[1]


def _of_lessons(context: Context) -> tuple[list[Page], list[Page]]:
    """What a strategy is trained with teaches the judge, too: targets, and the other pages."""
    if (lessons := context.lessons) is None:
        return [], []
    states = list(zip(lessons.pages, lessons.states, strict=True))
    targets, others = ([page for page, state in states if (state == 0) is wanted] for wanted in (True, False))
    return _spread(targets), _spread(others)


def _spread(pages: Sequence[Page]) -> list[Page]:
    """At most `MOST_TAUGHT` of them, at even distances."""
    number = min(len(pages), MOST_TAUGHT)
    return [pages[place * len(pages) // number] for place in range(number)]

"""What a judge gains when a person answers its questions: the person is simulated, the answers are the truth.

From what was given, one question after the other is chosen as `judges/questions.py` does for people, and after each
answer the judge begins anew with one page more among its examples or counterexamples. Measured after 0, 5, 10, 20 ...
answers, on the same pages each time: those that no question was about. And on all pages, where an answer is right
whatever the judge thinks of its page: that is the collection a person has then.

To judge every page after every answer would take hours. All are judged every `REFRESH` answers, and the next questions
come from those that then had the best claim to be asked.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler import assemble
from scenthound.judges.questions import AskablePage, next_question
from scenthound.lab.measures import judgements
from scenthound.lab.measures.judgements import Scores, Truth
from scenthound.model import Page
from scenthound.protocols.crawl import Begins, Judge
from scenthound.protocols.hooks import hook

MEASURED = (0, 5, 10, 20, 50, 100, 200, 500)
"""Numbers of answers after which is measured, as far as asked for; and after the last."""

REFRESH = 5
POOL = 300
"""Of the best-looking pages, and of those closest to the threshold: from these the next questions are chosen."""


class AnswerPoint(Struct, frozen=True):
    """After so many answers, of which `yes` were yes."""

    answers: int
    yes: int
    f1: float | None  # None, as the others: no relevant page is left to be found
    precision: float | None
    recall: float | None
    average_precision: float | None
    collection_f1: float | None = None  # of all pages, those asked about as they were answered


class ExaminedJudge:
    """A judge that can be told of one more page."""

    def __init__(
        self, judge: Judge, config: Config, examples: tuple[Page, ...], others: tuple[Page, ...], threshold: float
    ) -> None:
        self.judge = judge
        self.threshold = threshold
        self._config = config
        self._examples = examples
        self._counterexamples = others
        self._answers: dict[str, bool] = {}

    @property
    def shown(self) -> dict[str, bool]:
        """What it was given as examples."""
        return {page.url: True for page in self._examples} | {page.url: False for page in self._counterexamples}

    @property
    def shown_pages(self) -> tuple[Page, ...]:
        return self._examples + self._counterexamples

    def learn(self, page: Page, relevant: bool) -> None:
        """Begins anew, with the page among those it was shown. What it saw of other pages, it keeps."""
        self._answers[page.url] = relevant
        if relevant:
            self._examples += (page,)
        else:
            self._counterexamples += (page,)
        if (beginner := hook(self.judge, Begins)) is not None:
            context = assemble.make_context(self._config, self._examples, self._counterexamples)
            beginner.begin(replace(context, labels=dict(self._answers)))


def simulate_answers(
    examined: ExaminedJudge, pages: list[Page], truth: Truth, scores: Scores, answers: int
) -> list[AnswerPoint]:
    """The curve from no answer, where `scores` hold, to `answers`, or as many as there are pages to ask about."""
    at = sorted({n for n in MEASURED if n < answers} | {answers})
    known = dict(examined.shown)
    place = {page.url: index for index, page in enumerate(pages)}
    seen = {0: scores}
    asked: list[int] = []
    now, pool = scores, _pool(scores, examined.threshold, asked)
    while len(asked) < answers:
        url = next_question(_candidates(examined, pages, now, pool), known, examined.threshold)
        if url is None:
            break
        index = place[url]
        asked.append(index)
        known[url] = bool(truth[index])
        examined.learn(pages[index], bool(truth[index]))
        if len(asked) % REFRESH == 0 or len(asked) in at:
            now = _judged(examined.judge, pages, range(len(pages)), now)
            pool = _pool(now, examined.threshold, asked)
            seen[len(asked)] = now
        else:
            now = _judged(examined.judge, pages, pool, now)
    return [_point(n, asked, truth, seen[n], examined.threshold) for n in at if n in seen]


def _pool(scores: Scores, threshold: float, asked: list[int]) -> list[int]:
    """Pages that may be asked about until all are judged again; pages asked before, for comparison."""
    best = np.argsort(-scores, kind="stable")[: POOL + len(asked)]
    doubtful = np.argsort(np.abs(scores - threshold), kind="stable")[: POOL + len(asked)]
    return sorted({*best.tolist(), *doubtful.tolist(), *asked})


def _candidates(examined: ExaminedJudge, pages: list[Page], scores: Scores, pool: list[int]) -> list[AskablePage]:
    shown = [AskablePage(page.url, 0.0, page) for page in examined.shown_pages]
    there = {page.url for page in shown}
    return shown + [
        AskablePage(pages[index].url, float(scores[index]), pages[index])
        for index in pool
        if pages[index].url not in there
    ]


def _judged(judge: Judge, pages: list[Page], which: range | list[int], before: Scores) -> Scores:
    found = before.copy()
    for index in which:
        found[index] = judge(pages[index])
    return found


def _point(answers: int, asked: list[int], truth: Truth, scores: Scores, threshold: float) -> AnswerPoint:
    left = np.ones(len(truth), dtype=bool)
    left[asked] = False
    found = judgements.figures(truth[left], scores[left], threshold)
    answered = scores.copy()
    answered[asked[:answers]] = truth[asked[:answers]]
    found["collection"] = judgements.figures(truth, answered, threshold)["f1"]
    wanted = ("f1", "precision", "recall", "average-precision", "collection")
    known = (None if math.isnan(found[name]) else found[name] for name in wanted)
    return AnswerPoint(answers, int(truth[asked[:answers]].sum()), *known)

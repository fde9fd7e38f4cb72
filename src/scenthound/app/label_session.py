"""Questions about pages, one after the other, and what each answer changes: `label --ask` and `label --by`.

    session.question() ──▶ a person or a program ──▶ session.answer(yes | no | skip), session.back()
          ▲                                                       │ stored at once, then
          └──── scores by what is known now ◀── the judge begins anew, in a thread

To begin a judge anew and to score all pages may take longer than one wants to wait for the next page. So there are
two judges alike: one whose scores are shown, and a spare one that begins anew behind the scenes; then they change
places. It rests while a question is chosen, since two threads of Python only take turns. Whoever must not see old
scores calls `settle` before the next question; whoever must not wait chooses the question after next while a person
reads (`question_after`, and `on_scores` says when to do so again).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event

from msgspec import Struct

from scenthound.app.judgement_words import WordWeight, as_words, speaking_terms
from scenthound.judges.questions import AskablePage, next_question
from scenthound.library.snippets import snippet
from scenthound.model import Label, Page
from scenthound.protocols.crawl import Judge
from scenthound.protocols.library import LabelStore

SNIPPET = 400  # characters of a page that one is asked about
WORDS = 6  # that speak for a page, and as many against it

Fit = Callable[[Judge, Mapping[str, bool]], None]
"""Begins a judge anew with what is known: URL -> relevant."""


class Question(Struct, frozen=True):
    """A page to be asked about, and what the judge makes of it."""

    number: int  # how manieth of this session
    url: str
    title: str
    snippet: str
    probability: float
    relevant: bool  # it counts, as things stand
    words: list[WordWeight]


class CountChange(Struct, frozen=True):
    """What answers did to the pages looked at."""

    before: int  # pages that counted
    now: int
    looked_at: int
    came_in: list[str]  # URLs
    went_out: list[str]


class LabelSession:
    """Asks about pages of a library, those that teach most first."""

    def __init__(
        self,
        store: LabelStore,
        pages: Mapping[str, Page],
        judges: tuple[Judge, Judge],
        fit: Fit,
        threshold: float,
        known: Iterable[str] = (),
    ) -> None:
        """`pages`: those one may ask about, and those labelled; `known`: URLs of the topic's own examples.

        `judges`: two alike, which have begun with the labels there are.
        """
        self.store = store
        self.pages = pages
        self.threshold = threshold
        self.asked: list[str] = []  # in this session, skipped ones too
        self.on_scores: Callable[[], None] = lambda: None  # hears, in a thread, that there are newer scores to take in
        self._fit = fit
        self._may_score = Event()
        self._may_score.set()
        self._judge, self._spare = judges
        self._examples: dict[str, bool | None] = dict.fromkeys(known, True)
        self._labels = self._told()
        self._scores = self._scored(self._judge)
        self._counting = self._counted()
        self._fitted_to = dict(self._labels)
        self._worker = ThreadPoolExecutor(1, "judge")
        self._job: Future[dict[str, float]] | None = None
        self._job_labels: dict[str, bool] = {}

    # Questions

    def question(self) -> Question | None:
        """The page to ask about next; None when there is none left."""
        with self.alone():
            return self._next({})

    def question_after(self, url: str, relevant: bool | None) -> Question | None:
        """The page to ask about next, were this the answer about that one."""
        with self.alone():
            return self._next({url: relevant})

    def _next(self, said: Mapping[str, bool | None]) -> Question | None:
        self._take_in()
        skipped = dict.fromkeys(url for url in self.asked if url not in self._labels)
        answers = {**self._examples, **self._labels, **skipped, **said}
        candidates = [AskablePage(url, self._scores[url], page) for url, page in self.pages.items()]
        url = next_question(candidates, answers, self.threshold)
        return None if url is None else self.question_about(url)

    def question_about(self, url: str) -> Question:
        page = self.pages[url]
        words = speaking_terms(self._judge, page, WORDS)
        shown = frozenset(term for term, part in words if part > 0)
        return Question(
            number=len(self.asked) + 1,
            url=url,
            title=page.title,
            snippet=snippet(page.text or page.description, shown, (), page.language, SNIPPET).text,
            probability=self._scores[url],
            relevant=self._counts(url),
            words=as_words(words, page),
        )

    def likes_something(self) -> bool:
        """Whether any page is known to be relevant: the first one changes what is worth asking."""
        return True in self._examples.values() or True in self._labels.values()

    # Answers

    def answer(self, url: str, relevant: bool | None, by: str = "person") -> None:
        """Stored when this returns; None: nothing is said, and the page is not asked about again in this session."""
        if relevant is not None:
            self.store.add_labels([Label(url, relevant, by)])
        self.asked.append(url)
        self._begin_anew()

    def back(self) -> str | None:
        """Takes the last answer of the session back, and says which page it was about."""
        if not self.asked:
            return None
        url = self.asked.pop()
        if url in self._told():
            self.store.add_labels([Label(url, None)])
            self._begin_anew()
        return url

    def answered(self) -> int:
        """How many pages were answered in this session, skipped ones left out."""
        return sum(url in self._labels for url in self.asked)

    # What follows from them

    def settle(self, seconds: float | None = None) -> None:
        """Waits until scores go by all that is known, or for so long."""
        self._take_in()
        while self._job is not None and wait([self._job], seconds).done:
            self._take_in()

    def change(self) -> CountChange | None:
        """What came of the answers since this was last asked, as far as it is known; None: nothing new."""
        self._take_in()
        now = self._counted()
        before, self._counting = self._counting, now
        if before == now:
            return None
        return CountChange(len(before), len(now), len(self.pages), sorted(now - before), sorted(before - now))

    def counting(self) -> int:
        """How many of the pages count, as things stand."""
        return len(self._counting)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No judge begins anew, and none scores, meanwhile. May be entered again before it is left."""
        outermost = self._may_score.is_set()
        self._may_score.clear()
        try:
            yield
        finally:
            if outermost:
                self._may_score.set()

    def close(self) -> None:
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _told(self) -> dict[str, bool]:
        return {url: bool(label.relevant) for url, label in self.store.labels().items()}

    def _begin_anew(self) -> None:
        self._labels = self._told()
        self._take_in()

    def _take_in(self) -> None:
        """Takes new scores where there are some, and has newer ones made where they are out of date."""
        if self._job is not None and self._job.done():
            job, self._job = self._job, None
            self._scores = job.result()
            self._judge, self._spare = self._spare, self._judge
            self._fitted_to = self._job_labels
        if self._job is None and self._fitted_to != self._labels:
            self._job_labels = dict(self._labels)
            self._job = self._worker.submit(self._refitted, self._job_labels)
            self._job.add_done_callback(lambda job: None if job.cancelled() else self.on_scores())

    def _refitted(self, labels: Mapping[str, bool]) -> dict[str, float]:
        self._may_score.wait()
        self._fit(self._spare, labels)
        return self._scored(self._spare)

    def _scored(self, judge: Judge) -> dict[str, float]:
        scores = {}
        for url, page in self.pages.items():
            self._may_score.wait()
            scores[url] = judge(page)
        return scores

    def _counts(self, url: str) -> bool:
        return self._labels.get(url, self._scores[url] >= self.threshold)

    def _counted(self) -> frozenset[str]:
        return frozenset(url for url in self.pages if self._counts(url))

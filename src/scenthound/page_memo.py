"""What follows from a page alone, worked out once for all crawls of a process that meet the same page: the lab's.

    @of_a_page("judge")
    def page_row(page, language): ...

A crawl meets a page once, so such a function just works. Where somebody has opened a `PageMemo`, as the lab does for
the crawls of one web, its answer for a page that was introduced there is remembered. What an answer took is remembered
with it, and added up under the stage it belongs to when it is had for nothing, so that who comes second does not look
cheaper. Answers are shared: nobody may write to them. What is taught with the same lessons is shared in the same way
(`of_lessons`): `memm` and `memm-viterbi` learn one model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import wraps
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar

from scenthound.bounded_cache import BoundedCache

P = ParamSpec("P")
R = TypeVar("R")
AnyPage = TypeVar("AnyPage")

_Answers = dict[Hashable, tuple[Any, float]]
_opened: PageMemo | None = None


class PageMemo:
    """Answers by page, function and further arguments. A page is known by its identity, and held for that."""

    def __init__(self, most: int) -> None:
        """`most`: what the pages that are known may weigh together, in the unit they are introduced with."""
        self.spared: dict[str, float] = {}  # stage -> CPU seconds that answers took which were had for nothing
        self._known: BoundedCache[int, tuple[object, _Answers, int]] = BoundedCache(most, weigh=itemgetter(2))

    def introduce(self, page: object, weight: int) -> None:
        """A page that may come again as the same object; of others, such as altered copies, nothing is remembered."""
        if self._known.use(id(page)) is None:
            self._known.put(id(page), (page, {}, weight))

    def dismiss(self, page: object) -> None:
        """What was introduced, or was not, is held no longer, and nothing of it is remembered."""
        self._known.entries.pop(id(page), None)
        self._known.forget()

    @contextmanager
    def opened(self) -> Iterator[PageMemo]:
        """Within, answers are remembered here."""
        global _opened
        before, _opened = _opened, self
        try:
            yield self
        finally:
            _opened = before

    def answer(self, stage: str, question: Callable[..., R], page: object, *others: Any, **named: Any) -> R:
        if (known := self._known.get(id(page))) is None:
            return question(page, *others, **named)
        answers, key = known[1], (question, others, *named.items())
        if (kept := answers.get(key)) is not None:
            self.spared[stage] = self.spared.get(stage, 0.0) + kept[1]
        else:
            began = time.thread_time()
            answer = question(page, *others, **named)
            kept = answers[key] = answer, time.thread_time() - began
        found: R = kept[0]
        return found


def of_a_page(
    stage: str,
) -> Callable[[Callable[Concatenate[AnyPage, P], R]], Callable[Concatenate[AnyPage, P], R]]:
    """For a function whose answer depends on a page, and on further arguments that can be keys. `stage`: of a crawl."""

    def made(question: Callable[Concatenate[AnyPage, P], R]) -> Callable[Concatenate[AnyPage, P], R]:
        @wraps(question)
        def asked(page: AnyPage, /, *others: P.args, **named: P.kwargs) -> R:
            if _opened is None:
                return question(page, *others, **named)
            return _opened.answer(stage, question, page, *others, **named)

        return asked

    return made


def of_lessons(question: Callable[Concatenate[AnyPage, P], R]) -> Callable[Concatenate[AnyPage, P], R]:
    """For a part of training whose answer depends on lessons, and on further arguments that can be keys."""
    return of_a_page("train")(question)

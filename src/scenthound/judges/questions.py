"""Which page to ask a person about next: the one whose answer would teach the judge most.

    nothing liked yet      the best-looking page: a first example teaches more than any doubt
    then                   the page the judge is least sure of, `probability` near `even`

Among the SHORTLIST best of these, the one that is least like what was asked before: a page that shares many words
with one whose answer is known has little to add, and a near copy of it nothing. So

    worth = claim - UNLIKE * max over pages asked of likeness(page, asked)
    likeness(a, b) = |words of both| / sqrt(|words of a| * |words of b|)

Same candidates and answers, same question: ties go by the hash of the URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from math import sqrt

from msgspec import Struct

from scenthound import urls
from scenthound.model import Page

EVEN = 0.5
"""The probability that is as much a yes as a no."""

SHORTLIST = 40
"""Candidates with the best claim that are compared with what was asked: bounds the time to the next question."""

LOOK_BACK = 30
"""Pages asked last that candidates are compared with."""

UNLIKE = 0.3
"""What a page loses that has all its words in common with one asked before; a claim is 0..1."""

COPY = 0.9
"""From this likeness on a page is a copy of one asked before, and is asked about when nothing else is left."""


class AskablePage(Struct, frozen=True):
    """A page one might ask about, and how sure the judge is of it."""

    url: str
    probability: float
    page: Page


def next_question(
    candidates: Sequence[AskablePage], answers: Mapping[str, bool | None], even: float = EVEN
) -> str | None:
    """The URL to ask about; None when all were asked.

    `answers`: what is known, in the order it was said; None for what nobody wanted to answer. The topic's own examples
    belong there, too. Pages asked about should stay among the candidates: a new question is not to be like them.
    `even`: for a judge that gives scores and no probabilities, its threshold.
    """
    unasked = [candidate for candidate in candidates if candidate.url not in answers]
    if not unasked:
        return None
    claim = _claim(answers, even)
    shortlist = nlargest(SHORTLIST, unasked, key=lambda one: (claim(one), urls.fingerprint(one.url)))
    last = set(list(answers)[-LOOK_BACK:])
    asked = [candidate.page for candidate in candidates if candidate.url in last]

    def worth(one: AskablePage) -> tuple[bool, float]:
        most = max((likeness(one.page, page) for page in asked), default=0.0)
        return most < COPY, claim(one) - UNLIKE * most

    return max(shortlist, key=worth).url


def _claim(answers: Mapping[str, bool | None], even: float) -> Callable[[AskablePage], float]:
    """How good a question a page is by its probability alone, 0..1."""
    if True not in answers.values():
        return lambda one: one.probability
    widest = max(even, 1 - even)
    return lambda one: 1 - abs(one.probability - even) / widest


def likeness(one: Page, other: Page) -> float:
    """The cosine of two pages by which words they have, however often: 0 nothing in common, 1 the same words."""
    if not one.terms or not other.terms:
        return float(one.terms == other.terms)
    return _shared(one.terms, other.terms) / sqrt(len(one.terms) * len(other.terms))


def _shared(one: Iterable[str], other: Mapping[str, int]) -> int:
    return sum(map(other.__contains__, one))

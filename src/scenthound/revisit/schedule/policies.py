"""Which pages to look at next: one small class an idea, all asked the same question.

| name | idea |
|---|---|
| `uniform` | all alike: the page not looked at for longest |
| `proportional` | twice as often where it changes twice as often |
| `pvalue` | the documents': relevance and forward minus backward links (Mali 3.1) |
| `rates` | most likely rate of each page, and the looks that are best for these rates |
| `learned` | beliefs about rates and about pages that change together; the default |

A policy sees what its own looks showed, and nothing else. Each may be asked with the whole past at once, or again and
again as it grows. `relevance` weighs what is to be gained in `rates` and `learned`, and the score of `pvalue`;
`uniform` and `proportional` do not know it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scenthound.protocols.crawl import Presets
from scenthound.registry import Registry
from scenthound.revisit.schedule.beliefs import ChangeBeliefs
from scenthound.revisit.schedule.change_rates import UNKNOWN, Observation, RatePrior, estimate, fit_priors
from scenthound.revisit.schedule.page_history import DAY, PageHistory, observations
from scenthound.revisit.schedule.url_templates import kinds_of
from scenthound.revisit.schedule.visit_rates import Aim, due_first, gain

Array = NDArray[np.float64]


class Policy(Protocol):
    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        """At most n URLs of these pages, the most urgent first. Pages that are gone are nobody's business."""
        ...


revisit_policy = Registry("revisit policy", "scenthound.revisit.schedule", Policy, group="revisit_policies")


@revisit_policy("uniform")
@dataclass
class Uniform:
    """All pages alike: the one not looked at for longest comes first."""

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        there = _there(pages)
        return [there[place].url for place in due_first(_waited(there, now), n)]


@revisit_policy("proportional")
@dataclass
class Proportional:
    """Looks in proportion to changes seen: (changes + 1/2) / (days + `slack`) of each page times the days waited.

    The naive rate counts a change at a look once, however many there were, as most crawlers do.
    """

    slack: float = 15.0

    def __post_init__(self) -> None:
        if not self.slack > 0:
            raise ValueError("slack must be above 0")

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        there = _there(pages)
        rates = [
            (sum(look.changed for look in page.sightings) + 0.5) / (max(page.last - page.since, 0.0) / DAY + self.slack)
            for page in there
        ]
        return [there[place].url for place in due_first(_waited(there, now) * np.array(rates), n)]


@revisit_policy("pvalue")
@dataclass
class Pvalue:
    """The documents' order: relevance, and forward minus backward links (Mali 3.1.1 and 3.1.2).

        score = `topic` * relevance + (1 - `topic`) * (F - B) / (F + B)
              = F - B                      where `order` is `pvalue`, which is the document's own order

    Mali sorts the list by it and goes through the list; how often, the document leaves open. With `rounds` every page
    is looked at once before any is looked at again, best first. Without, a page is looked at in proportion to its
    score, brought to 0..1: so good pages are kept fresher, and broken links (F = 0, score -1) sink. Published is the
    list, gone through by `F - B` in descending order: `published = true`, which is `order = "pvalue"` and `rounds`.
    """

    published: ClassVar[Presets] = {"mali": {"order": "pvalue", "rounds": True}}

    topic: float = 0.5
    rounds: bool = False
    least: float = 0.05  # of a score: nothing is forgotten for ever
    order: Literal["share", "pvalue"] = "share"

    def __post_init__(self) -> None:
        if not (0 <= self.topic <= 1 and 0 <= self.least <= 1):
            raise ValueError("topic and least must be from 0 to 1")
        if self.order not in ("share", "pvalue"):
            raise ValueError("order is share or pvalue")
        if self.order == "pvalue" and not self.rounds:
            raise ValueError("F - B is an order and no proportion: order = pvalue goes with rounds = true")

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        there = _there(pages)
        score = np.array([self._score(page) for page in there])
        if not self.rounds:
            return [there[place].url for place in due_first(_waited(there, now) * np.maximum(score, self.least), n)]
        looks = np.array([len(page.sightings) for page in there])
        ready = np.flatnonzero(_waited(there, now) > 0)
        order = ready[np.lexsort((-score[ready], looks[ready]))]
        return [there[place].url for place in order[: max(n, 0)]]

    def _score(self, page: PageHistory) -> float:
        if self.order == "pvalue":
            return float(page.forward - page.backward)
        links = page.forward + page.backward
        pvalue = (page.forward - page.backward) / links if links else -1.0
        return (self.topic * page.relevance + (1 - self.topic) * pvalue + 1.0) / 2.0


@revisit_policy("rates")
@dataclass
class Rates:
    """The most likely rate of each page, with a prior by site and kind, and the largest gain first.

    Always asking the page of the largest gain is the schedule that `visit_rates.allocate` finds by bisection. Priors
    are fitted anew whenever the number of looks has grown by a tenth.
    """

    aim: Aim = "freshness"
    priors_: dict[str, RatePrior] = field(default_factory=dict, repr=False)
    fitted_: int = field(default=-1, repr=False)
    known_: dict[str, tuple[int, float]] = field(default_factory=dict, repr=False)  # looks, rate

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        there = _there(pages)
        looks = sum(len(page.sightings) for page in there)
        if self.fitted_ < 0 or looks > 1.1 * self.fitted_ + 50:
            self._fit(there)
            self.fitted_ = looks
        rates = np.array([self._rate(page) for page in there])
        worth = gain(rates, _waited(there, now), self.aim) * _relevance(there)
        return [there[place].url for place in due_first(worth, n)]

    def _fit(self, pages: Sequence[PageHistory]) -> None:
        kinds = kinds_of(page.url for page in pages)
        groups: dict[int, list[list[Observation]]] = {}
        for page, kind in zip(pages, kinds, strict=True):
            groups.setdefault(kind, []).append(observations(page))
        priors = fit_priors(groups)
        self.priors_ = {page.url: priors[kind] for page, kind in zip(pages, kinds, strict=True)}
        self.known_ = {}

    def _rate(self, page: PageHistory) -> float:
        looks, rate = self.known_.get(page.url, (-1, 0.0))
        if looks != len(page.sightings):
            rate = estimate(observations(page), self.priors_.get(page.url, UNKNOWN)).rate
            self.known_[page.url] = len(page.sightings), rate
        return rate


@revisit_policy("learned")
@dataclass
class LearnedRates:
    """Beliefs about the rate of each page and the days its kind changed, and the largest gain first.

    | symbol | parameter |
    |---|---|
    | what is wanted | `aim`: freshness, harmonic (missed changes count, too) or age |
    | days after which a page's past is forgotten | `memory` |
    | changes a page and day that come with its kind | `start` |
    | pages that as much as nothing seen counts for | `trust` |
    """

    aim: Aim = "freshness"
    memory: float = 1000.0
    start: float = 0.004
    trust: float = 1.0
    beliefs_: ChangeBeliefs = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not (self.memory > 0 and self.start > 0 and self.trust > 0):
            raise ValueError("memory, start and trust must be above 0")
        self.beliefs_ = ChangeBeliefs(self.memory, self.start, self.trust)

    def due(self, pages: Sequence[PageHistory], now: float, n: int) -> list[str]:
        there = _there(pages)
        if not there:
            return []
        places = self.beliefs_.take(there, now)
        worth = self.beliefs_.gain(places, [page.last for page in there], now, self.aim) * _relevance(there)
        return [there[place].url for place in due_first(worth, n)]


def build(name: str, params: Mapping[str, Any] | None = None) -> Policy:
    """The policy of that name; an unknown name or parameter is refused, naming the nearest."""
    built: Policy = revisit_policy.build(name, params)
    return built


def _there(pages: Sequence[PageHistory]) -> list[PageHistory]:
    return [page for page in pages if not page.gone]


def _waited(pages: Sequence[PageHistory], now: float) -> Array:
    """Days since the last look at each page."""
    return np.array([now - page.last for page in pages], dtype=np.float64) / DAY


def _relevance(pages: Sequence[PageHistory]) -> Array:
    return np.array([page.relevance for page in pages], dtype=np.float64)

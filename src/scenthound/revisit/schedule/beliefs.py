"""What all looks together say about every page: its own rate of change, and the days on which its kind changed.

Pages do not change alone. A new release, a new footer or a new template changes hundreds of pages of one kind in an
hour; whoever sees it on three of them knows where to look next. So a page changes by itself with rate r, and besides
with its kind, on day d with intensity b(d):

    P(changed since the last look) = 1 - exp(-(r t + B)),     B = sum of b over the days since

- The **rate** is a belief: a probability for each of `RATES`, multiplied at each look by how likely that look was. It
  fades towards what pages of the kind do, because pages come to life and fall asleep: exp(-t / `memory`) of it stays.
  A new page begins without that: most pages of a kind are old and quiet, and new ones are not.
- The **days** are found by expectation-maximisation as looks come in. A changed page lends each day since its last
  look the share of a change b(d) / (1 - exp(-(r t + B))) that this day is likely to have brought; an unchanged one says
  that it was none of them. With `start` as if `trust` pages had been seen:

    b(d) = (trust * start + shares lent to day d) / (trust + pages whose looks span day d)

  One changed page hardly moves b. Five pages of a kind that changed since overlapping looks make the day stand out.

Looks are taken in by the day, oldest first, so beliefs built in one go and beliefs that grew day by day are the same,
unless pages that joined later made up a new kind.
A page costs 300 bytes, a kind 24 bytes a day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scenthound.revisit.schedule.page_history import DAY, PageHistory
from scenthound.revisit.schedule.shared_change_days import LookSpans, SharedChangeDays
from scenthound.revisit.schedule.url_templates import UrlTemplates
from scenthound.revisit.schedule.visit_rates import Aim, share_gained

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

RATES: Array = np.exp(np.linspace(np.log(1 / 3000), np.log(2.0), 32))
"""Changes a day: from once in eight years to twice a day."""

_TYPICAL, _SPREAD = np.log(1 / 100), 1.5
_KIN = 5.0
"""Pages as which what is known of all pages counts beside those of a kind, and what is known beforehand beside all."""

_REFIT = 30  # days between two looks at what the kinds have in common


def _vague() -> Array:
    prior = np.exp(-0.5 * ((np.log(RATES) - _TYPICAL) / _SPREAD) ** 2)
    return np.asarray(prior / prior.sum(), dtype=np.float64)


class LookOutcome(NamedTuple):
    """A look at the page of that place; begin and end are days since the first page was known."""

    place: int
    begin: float
    end: float
    changed: bool


class ChangeBeliefs:
    """Takes in looks and answers how much is to be gained by looking at each page now."""

    def __init__(self, memory: float = 1000.0, start: float = 0.004, trust: float = 1.0) -> None:
        self.memory, self.start = memory, start
        self.change_days = SharedChangeDays(start, trust)
        self.places: dict[str, int] = {}
        self._kinds = UrlTemplates()
        self._taken: list[int] = []  # looks taken in, of each page
        self._known = np.zeros((0, len(RATES)))
        self._looked: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._kind_of: Numbers = np.zeros(0, dtype=np.int64)
        self._typical = np.zeros((0, len(RATES)))  # of each kind
        self._everywhere = _vague()
        self._epoch: float | None = None  # the day that is number 0
        self._refitted = 0

    # --- looks in -------------------------------------------------------------------------------------------------

    def take(self, pages: Sequence[PageHistory], now: float) -> Numbers:
        """Takes in what is new of these pages; returns their places."""
        if self._epoch is None:
            self._epoch = min((page.since for page in pages), default=now) // DAY
        self._admit(page.url for page in pages if page.url not in self.places)
        latest = max([now, *(page.last for page in pages)])  # clocks are put back, too
        self.change_days.reach(len(self._kinds), int(self._day(latest)) + 2)
        by_day: dict[int, list[LookOutcome]] = {}
        for page in pages:
            place = self.places[page.url]
            taken = self._taken[place]
            if taken == len(page.sightings):
                continue
            for look in self._looks(place, page, taken):
                by_day.setdefault(int(look.end), []).append(look)
            self._taken[place] = len(page.sightings)
        for day in sorted(by_day):
            for looks in self._in_turn(by_day[day]):
                self._learn(looks)
            if day >= self._refitted + _REFIT:
                self._refitted = day
                self._refit()
        return np.fromiter((self.places[page.url] for page in pages), np.int64, len(pages))

    def _looks(self, place: int, page: PageHistory, taken: int) -> list[LookOutcome]:
        """The looks not taken in yet; several of one day are one."""
        begin = self._day(page.sightings[taken - 1].at if taken else page.since)
        looks: list[LookOutcome] = []
        for sighting in page.sightings[taken:]:
            end = max(self._day(sighting.at), begin)
            if looks and int(looks[-1].end) == int(end):
                same = looks.pop()
                looks.append(LookOutcome(place, same.begin, end, same.changed or sighting.changed))
            else:
                looks.append(LookOutcome(place, begin, end, sighting.changed))
            begin = end
        return looks

    def _day(self, at: float) -> float:
        return max(at / DAY - (self._epoch or 0.0), 0.0)

    def _admit(self, urls: Iterable[str]) -> None:
        old, moved = len(self.places), dict[int, int]()
        for url in urls:
            moved.update(self._kinds.add(len(self.places), url))
            self.places[url] = len(self.places)
        new = len(self.places) - old
        if not new:
            return
        more = np.tile(self._everywhere, (len(self._kinds) - len(self._typical), 1))
        self._typical = np.concatenate([self._typical, more])
        self._kind_of = np.pad(self._kind_of, (0, new))
        self._kind_of[list(moved)] = list(moved.values())
        self._known = np.concatenate([self._known, np.tile(_vague(), (new, 1))])
        self._looked = np.pad(self._looked, (0, new))
        self._taken += [0] * new

    def _in_turn(self, looks: Sequence[LookOutcome]) -> list[list[LookOutcome]]:
        """The looks of one day, so that pages of a kind learn from each other: one of each, one, two, four, eight more.

        Taken in all at once, five pages that changed on the same day would each be surprised by it anew.
        """
        count: dict[int, int] = {}
        turns: dict[int, list[LookOutcome]] = {}
        for look in looks:
            kind = int(self._kind_of[look.place])
            turn = count.get(kind, 0)
            count[kind] = turn + 1
            turns.setdefault(turn.bit_length(), []).append(look)
        return [turns[turn] for turn in sorted(turns)]

    def _learn(self, looks: Sequence[LookOutcome]) -> None:
        places = np.fromiter((look.place for look in looks), np.int64, len(looks))
        begin = np.array([look.begin for look in looks])
        end = np.array([look.end for look in looks])
        changed = np.array([look.changed for look in looks])[:, None]
        spans, time = self._spans(places, begin, end), (end - begin)[:, None]
        quiet = np.exp(-RATES * time)
        missed = 1.0 - quiet * np.exp(-self.change_days.passed(spans))[:, None]
        belief = self._known[places] * np.maximum(np.where(changed, missed, quiet), 1e-12)
        belief /= belief.sum(axis=1, keepdims=True)
        self.change_days.lend(spans, np.where(changed, belief / np.maximum(missed, 1e-9), 0.0).sum(axis=1))
        fading = -np.expm1(-time / self.memory)
        self._known[places] = (1 - fading) * belief + fading * self._typical[spans.kinds]
        self._looked[places] = True

    def _spans(self, places: Numbers, begin: Array, end: Array) -> LookSpans:
        """A change of the day of the last look may have come after it: that day counts, today does not."""
        first = begin.astype(np.int64)
        return LookSpans(self._kind_of[places], first, np.maximum(end.astype(np.int64), first + 1))

    def _refit(self) -> None:
        """What pages of each kind do: the mean of what is known of them, drawn towards all pages."""
        seen = np.flatnonzero(self._looked)
        self._everywhere = (self._known[seen].sum(axis=0) + _KIN * _vague()) / (len(seen) + _KIN)
        sums = np.zeros_like(self._typical)
        np.add.at(sums, self._kind_of[seen], self._known[seen])
        counts = np.bincount(self._kind_of[seen], minlength=len(sums))[:, None]
        self._typical = (sums + _KIN * self._everywhere) / (counts + _KIN)

    # --- answers out ----------------------------------------------------------------------------------------------

    def expected(self, places: Numbers, last: Sequence[float], now: float) -> Array:
        """Changes each page is expected to have had since its last look: a row a page, a column a rate."""
        end = np.full(len(last), self._day(now))
        begin = np.minimum(np.array([self._day(at) for at in last]), end)
        with_kind = self.change_days.passed(self._spans(places, begin, end))
        return np.asarray(RATES * (end - begin)[:, None] + with_kind[:, None], dtype=np.float64)

    def stale(self, places: Numbers, last: Sequence[float], now: float) -> Array:
        """The probability that each page has changed since its last look."""
        changed = -np.expm1(-self.expected(places, last, now))
        return np.asarray((self._known[places] * changed).sum(axis=1), dtype=np.float64)

    def gain(self, places: Numbers, last: Sequence[float], now: float, aim: Aim = "freshness") -> Array:
        """What a look at each page is worth now, over all rates it may have: `visit_rates.gain` in the page's own time.

        Days on which its kind changed count as the longer time that would have brought as many changes.
        """
        expected = self.expected(places, last, now)
        time = expected / (RATES + self.start)
        power = time * time if aim == "age" else time
        return np.asarray((self._known[places] * power * share_gained(expected, aim)).sum(axis=1), dtype=np.float64)

    def rates(self, places: Numbers) -> Array:
        """The mean rate of each page by itself, changes a day."""
        return np.asarray(self._known[places] @ RATES, dtype=np.float64)

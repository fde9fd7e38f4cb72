"""On which days did pages of a kind change together? A table of kinds by days, filled as looks come in.

    b(d) = (trust * start + shares lent to day d) / (trust + looks that span day d)

is the mean number of changes that day d brought to a page of the kind, as far as the looks tell; before any look it is
`start`. A look that found a change lends each day it spans b(d) times the same number (`beliefs.py` says which).
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


class LookSpans(Struct, frozen=True):
    """Looks, as the days they span: of a kind each, from day `first` up to, not including, day `last`."""

    kinds: Numbers
    first: Numbers
    last: Numbers


class SharedChangeDays:
    def __init__(self, start: float, trust: float) -> None:
        self.start, self.trust = start, trust
        self._lent = np.zeros((0, 0))
        self._spanned = np.zeros((0, 0))
        self._change_day = np.zeros((0, 0))

    def reach(self, kinds: int, days: int) -> None:
        """Makes room for so many kinds and days, and for some days to come."""
        have_kinds, have_days = self._change_day.shape
        if kinds <= have_kinds and days <= have_days:
            return
        room = ((0, max(kinds - have_kinds, 0)), (0, days + 365 - have_days if days > have_days else 0))
        self._lent = np.pad(self._lent, room)
        self._spanned = np.pad(self._spanned, room)
        self._change_day = np.pad(self._change_day, room, constant_values=self.start)

    def passed(self, spans: LookSpans) -> Array:
        """B: the changes that came with the kind in the days of each span."""
        if not len(spans.kinds):
            return np.zeros(0)
        start, stop = int(spans.first.min()), int(spans.last.max())
        asked, row = np.unique(spans.kinds, return_inverse=True)
        sums = np.zeros((len(asked), stop - start + 1))
        np.cumsum(self._change_day[asked, start:stop], axis=1, out=sums[:, 1:])
        return np.asarray(sums[row, spans.last - start] - sums[row, spans.first - start], dtype=np.float64)

    def lend(self, spans: LookSpans, amounts: Array) -> None:
        """Takes looks in: each day is lent b(d) times the amounts of all spans over it."""
        start, stop = int(spans.first.min()), int(spans.last.max())
        touched, row = np.unique(spans.kinds, return_inverse=True)
        window = np.ix_(touched, np.arange(start, stop))
        self._spanned[window] += _over_days(row, spans, start, stop, np.ones(len(amounts)))
        self._lent[window] += _over_days(row, spans, start, stop, amounts) * self._change_day[window]
        self._change_day[window] = (self.trust * self.start + self._lent[window]) / (self.trust + self._spanned[window])


def _over_days(row: Numbers, spans: LookSpans, start: int, stop: int, amounts: Array) -> Array:
    """The sum of amounts over each day: steps up where spans begin and down where they end, summed up."""
    steps = np.zeros((int(row.max()) + 1, stop - start + 1))
    np.add.at(steps, (row, spans.first - start), amounts)
    np.add.at(steps, (row, spans.last - start), -amounts)
    return np.asarray(np.cumsum(steps, axis=1)[:, :-1], dtype=np.float64)

"""Every URL ever seen, in about eighteen bytes each: its 64-bit fingerprint and what to remember about it.

The bulk lies in sorted arrays, what came lately in a dict that is merged into the arrays when it has grown to a
thirty-second of them; an addition so costs a constant number of array steps. Fingerprints are spread evenly, so their
first bits say nearly where in the arrays they are: once there are many, an index knows where each run of some sixteen
begins.

The note of a fingerprint says where its link stands:

    finite number    waits in the store with this priority
    UNKNOWN  (+inf)  waits, in memory or with a priority only the store knows
    FORGOTTEN (-inf) fell over the frontier's limit or was given up, and may come back
    FINISHED  (nan)  taken or refused, once and for all
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import islice
from math import inf, nan

import numpy as np
import numpy.typing as npt

UNKNOWN, FORGOTTEN, FINISHED = inf, -inf, nan
RECENT = 8_192  # that are in the dict at least before they are merged: each takes ten times as much there
DEEPEST = 32_767
RUN = 16
LEAST = -(1 << 63)
STRETCH = 1024  # fingerprints looked at together
FEW = 500_000  # fingerprints that a processor's cache holds, so that a plain search does not wait for memory

Note = tuple[float, int]
"""(priority, depth); a plain tuple, for a page asks for seventy of them."""

WAITS: Note = (UNKNOWN, 0)
OVER: Note = (FINISHED, 0)
LOST: Note = (FORGOTTEN, 0)


class FingerprintTable:
    """A set of signed 64-bit numbers with a note on each."""

    def __init__(self, recent: int = RECENT) -> None:
        self._ids = np.empty(0, np.int64)
        self._index = FingerprintIndex(self._ids)
        self._priorities = np.empty(0, np.float64)
        self._depths = np.empty(0, np.int16)
        self._recent: dict[int, Note] = {}
        self._least = recent

    def __len__(self) -> int:
        return len(self._ids) + len(self._recent)

    def __contains__(self, fingerprint: int) -> bool:
        return fingerprint in self._recent or self._place(fingerprint) >= 0

    def contains_many(self, fingerprints: Sequence[int]) -> list[bool]:
        return [note is not None for note in self.notes(fingerprints)]

    def add(self, fingerprint: int, note: Note = WAITS) -> None:
        """Remember the fingerprint with this note, whether it was here before or not."""
        place = -1 if fingerprint in self._recent else self._place(fingerprint)
        if place >= 0:
            priority, depth = note
            self._priorities[place] = priority
            self._depths[place] = min(depth, DEEPEST)
        else:
            self.add_new(fingerprint, note)

    def add_new(self, fingerprint: int, note: Note = WAITS) -> None:
        """As `add`, for a fingerprint known to be new."""
        self._recent[fingerprint] = note
        if len(self._recent) > self._least and len(self._recent) * 32 > len(self._ids):
            self._merge()

    def note(self, fingerprint: int) -> Note | None:
        found = self._recent.get(fingerprint)
        if found is None and (place := self._place(fingerprint)) >= 0:
            return float(self._priorities[place]), int(self._depths[place])
        return found

    def notes(self, fingerprints: Sequence[int]) -> list[Note | None]:
        """The note on each, None for one never seen: one look-up in the arrays for all of them."""
        recent = self._recent
        found = [recent.get(fingerprint) for fingerprint in fingerprints]
        if not len(self._ids) or not fingerprints:
            return found
        wanted = np.array(fingerprints, np.int64)
        places = self._index.places(wanted)
        hits = np.flatnonzero(self._ids.take(places, mode="clip") == wanted)
        places = places[hits]
        notes = zip(self._priorities[places].tolist(), self._depths[places].tolist(), strict=True)
        for index, note in zip(hits.tolist(), notes, strict=True):
            found[index] = note
        return found

    def first_waiting(self, start: int, leased: Container[int]) -> int | None:
        """The first from `start` on, and then from the least one on, whose link waits and is not leased."""
        found = self._waiting_from(start, leased)
        return self._waiting_from(LEAST, leased) if found is None else found

    def _waiting_from(self, start: int, leased: Container[int]) -> int | None:
        found = [
            number
            for number, (priority, _) in self._recent.items()
            if number >= start and priority == priority and priority != FORGOTTEN and number not in leased
        ]
        place = int(self._ids.searchsorted(start))
        while place < len(self._ids):
            priorities = self._priorities[place : place + STRETCH]
            waits = np.flatnonzero(~np.isnan(priorities) & (priorities != FORGOTTEN))
            numbers = self._ids[place + waits].tolist()
            if (first := next((number for number in numbers if number not in leased), None)) is not None:
                found.append(first)
                break
            place += STRETCH
        return min(found, default=None)

    def load(self, known: Iterable[tuple[int, bool]]) -> None:
        """Take in what a store knows: (fingerprint, still waiting), in any order, without holding it twice."""
        rows = iter(known)
        pieces: list[npt.NDArray[np.int64]] = []
        flags: list[npt.NDArray[np.bool_]] = []
        while chunk := list(islice(rows, 65_536)):
            ids, waits = zip(*chunk, strict=True)
            pieces.append(np.array(ids, np.int64))
            flags.append(np.array(waits, np.bool_))
        if not pieces:
            return
        everything = np.concatenate(pieces)
        order = np.argsort(everything)
        self._insert(
            everything[order],
            np.where(np.concatenate(flags)[order], UNKNOWN, FINISHED),
            np.zeros(len(order), np.int16),
        )

    def _place(self, fingerprint: int) -> int:
        """Where in the arrays it is, or -1."""
        ids = self._ids
        place = int(ids.searchsorted(fingerprint)) if len(ids) else 0
        return place if place < len(ids) and ids[place] == fingerprint else -1

    def _merge(self) -> None:
        count = len(self._recent)
        ids = np.fromiter(self._recent, np.int64, count)
        priorities = np.fromiter((priority for priority, _ in self._recent.values()), np.float64, count)
        depths = np.fromiter((min(depth, DEEPEST) for _, depth in self._recent.values()), np.int16, count)
        self._recent = {}
        order = np.argsort(ids)
        self._insert(ids[order], priorities[order], depths[order])

    def _insert(
        self, ids: npt.NDArray[np.int64], priorities: npt.NDArray[np.float64], depths: npt.NDArray[np.int16]
    ) -> None:
        places = np.searchsorted(self._ids, ids)
        self._ids = np.insert(self._ids, places, ids)
        self._index = FingerprintIndex(self._ids)
        self._priorities = np.insert(self._priorities, places, priorities)
        self._depths = np.insert(self._depths, places, depths)


class FingerprintIndex:
    """Where in a long sorted array numbers are, if they are there.

    A binary search all over the array would wait for memory at most of its steps. This one looks up where the run of
    those with the same first bits begins and goes on from there, for all the numbers side by side.
    """

    def __init__(self, ids: npt.NDArray[np.int64]) -> None:
        bits = max((len(ids) // RUN).bit_length(), 1)
        self._ids = ids
        self._shift, self._runs = 64 - bits, 1 << bits
        firsts = np.arange(-self._runs // 2, self._runs // 2) << self._shift
        self._begins = np.searchsorted(ids, firsts)
        longest = int(np.diff(self._begins, append=len(ids)).max())
        self._strides = [1 << power for power in reversed(range(longest.bit_length()))]

    def places(self, wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """As `np.searchsorted`, but for numbers beyond the last, which get some place beyond the end."""
        if len(self._ids) < FEW:
            return np.searchsorted(self._ids, wanted)
        places: npt.NDArray[np.int64] = self._begins[(wanted >> self._shift) + self._runs // 2]
        for stride in self._strides:
            places += stride * (self._ids.take(places + (stride - 1), mode="clip") < wanted)
        return places

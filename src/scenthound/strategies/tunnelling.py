from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from scenthound import registry, urls
from scenthound.bounded_cache import BoundedCache
from scenthound.config import named
from scenthound.learn.links.tunnel_levels import TunnelFailures, TunnelPlace
from scenthound.learn.snapshot_arrays import column, for_part, joined, keys_of, nested, of_part, parted, refill
from scenthound.model import Link, MergeRule, Ranked, Visit, Waiting
from scenthound.protocols.crawl import (
    Begins,
    Context,
    GivesUp,
    Learns,
    NotesLinks,
    Presets,
    Rescores,
    Restores,
    Retopics,
    Strategy,
    Vouches,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy

NAME = "tunnelling"

DIRECT = -1e6
"""Direct links are above it, with the priority the wrapped strategy gave them; links of a table are below."""

AT_ONCE = 1e7
"""Above all that is direct: where the links of a table are followed as soon as there are any."""

REMEMBERED = 100_000
"""Tables, irrelevant pages, and links of relevant pages that are remembered; the oldest go first."""

_MARK = b"table"
_PLACE = struct.Struct("<BqdI?")  # level, table, score, failures before, and whether more follows


@strategy(NAME)
@dataclass
class Tunnelling:
    """Any strategy, with a way through irrelevant pages (Aastha 4.6).

    Believes that behind an irrelevant page there may be relevant ones, not far, and that after some failures it is
    wiser to turn back. Links of relevant pages are direct: they keep the priority the strategy gives them. Links of
    irrelevant pages wait in a second table, behind all direct ones, best first, each with a level:

        level(link) = level(page) + 1                  when it is found; + 1 whenever a link of the same level, scored
                                                       no worse, is followed and leads to an irrelevant page
        priority    = p                                direct; p is the strategy's priority
                    = -1,000,001 + squash(p)           in the table, while level <= max_level; then it is given up
        squash(p)   = (1 + p / (1 + |p|)) / 2          between 0 and 1, in the order of p

    | symbol | parameter or meaning |
    |---|---|
    | p | `strategy`: a name, or a table with a name and parameters |
    | irrelevant | relevance below `limit`, or below the crawl's threshold where none is given; a seed never is |
    | level(page) | level of the link it was fetched by; 0 if that was direct, or if the page is relevant |
    | max_level | `max_level`: irrelevant pages in a row at most; 0 follows no link of an irrelevant page |
    | table | one for each irrelevant page that a direct link led to, as in the document; `shared`: one for all |
    | patience | `patience`: how many such failures raise a level by one; 0 = none does, and levels count steps alone |
    | trust | `trust`: a p from which a link is direct although its page is irrelevant; none where not given |

    Where links are taken best first, all that is left in a table is scored no better than the link that fails, so all
    of that level rise at once: a table ends with its max_level-th failure. A shared table ends so, too, however much
    waits in it. A link that was given up and is found on a relevant page comes back. A link that brings no page at all
    is no failure. A strategy may vouch for links of an irrelevant page (`blocks` does for those of relevant blocks).

    **As published** there are two readings. The pseudocode of 4.6.1 (`pseudocode`) differs from the prose of 4.6:
    a table is emptied at once, before any direct link; its links begin at level 0, so that a table has max_level + 1
    failures; links of irrelevant pages in a tunnel are not followed; those of relevant ones come into the same table,
    at the level of the table, which rises by one with each such page, and only if the link that led there was below
    max_level; and a seed may be irrelevant like any page. `prose` is what is described above, the default.

    What it buys, around best-first on a generated web whose relevant pages lie on islands (3,000 pages, 12 topics,
    threshold 0.4): a final recall of 0.64 [0.57, 0.70], where following no link of an irrelevant page finds 0.36
    [0.23, 0.48]; with one shared table it is 0.50 [0.38, 0.60]. Best-first alone, which gives up nothing, finds 0.66
    [0.58, 0.72], and finds it sooner: tunnelling is for crawls that must not stray.
    """

    published: ClassVar[Presets] = {"pseudocode": {"pseudocode": True}, "prose": {}}

    strategy: Any = "best-first"
    max_level: int = 3
    limit: float | None = None
    patience: int = 1
    trust: float | None = None
    shared: bool = False
    pseudocode: bool = False
    inner_: Any = field(init=False, repr=False, default=None)
    tables_: BoundedCache[int, TunnelFailures] = field(init=False, repr=False)
    irrelevant_: BoundedCache[int, None] = field(init=False, repr=False)
    direct_: BoundedCache[int, None] = field(init=False, repr=False)
    read_: tuple[str, int] = field(init=False, repr=False, default=("", 0))  # the page read last, and its level

    def __post_init__(self) -> None:
        if not 0 <= self.max_level <= 100:
            raise ValueError("max_level must be from 0 to 100")
        if self.limit is not None and not 0 <= self.limit <= 1:
            raise ValueError("limit must be from 0 to 1")
        if self.patience < 0:
            raise ValueError("patience must not be negative; 0 is patience without end")
        if self.pseudocode and (self.shared or self.patience != 1 or self.trust is not None):
            raise ValueError("pseudocode goes with none of shared, patience and trust: the document has no such thing")
        self.inner_ = self._built()
        self.tables_, self.irrelevant_, self.direct_ = (BoundedCache(REMEMBERED) for _ in range(3))

    def _built(self) -> Strategy:
        inner: Strategy = self.strategy
        if isinstance(self.strategy, (str, dict)):
            name, params = named(self.strategy, "strategy")
            if name == NAME:
                raise ValueError("tunnelling goes around another strategy, not around itself")
            inner = registry.strategy.build(name, params)
        return inner

    # What the wrapped strategy may have; an attribute it lacks is lacking here, too

    def begin(self, context: Context) -> None:
        if (inner := hook(self.inner_, Begins)) is not None:
            inner.begin(context)

    @property
    def retopic(self) -> Callable[[Context], None]:
        if (inner := hook(self.inner_, Retopics)) is not None:
            return inner.retopic
        return _unmoved if hook(self.inner_, Learns) is not None else self.begin

    @property
    def merge(self) -> MergeRule:
        """Numbers of two tables have no mean; in place of `mean` and `min` the best word counts."""
        return "last" if getattr(self.inner_, "merge", "max") == "last" else "max"

    @property
    def from_examples(self) -> bool:
        return bool(self.inner_.from_examples)

    @property
    def batch(self) -> int:
        batch: int = self.inner_.batch
        return batch

    @property
    def missed(self) -> Callable[[Link], None]:
        missed: Callable[[Link], None] = self.inner_.missed
        return missed

    @property
    def moved(self) -> Callable[[Link, str], None]:
        moved: Callable[[Link, str], None] = self.inner_.moved
        return moved

    @property
    def refused(self) -> Callable[[Link, bool], None]:
        refused: Callable[[Link, bool], None] = self.inner_.refused
        return refused

    @property
    def note(self) -> Callable[[Visit], object]:
        """By ranking, which takes note of tunnels, too; where the wrapped strategy takes note of links."""
        if hook(self.inner_, NotesLinks) is None:
            raise AttributeError("note")
        return self.rank

    @property
    def rescore_every(self) -> int:
        every: int = self.inner_.rescore_every
        return every

    @property
    def rescore(self) -> Callable[[Sequence[Link]], list[float]]:
        rescore = self.inner_.rescore

        def banded(links: Sequence[Link]) -> list[float]:
            irrelevant = self.irrelevant_.entries
            found_on = (urls.fingerprint(link.source) in irrelevant for link in links)
            return [
                self._band(priority, doubtful and not self._trusts(priority))
                for priority, doubtful in zip(rescore(links), found_on, strict=True)
            ]

        return banded

    @property
    def snapshot(self) -> Callable[[], Snapshot]:
        """None can be had where the wrapped strategy learns and has none."""
        inner = self.inner_.snapshot if hook(self.inner_, Learns) is not None else None
        return lambda: self._snapshot(inner() if inner is not None else None)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(2)
        failures = parted(arrays["failures"], arrays["lengths"])
        kept = zip(arrays["counts"].tolist(), arrays["grown"].tolist(), failures, strict=True)
        tables = [_failures(*each) for each in kept]
        if (inner := hook(self.inner_, Restores)) is not None and values["inner"] is not None:
            inner.restore(Snapshot(**values["inner"], arrays=for_part("inner", arrays)))
        refill(self.tables_, arrays["tables"], tables)
        refill(self.irrelevant_, arrays["irrelevant"], [None] * len(arrays["irrelevant"]))
        refill(self.direct_, arrays["direct"], [None] * len(arrays["direct"]))

    def _snapshot(self, inner: Snapshot | None) -> Snapshot:
        tables = list(self.tables_.entries.values())
        failures, lengths = joined([np.array(table.kept()).reshape(-1, 3) for table in tables], np.float64)
        arrays = {
            "tables": keys_of(self.tables_),
            "counts": column((table.count for table in tables), len(tables), np.int64),
            "grown": column((table.grown for table in tables), len(tables), np.int64),
            "failures": failures,
            "lengths": lengths,
            "irrelevant": keys_of(self.irrelevant_),
            "direct": keys_of(self.direct_),
        }
        if inner is None:
            return Snapshot(2, {"inner": None}, arrays)
        return Snapshot(2, {"inner": nested(inner)}, arrays | of_part("inner", inner.arrays))

    # Levels

    def learn(self, visit: Visit) -> None:
        place, own = unpack(visit.memory)
        if (inner := hook(self.inner_, Learns)) is not None:
            inner.learn(_with_memory(visit, own))
        level = self._level(place)
        self.read_ = visit.page.url, level
        if self._irrelevant(visit):
            if place is not None:
                self._table(place.table).add(level, place.score)
            if hook(self.inner_, Rescores) is not None:
                self.irrelevant_.put(urls.fingerprint(visit.page.url), None)
        elif self.pseudocode and place is not None:
            if level < self._most:
                self._table(place.table).grown += 1
        elif self.merge == "last":
            self.direct_.put_all(dict.fromkeys(urls.fingerprint(link.url) for link in visit.page.links))

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        place, own = unpack(visit.memory)
        ranked = self.inner_.rank(_with_memory(visit, own))
        if self.pseudocode and place is not None:
            return self._in_the_tunnel(visit, place, ranked)
        if not self._irrelevant(visit):
            return [self._placed(one, None) for one in ranked]
        direct, doubtful = ([], list(ranked)) if self.pseudocode else self._sorted(ranked)
        followed = [self._placed(one, None) for one in direct]
        url, level = self.read_  # as it was when the page was read: its own failure has changed it since
        level = (level if url == visit.page.url else self._level(place)) + 1
        if level <= self._most and doubtful:
            table = place.table if place is not None else 0 if self.shared else urls.fingerprint(visit.page.url)
            followed += self._in_table(doubtful, table, level)
        return followed

    def _in_the_tunnel(self, visit: Visit, place: TunnelPlace, ranked: Sequence[Ranked]) -> list[Ranked]:
        """Links of a page that a table led to, as the pseudocode has it: a relevant one adds its own to the table."""
        url, level = self.read_
        level = level if url == visit.page.url else self._level(place)
        if self._irrelevant(visit) or level >= self._most:
            return []
        return self._in_table(ranked, place.table, 1 + self._table(place.table).grown)

    def _in_table(self, ranked: Sequence[Ranked], table: int, level: int) -> list[Ranked]:
        since = failures.count if (failures := self.tables_.get(table)) is not None else 0
        return [self._placed(one, TunnelPlace(table, level, one.priority, since)) for one in ranked]

    def gives_up(self, waiting: Waiting) -> str | None:
        """Why a link whose turn has come is not followed: better ones of its table have failed too often."""
        place, own = unpack(waiting.memory)
        if place is not None and self._level(place) > self._most:
            return f"tunnel: level over {self.max_level}, better links of its table led nowhere"
        inner = hook(self.inner_, GivesUp)
        return inner.gives_up(replace(waiting, memory=own)) if inner is not None else None

    def _level(self, place: TunnelPlace | None) -> int:
        if place is None:
            return 0
        failures = self.tables_.get(place.table)
        return failures.level(place, self.patience, self._most) if failures is not None else place.level

    @property
    def _most(self) -> int:
        """The level up to which links are followed. Levels are counted from 1; the pseudocode counts them from 0."""
        return self.max_level + self.pseudocode

    def _table(self, table: int) -> TunnelFailures:
        failures = self.tables_.get(table)
        if failures is None:
            self.tables_.put(table, failures := TunnelFailures())
        return failures

    def _band(self, priority: float, doubtful: bool) -> float:
        return band(priority, doubtful) + (AT_ONCE if doubtful and self.pseudocode else 0.0)

    def _placed(self, one: Ranked, place: TunnelPlace | None) -> Ranked:
        return Ranked(one.link, self._band(one.priority, place is not None), pack(place, one.memory))

    def _irrelevant(self, visit: Visit) -> bool:
        if not visit.depth and not self.pseudocode:
            return False
        return not visit.relevant if self.limit is None else visit.relevance < self.limit

    def _trusts(self, priority: float) -> bool:
        return self.trust is not None and priority >= self.trust

    def _sorted(self, ranked: Sequence[Ranked]) -> tuple[list[Ranked], list[Ranked]]:
        """Links of an irrelevant page that are direct all the same; and the others."""
        vouches = inner.vouches if (inner := hook(self.inner_, Vouches)) is not None else _never
        known_direct = self.direct_.entries
        direct: list[Ranked] = []
        doubtful: list[Ranked] = []
        for one in ranked:
            trusted = self._trusts(one.priority) or vouches(one)
            known = trusted or (known_direct and urls.fingerprint(one.link.url) in known_direct)
            (direct if known else doubtful).append(one)
        return direct, doubtful


def _failures(count: int, grown: int, kept: npt.NDArray[np.float64]) -> TunnelFailures:
    table = TunnelFailures()
    table.grown = grown
    table.take_back(count, ((int(level), int(number), score) for level, number, score in kept.tolist()))
    return table


def _never(ranked: Ranked) -> bool:
    return False


def _unmoved(context: Context) -> None:
    """A strategy that learns and does not ask to be told goes on as it is."""


def band(priority: float, doubtful: bool) -> float:
    """Where a link waits: with its own priority, or in a table, below all that is direct."""
    if not doubtful:
        return max(priority, DIRECT)
    return DIRECT - 1 + (1 + priority / (1 + abs(priority))) / 2


def unpack(memory: bytes | None) -> tuple[TunnelPlace | None, bytes | None]:
    """The place of a link, None for a direct one, and what the wrapped strategy wanted to remember about it."""
    start = len(_MARK) + _PLACE.size
    if memory is None or not memory.startswith(_MARK) or len(memory) < start:
        return None, memory
    level, table, score, since, remembers = _PLACE.unpack_from(memory, len(_MARK))
    place = TunnelPlace(table, level, score, since) if level and not isnan(score) else None
    return place, memory[start:] if remembers else None


def pack(place: TunnelPlace | None, memory: bytes | None) -> bytes | None:
    """What is remembered of a direct link is what the wrapped strategy remembers, and no byte more."""
    if place is None:
        if memory is None or not memory.startswith(_MARK):
            return memory
        place = TunnelPlace(0, 0, 0.0, 0)
    packed = _PLACE.pack(place.level, place.table, place.score, place.since, memory is not None)
    return _MARK + packed + (memory or b"")


def _with_memory(visit: Visit, memory: bytes | None) -> Visit:
    return visit if memory is visit.memory else replace(visit, memory=memory)

"""What workers of a cluster rely on: leases of shards, and a library that many write to.

The database is the only truth. A lease is a row with a time and a fencing number; whoever writes says under which
numbers, and the database refuses what comes under an old one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import Protocol, Self

from msgspec import Struct

from scenthound.model import Waiting
from scenthound.protocols.library import Library


class Standing(Struct, frozen=True):
    """What a worker is told when it reports."""

    shards: Mapping[int, int]  # that it owns -> fencing number
    surplus: frozenset[int] = frozenset()  # of these, the ones that others have a claim to
    ending: str = ""  # why the crawl is over, if it is


RANKS: tuple[int, ...] = (
    *range(1, 16),
    *range(16, 32, 2),
    *range(32, 64, 4),
    *range(64, 128, 8),
    *range(128, 512, 32),
    512,
)
"""A worker tells the priorities of its links of these ranks: close enough to know how many are as good as another's."""


class Worth(Struct, frozen=True):
    """What a worker's links are worth: the first two are for others to compare theirs with."""

    waiting: Sequence[float] = ()  # priorities of the links of these `RANKS`, of all that can be asked soon
    at_hand: Sequence[float] = ()  # priorities of the best that can be asked now, beside each other
    far: Sequence[float] = ()  # of what it could ask next, the ones of hosts far from the start
    near: Sequence[float] = ()  # and of hosts near it
    paced: bool = False  # hosts keep a delay, which says how often they are asked: any link near the start will do

    def __bool__(self) -> bool:
        return bool(self.at_hand)

    def good_enough(self, far: float, near: float) -> int:
        """How many it could ask next that are worth so much."""
        some = sum(1 for priority in self.near if self.paced or priority >= near)
        return some + sum(1 for priority in self.far if priority >= far)


class Allotment(Struct, frozen=True):
    """What a worker may spend next."""

    requests: int = 0
    least: float = -inf  # that a link far from the start must promise, on the scale of `Worth`
    rank: int = 0  # how many of the links that wait, of all workers', are good enough; 0: any is


class ShardLeases(Protocol):
    """The leases of one worker. Each report makes them last a while longer."""

    seconds: float  # that a lease lasts without a report

    def report(self, worth: Worth, idle: bool) -> Standing:
        """Tells what the worker's links are worth, and takes shards that nobody has."""
        ...

    def renew(self, shards: Collection[int]) -> bool:
        """Makes the leases of these shards last longer, and does nothing else; False where one was lost.

        It may be called while another thread reports.
        """
        ...

    def give_back(self, shards: Collection[int]) -> None: ...

    def leave(self) -> None:
        """Gives back all it has: this worker is done."""
        ...

    def allot(self, worth: Worth, most: int, at_once: int, *, thrift: float = 0.0, holding: int = 0) -> Allotment:
        """What this worker may ask for next, of `most` pages in the library at the end; 0 = no limit.

        As many as it could ask of hosts near the start, or among the best of all workers': of so many at hand
        as all together ask at once, and of so many that wait as `thrift` is of the pages left; 0 = whatever they are
        worth. Where hosts near the start keep no delay, of twice so many at hand. `at_once`: requests that this worker
        has under way. `holding`: pages that it was allotted before and that are not stored yet; these come on top of
        them.
        """
        ...

    def begin(self) -> None:
        """A new crawl: nobody works yet, and it is not over."""
        ...

    def lead(self) -> None:
        """From here on this is the driver, for as long as its connection lasts; raises where there is another."""
        ...

    def end_all(self) -> None:
        """Ends the workers that another driver left behind. Afterwards nobody asks, and nobody writes."""
        ...

    def workers(self) -> int:
        """How many have reported of late."""
        ...

    def ending(self) -> str:
        """Why the crawl is over; empty while it is not."""
        ...

    def end(self, ending: str) -> None:
        """The crawl is over for all."""
        ...

    def close(self) -> None: ...


class SharedLibrary(Library, Protocol):
    """A library as the owner of some shards sees it: all pages, and the links that wait in its shards."""

    def handed(self) -> list[Waiting]:
        """Links in these shards that others found since last asked."""
        ...

    def tell(self, teller: str, content: bytes) -> None:
        """Something for the other workers to learn from. It is kept for a minute, and is gone when the server falls."""
        ...

    def told_since(self, number: int, teller: str) -> list[tuple[int, str, bytes]]:
        """What others than this one told after that number: number, who, and what, in the order it was told."""
        ...

    def last_told(self) -> int: ...

    def stored_pages(self) -> int:
        """How many pages were stored through this one."""
        ...

    def __enter__(self) -> Self: ...

"""Caches with a bound, so that what is remembered for speed cannot fill the memory.

| class | an entry comes in | when it is full | made for |
|---|---|---|---|
| `Memo` | when it is asked for | all are forgotten | answers that can be worked out again, on hot paths |
| `BoundedCache` | by `put` | the oldest go first | what cannot be had again, or is dear: LRU, bounds in bytes |

Both are read at the speed of a plain dict. For a function of several arguments off the hot paths there is
`functools.lru_cache`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(dict[K, V]):
    """Key -> `make(key)`, worked out once; when `most` are held, all are forgotten and it starts anew.

    No order is kept, so a read stays in C and a new entry costs one look at the length. Forgetting everything is rare
    where the bound is above what a page or a site needs. Keys that `keeps` refuses are worked out each time.
    """

    __slots__ = ("_keeps", "_make", "most")

    def __init__(self, make: Callable[[K], V], most: int, keeps: Callable[[K], bool] | None = None) -> None:
        super().__init__()
        self.most = most
        self._make = make
        self._keeps = keeps

    def __missing__(self, key: K) -> V:
        value = self._make(key)
        if self._keeps is None or self._keeps(key):
            if len(self) >= self.most:
                self.clear()
            self[key] = value
        return value


class BoundedCache(Generic[K, V]):
    """Key -> value, for as many entries as fit into `most`; those written longest ago are forgotten first.

    An entry counts 1, or what `weigh` says of its value, such as its bytes. With `use` in place of `get` an entry that
    is read is as good as new: least recently used goes first. Loops may work on `entries` itself, the oldest first; one
    that writes there calls `forget` when it is done.
    """

    __slots__ = ("_weigh", "_weighs", "entries", "most")

    def __init__(self, most: int, weigh: Callable[[V], int] | None = None) -> None:
        self.most = most
        self.entries: OrderedDict[K, V] = OrderedDict()
        self._weigh = weigh
        self._weighs = 0

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    @property
    def held(self) -> int:
        """How much of `most` is taken."""
        return len(self.entries) if self._weigh is None else self._weighs

    def get(self, key: K) -> V | None:
        return self.entries.get(key)

    def use(self, key: K) -> V | None:
        """As `get`; and the entry is now the last to be forgotten."""
        value = self.entries.get(key)
        if value is not None:
            self.entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        entries = self.entries
        if self._weigh is not None:
            self._weighs += self._weigh(value) - (self._weigh(entries[key]) if key in entries else 0)
        entries[key] = value
        entries.move_to_end(key)
        if self._weigh is not None:
            self._lighten(self._weigh)
        elif len(entries) > self.most:
            entries.popitem(last=False)

    def put_all(self, news: Mapping[K, V]) -> None:
        """Puts in all, in their order, before any is forgotten."""
        entries = self.entries
        for key, value in news.items():
            entries[key] = value
            entries.move_to_end(key)
        self.forget()

    def refill(self, entries: Iterable[tuple[K, V]]) -> None:
        """Makes these its entries, the oldest first."""
        self.entries = OrderedDict(entries)
        self.forget()

    def forget(self) -> None:
        """Makes room after `entries` were written to: the oldest go."""
        entries = self.entries
        if self._weigh is not None:
            self._weighs = sum(map(self._weigh, entries.values()))
            self._lighten(self._weigh)
            return
        while len(entries) > self.most:
            entries.popitem(last=False)

    def _lighten(self, weigh: Callable[[V], int]) -> None:
        while self._weighs > self.most and self.entries:
            self._weighs -= weigh(self.entries.popitem(last=False)[1])

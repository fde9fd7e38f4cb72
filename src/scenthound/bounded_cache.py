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
from collections.abc import Callable, Hashable, Mapping
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
    is read is as good as new: least recently used goes first. `entries` is for loops that read: look, do not write.
    """

    __slots__ = ("_entries", "_weigh", "_weighs", "entries", "most")

    def __init__(self, most: int, weigh: Callable[[V], int] | None = None) -> None:
        self.most = most
        self._weigh = weigh
        self._weighs = 0
        self._entries: OrderedDict[K, V] = OrderedDict()
        self.entries: Mapping[K, V] = self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    @property
    def held(self) -> int:
        """How much of `most` is taken."""
        return len(self._entries) if self._weigh is None else self._weighs

    def get(self, key: K) -> V | None:
        return self._entries.get(key)

    def use(self, key: K) -> V | None:
        """As `get`; and the entry is now the last to be forgotten."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        if self._weigh is not None:
            self._reweigh(self._weigh, key, value)
        self._entries[key] = value
        self._entries.move_to_end(key)
        if self._weigh is not None or len(self._entries) > self.most:
            self._forget()

    def put_all(self, news: Mapping[K, V]) -> None:
        """Puts in all, in their order, before any is forgotten."""
        if self._weigh is not None:
            for key, value in news.items():
                self._reweigh(self._weigh, key, value)
        self._entries.update(news)
        for _ in map(self._entries.move_to_end, news):
            pass
        self._forget()

    def _reweigh(self, weigh: Callable[[V], int], key: K, value: V) -> None:
        self._weighs += weigh(value) - (weigh(self._entries[key]) if key in self._entries else 0)

    def _forget(self) -> None:
        entries, weigh = self._entries, self._weigh
        if weigh is None:
            while len(entries) > self.most:
                entries.popitem(last=False)
            return
        while self._weighs > self.most and entries:
            self._weighs -= weigh(entries.popitem(last=False)[1])

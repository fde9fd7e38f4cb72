from __future__ import annotations

import numpy as np

from scenthound.bounded_cache import BoundedCache
from scenthound.learn.snapshot_arrays import column, for_part, joined, keys_of, of_part, parted, refill


def test_a_cache_comes_back_in_its_order() -> None:
    before: BoundedCache[int, float] = BoundedCache(3)
    for key in (5, -7, 9, 5, 11):
        before.put(key, key / 2)
    after: BoundedCache[int, float] = BoundedCache(3)
    after.put(99, 1.0)
    refill(after, keys_of(before), column(before.entries.values(), len(before)).tolist())
    assert list(after.entries.items()) == list(before.entries.items()) == [(9, 4.5), (5, 2.5), (11, 5.5)]


def test_a_smaller_cache_keeps_the_newest() -> None:
    cache: BoundedCache[int, float] = BoundedCache(1)
    refill(cache, np.array([1, 2]), [0.1, 0.2])
    assert list(cache.entries) == [2]


def test_arrays_end_to_end_and_apart_again() -> None:
    parts = [np.array([1, 2]), np.array([], int), np.array([3])]
    together, lengths = joined(parts, np.int32)
    assert (together.tolist(), lengths.tolist()) == ([1, 2, 3], [2, 0, 1])
    assert [part.tolist() for part in parted(together, lengths)] == [[1, 2], [], [3]]
    assert parted(*joined([], np.int32)) == []


def test_arrays_of_parts_are_told_apart() -> None:
    both = of_part("graph", {"urls": 1}) | of_part("links", {"urls": 2})
    assert for_part("graph", both) == {"urls": 1}
    assert for_part("links", both) == {"urls": 2}
